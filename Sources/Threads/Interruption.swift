import Synchronization

/// Says to whoever is at work on a frame that nobody waits for it any more.
///
/// For any thread.
package final class Interruption: Sendable {
  private let flag = Atomic(false)

  package init() {}

  /// Whether what is left of the work may be left out.
  package var isSet: Bool { flag.load(ordering: .relaxed) }

  package func set() { flag.store(true, ordering: .relaxed) }

  package func clear() { flag.store(false, ordering: .relaxed) }
}
