import CGStreamer
import Programs

/// Notices when a file is asked for what lies behind its end, on and on.
///
/// gst-libav's reader of GIF does not notice the end, and asks for ever. What it has read may still
/// be on its way, so the end is when for two seconds frames have not come either.
final class EndOfReads {
  private static let patience = 2.0
  /// The first frame may have to wait until models are read.
  private static let patienceForFirst = 20.0

  private let lock = Lock()
  private var beyond = 0
  private var last = (beyond: 0, frames: 0)
  private var since = 0.0

  /// Watches what is asked of a file's source.
  func watch(_ source: Element, size: Int) {
    source.pad("src")?.probe(GST_PAD_PROBE_TYPE_PULL, GST_PAD_PROBE_TYPE_BLOCK) {
      [unowned self] _, info in
      if info.pointee.offset >= UInt64(size) { lock { beyond += 1 } }
      return GST_PAD_PROBE_PASS
    }
  }

  /// To be called often: whether nothing is read any more but the end, and no frame comes.
  func areOver(frames: Int) -> Bool {
    let (now, beyond) = (StallWatch.seconds(CLOCK_MONOTONIC), lock { self.beyond })
    // Whoever looks for the end asks for it a few times.
    if beyond - last.beyond < 10 || frames != last.frames { since = now }
    last = (beyond, frames)
    return beyond > 100 && now - since > (frames > 0 ? Self.patience : Self.patienceForFirst)
  }
}
