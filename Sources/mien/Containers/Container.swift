import Files
import Programs

/// Whether a film's file holds together, by its container's own bookkeeping and without decoding.
///
/// Demuxers step over what they do not understand, and say nothing of it. `check` walks from one
/// unit of the container to the next, reads no more than their headers, and finds where a unit is
/// cut off, is none, or is missing by its number. What lies inside the units is the decoders'
/// affair.
///
/// Sources: RFC 8794 and RFC 9559 (Matroska), ISO/IEC 14496-12 (MP4), Microsoft's "AVI RIFF File
/// Reference", RFC 3533 (Ogg), Adobe's "Video File Format Specification" 10.1 (FLV), ISO/IEC 13818-1
/// (MPEG transport streams).
enum Container {
  /// Throws what is wrong with the file; `kind` is the type GStreamer found, as video/webm.
  ///
  /// Types that are not known here are taken for whole.
  ///
  /// Returns how many frames the container holds, 0 where it does not say.
  static func check(_ path: FilePath, _ kind: String) throws(Problem) -> Int {
    guard let walk = walks[kind] else { return 0 }
    let file = try ByteFile(path)
    do {
      return try walk(file)
    } catch {
      throw .failure(error.text)
    }
  }

  private static let walks: [String: @Sendable (ByteFile) throws(Damage) -> Int] = [
    "video/webm": walkMatroska, "video/x-matroska": walkMatroska,
    "video/x-matroska-3d": walkMatroska, "video/quicktime": walkMP4, "video/x-msvideo": walkAVI,
    "application/ogg": walkOgg, "video/ogg": walkOgg, "video/x-flv": walkFLV,
    "video/mpegts": walkTransportStream,
  ]

  /// Only whether the boxes reach beyond the end: their tables tell the demuxer the rest.
  @Sendable private static func walkMP4(_ file: ByteFile) throws(Damage) -> Int {
    var place = 0
    while place + 8 <= file.size {
      file.place = place
      let header = try file.need(8)
      var length = header[..<4].bigEndian
      if length == 1 { length = try file.need(8).bigEndian }
      // To the end of the file; or padding, as some cameras write.
      if length == 0 || !header[4...].allSatisfy({ (32...126).contains($0) || $0 == 0xA9 }) {
        return 0
      }
      guard length > 0, place < Int.max - max(length, 8) else { throw .endMissing }
      place += max(length, 8)
    }
    try Damage.checkEnd(place, file.size)
    return 0
  }

  @Sendable private static func walkFLV(_ file: ByteFile) throws(Damage) -> Int {
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
    return 0
  }
}
