import CGStreamer
import Client
import Programs

/// Detects a demuxer that reads beyond the end of a file in a loop.
///
/// gst-libav's GIF demuxer does so at the end. Frames may still be on their way, so the end is when
/// no frame has come for two seconds either.
final class EndOfFileMonitor {
  /// Seconds without a frame; the first frame may wait for models to load.
  private static let frameLimit = 2.0
  private static let firstFrameLimit = 20.0

  private let lock = RecursiveLock()
  private var reads = 0
  private var last = (reads: 0, frames: 0)
  private var since = 0.0

  /// Counts the reads beyond the end of a source of `size` bytes.
  func watch(_ source: Element, size: Int) {
    source.pad("src")?.addProbe(GST_PAD_PROBE_TYPE_PULL, GST_PAD_PROBE_TYPE_BLOCK) {
      [unowned self] _, info in
      if info.pointee.offset >= UInt64(size) { lock { reads += 1 } }
      return GST_PAD_PROBE_PASS
    }
  }

  /// Whether nothing but the end is read, and no frame comes.
  ///
  /// Call it often.
  func hasEnded(frames: Int) -> Bool {
    let (now, reads) = (MonotonicClock.seconds, lock { self.reads })
    // A demuxer that looks for the end reads there a few times.
    if reads - last.reads < 10 || frames != last.frames { since = now }
    last = (reads, frames)
    return reads > 100 && now - since > (frames > 0 ? Self.frameLimit : Self.firstFrameLimit)
  }
}
