import CGStreamer
import Client
import Programs

/// Patches the header of an MP4 file as GStreamer reads it; the file is not changed.
///
/// qtdemux of GStreamer 1.22 uses four of its fields wrongly:
/// - The movie's duration. It ends a track at the first sync sample whose media time reaches the
///   duration. Where an edit list begins later in the media, that is too early: of one second cut at
///   0.7 s, 0.4 s of sound are read.
/// - The same duration again: it ignores tracks shorter than a fifth of it as previews.
/// - The duration of a track without an edit list. It ends the track there although reordered frames
///   are displayed later than their decoding time, and drops the last ones.
/// - The colours of a track, of which it ignores that their range is full (mended in 1.26).
///
/// Without a movie duration a track ends where its edits end. `MP4Movie` makes the patches.
final class MovieHeaderPatch {
  /// Whether qtdemux reads the range of colours.
  static let readsColorRange = {
    var version: (major: guint, minor: guint, micro: guint, nano: guint) = (0, 0, 0, 0)
    gst_version(&version.major, &version.minor, &version.micro, &version.nano)
    return version.major > 1 || version.minor >= 26
  }()

  private let lock = RecursiveLock()
  private var patches: [Container.Patch] = []

  /// Patches what is read from a source element.
  func patchReads(of source: Element) {
    source.pad("src")?.addProbe(GST_PAD_PROBE_TYPE_PULL, GST_PAD_PROBE_TYPE_BUFFER) {
      [weak self] _, info in
      if let self, info.pointee.data != nil { apply(to: info) }
      return GST_PAD_PROBE_OK
    }
  }

  /// Sets the patches of all following reads.
  func setPatches(_ patches: [Container.Patch]) { lock { self.patches = patches } }

  private func apply(to info: UnsafeMutablePointer<GstPadProbeInfo>) {
    let patches = lock { self.patches }
    guard !patches.isEmpty, let buffer = info.buffer else { return }
    let start = Int(clamping: info.pointee.offset)
    let read = start..<start + Int(gst_buffer_get_size(buffer))
    for patch in patches {
      let all = patch.offset..<patch.offset + patch.bytes.count
      let part = all.clamped(to: read)
      guard !part.isEmpty else { continue }
      let bytes = Array(
        patch.bytes[part.lowerBound - all.lowerBound..<part.upperBound - all.lowerBound])
      gst_buffer_fill(buffer, gsize(part.lowerBound - start), bytes, gsize(bytes.count))
    }
  }
}
