import Files
import Programs

/// Whether a film's file holds together, by its container's own bookkeeping and without decoding.
///
/// Demuxers step over what they do not understand, and say nothing of it. `check` walks from one
/// unit of the container to the next, reads no more than their headers, and finds where a unit is
/// cut off, is none, or is missing by its number. What lies inside the units is the decoders'
/// affair, but for MP4: there the tables say how long each stream is.
///
/// Sources: RFC 8794 and RFC 9559 (Matroska), ISO/IEC 14496-12 (MP4), Microsoft's "AVI RIFF File
/// Reference", RFC 3533 (Ogg), Adobe's "Video File Format Specification" 10.1 (FLV), ISO/IEC 13818-1
/// (MPEG transport streams).
enum Container {
  /// What a container says of what it holds.
  struct Contents {
    /// Frames of its picture; 0 where it does not say.
    var frames = 0
    /// Nanoseconds that it lasts; 0 where it does not say.
    var length = 0
    /// When the last sample of a stream begins to be shown, nanoseconds, by the stream's number.
    var ends: [Int: Int] = [:]
    /// Those of them that are sounds.
    var sounds: Set<Int> = []
    /// What GStreamer is to read instead of what stands there.
    var corrections: [Correction] = []
  }

  /// Bytes in place of those that a file holds.
  struct Correction {
    let place: Int
    let bytes: [UInt8]
  }

  /// Throws what is wrong with the file; `kind` is the type GStreamer found, as video/webm.
  ///
  /// Types that are not known here are taken for whole.
  ///
  /// Returns what the container says of what it holds.
  static func check(_ path: FilePath, _ kind: String) throws(Problem) -> Contents {
    guard let walk = walks[kind] else { return Contents() }
    let file = try ByteFile(path)
    do {
      return try walk(file)
    } catch {
      throw .failure(error.text)
    }
  }

  private static let walks: [String: @Sendable (ByteFile) throws(Damage) -> Contents] = [
    "video/webm": walkMatroska, "video/x-matroska": walkMatroska,
    "video/x-matroska-3d": walkMatroska, "video/quicktime": walkMP4, "video/x-msvideo": walkAVI,
    "application/ogg": walkOgg, "video/ogg": walkOgg, "video/x-flv": walkFLV,
    "video/mpegts": walkTransportStream,
  ]

  @Sendable private static func walkFLV(_ file: ByteFile) throws(Damage) -> Contents {
    var place = try file.need(9)[5..<9].bigEndian + 4
    while place < file.size {
      file.place = place
      let header = try file.need(11)
      guard [8, 9, 18].contains(header[0] & 0x1F) else { throw .broken(place) }
      let end = place + 11 + header[1..<4].bigEndian
      try Damage.checkEnd(end, file.size)
      // What follows a tag repeats its size; some writers count without the header, or leave 0.
      file.place = end
      let back = file.read(4)
      if back.count == 4, ![end - place, end - place - 11, 0].contains(back.bigEndian) {
        throw .broken(place)
      }
      place = end + 4
    }
    return Contents()
  }
}
