import CGStreamer
import Programs

/// The newest frame for the window, handed from a streaming thread to the main one.
///
/// At most one waits; one that was not taken yet is replaced.
final class Newest: @unchecked Sendable {
  private let lock = Lock()
  private var sample: OpaquePointer?
  private var skipped = 0
  private var isClosed = false
  /// Called by the main thread once for each that is put while none waits.
  var onNew: () -> Void = {}

  /// Takes over the caller's reference; for any thread.
  func put(_ new: OpaquePointer) {
    let isFirst = lock {
      let old = isClosed ? new : sample
      let isFirst = sample == nil && !isClosed
      if !isClosed { sample = new }
      if let old {
        gst_mini_object_unref(cgst_mini_object(UnsafeMutableRawPointer(old)))
        skipped += isClosed ? 0 : 1
      }
      return isFirst
    }
    if isFirst { MainLoop.soon { [self] in onNew() } }
  }

  /// The caller gets the reference.
  func take() -> OpaquePointer? {
    lock {
      defer { sample = nil }
      return sample
    }
  }

  /// How many were replaced since this was asked.
  func takeSkipped() -> Int {
    lock {
      defer { skipped = 0 }
      return skipped
    }
  }

  /// From here on none waits.
  func clear() {
    lock {
      if let sample { gst_mini_object_unref(cgst_mini_object(UnsafeMutableRawPointer(sample))) }
      sample = nil
      isClosed = true
    }
  }
}
