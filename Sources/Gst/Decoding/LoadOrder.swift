import CGStreamer
import Synchronization

/// Whether what is being loaded is still wanted.
///
/// Whoever loads asks `check` between two steps, so that nobody who changes a state or a property
/// waits for a file that is slow, or not what it seems. For any thread.
package final class LoadOrder: Sendable {
  private let isCancelled = Atomic(false)
  private let seconds: Int
  /// Microseconds on GLib's clock.
  private let deadline: gint64

  /// `seconds` for all that belongs to it.
  package init(seconds: Int = 60) {
    self.seconds = seconds
    deadline = g_get_monotonic_time() + gint64(seconds) * 1_000_000
  }

  package func cancel() { isCancelled.store(true, ordering: .relaxed) }

  /// Throws once it is not wanted any more, or took too long; `path` is what is being read.
  package func check(_ path: String) throws(ElementError) {
    if isCancelled.load(ordering: .relaxed) {
      throw ElementError(.failed, "\(path) was not read to its end: it is not wanted any more.")
    }
    if g_get_monotonic_time() > deadline {
      throw ElementError(
        .wrongContent, "\(path) cannot be decoded: it took longer than \(seconds) seconds.")
    }
  }
}
