import CGStreamer
import Synchronization

extension Pad {
  /// Calls `body` at once where nothing passes this source pad, else on the streaming thread before the next buffer.
  ///
  /// `body` may relink the pad: there is no buffer between it and the elements behind it. It is called again before each
  /// further buffer for as long as it returns false, and not after the pad ends.
  ///
  /// It is never called at an event, nor where the pad becomes idle after one: GStreamer repeats the start of a
  /// stream, its caps and its segment to an element that is linked, but not those that it is about to mark as sent to
  /// the last one.
  ///
  /// The pad owns `body`, as that of `addProbe`. For any thread.
  package func beforeNextBuffer(_ body: @escaping () -> Bool) {
    let turn = Turn()
    addRawProbe(
      GST_PAD_PROBE_TYPE_IDLE, GST_PAD_PROBE_TYPE_BLOCK, GST_PAD_PROBE_TYPE_BUFFER,
      GST_PAD_PROBE_TYPE_BUFFER_LIST
    ) { _, info in
      let isIdle = info.pointee.type.rawValue & GST_PAD_PROBE_TYPE_IDLE.rawValue != 0
      guard !isIdle || turn.isOfAddition, turn.take() else { return GST_PAD_PROBE_PASS }
      if body() { return GST_PAD_PROBE_REMOVE }
      turn.giveBack()
      return GST_PAD_PROBE_PASS
    }
    turn.endAddition()
  }
}

/// The turn to call the body of a probe, which two threads may want at the same time.
///
/// For any thread.
private final class Turn: Sendable {
  private let thread = UInt(bitPattern: g_thread_self())
  private let isAdded = Atomic(false)
  private let isTaken = Atomic(false)

  /// Whether this is the call that GStreamer makes while the probe is added, and not the streaming thread's.
  var isOfAddition: Bool {
    !isAdded.load(ordering: .acquiring) && thread == UInt(bitPattern: g_thread_self())
  }

  func endAddition() { isAdded.store(true, ordering: .releasing) }

  /// False where another thread has it, or it was not given back: GStreamer warns if a probe is removed twice.
  func take() -> Bool { !isTaken.exchange(true, ordering: .acquiringAndReleasing) }

  func giveBack() { isTaken.store(false, ordering: .releasing) }
}
