import CGStreamer
import Programs

/// Corrects what GStreamer reads of an MP4 file's header; the file stays as it is.
///
/// qtdemux of GStreamer 1.22 takes three of its numbers too literally:
/// - The length of the movie. It ends a track at the first sample from which it could go on whose time
///   in the track's media reaches that length. Where an edit list has a track begin later in its media,
///   that is too early: of a second that was cut out at 0.7 s, 0.4 s of sound come out.
/// - The same length again: it takes a track of less than a fifth of it for a preview, and leaves it out.
/// - The length of a track without an edit list. It ends the track there although frames that refer to
///   later ones are shown later than they are stored, so that the last ones are lost.
///
/// Without the first a track ends where its edits end. `MP4Movie` says what is read instead.
final class MovieHeader {
  private let lock = Lock()
  private var corrections: [Container.Correction] = []

  /// Sees what is read of a file's source.
  func watch(_ source: Element) {
    source.pad("src")?.probe(GST_PAD_PROBE_TYPE_PULL, GST_PAD_PROBE_TYPE_BUFFER) {
      [weak self] _, info in
      if let self, info.pointee.data != nil { correct(info) }
      return GST_PAD_PROBE_OK
    }
  }

  /// From here on these bytes are read instead of those of the file.
  func correct(_ corrections: [Container.Correction]) { lock { self.corrections = corrections } }

  private func correct(_ info: UnsafeMutablePointer<GstPadProbeInfo>) {
    let corrections = lock { self.corrections }
    guard !corrections.isEmpty, let buffer = gst_pad_probe_info_get_buffer(info) else { return }
    let start = Int(clamping: info.pointee.offset)
    let read = start..<start + Int(gst_buffer_get_size(buffer))
    for correction in corrections {
      let all = correction.place..<correction.place + correction.bytes.count
      let part = all.clamped(to: read)
      guard !part.isEmpty else { continue }
      let bytes = Array(
        correction.bytes[part.lowerBound - all.lowerBound..<part.upperBound - all.lowerBound])
      gst_buffer_fill(buffer, gsize(part.lowerBound - start), bytes, gsize(bytes.count))
    }
  }
}
