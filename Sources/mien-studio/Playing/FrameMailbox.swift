import Client
import Programs

/// Hands the latest sample from a streaming thread to the main thread.
///
/// It holds at most one; a newer one replaces one that was not taken.
final class FrameMailbox: @unchecked Sendable {
  private let lock = RecursiveLock()
  private var sample: Sample?
  private var dropped = 0
  private var isClosed = false
  private var isPaused = false
  /// Called on the main thread once for each sample that is stored in an empty mailbox.
  var onSample: () -> Void = {}

  /// Whether samples are those at which a paused pipeline stands.
  ///
  /// That of a pipeline that starts is its first frame, which comes again.
  func setPaused(_ isPaused: Bool) { lock { self.isPaused = isPaused } }

  /// Stores a sample; for any thread.
  func store(_ new: Sample, isPreroll: Bool) {
    let wasEmpty = lock {
      guard !isClosed, !isPreroll || isPaused else { return false }
      let wasEmpty = sample == nil
      dropped += wasEmpty ? 0 : 1
      sample = new
      return wasEmpty
    }
    if wasEmpty { MainLoop.dispatch { [self] in onSample() } }
  }

  /// Removes the sample, and returns it with the number that were replaced since the last call.
  func take() -> (sample: Sample, dropped: Int)? {
    lock {
      defer { (sample, dropped) = (nil, 0) }
      return sample.map { ($0, dropped) }
    }
  }

  /// Drops the sample, and all that follow.
  func close() {
    lock {
      sample = nil
      isClosed = true
    }
  }
}
