import Files
import Programs

/// Checks the structure of a film's container without decoding.
///
/// Demuxers skip what they do not understand, and report nothing. `check` walks from one unit of the
/// container to the next, reads their headers alone, and finds units that are truncated, invalid or
/// missing from a sequence. The contents of units are not checked. Of MP4 the tables are read, which give
/// the duration of each stream.
///
/// Sources: RFC 8794 and RFC 9559 (Matroska), ISO/IEC 14496-12 (MP4), Microsoft's "AVI RIFF File
/// Reference", RFC 3533 (Ogg), Adobe's "Video File Format Specification" 10.1 (FLV), ISO/IEC 13818-1
/// (MPEG transport streams).
enum Container {
  /// What a container's headers say.
  struct Contents {
    /// The number of video frames; 0 where it is unknown.
    var frames = 0
    /// The duration in nanoseconds; 0 where it is unknown.
    var length = 0
    /// The presentation time of each stream's last sample in nanoseconds, by the stream's number.
    var ends: [Int: Int] = [:]
    /// The numbers of the audio streams.
    var sounds: Set<Int> = []
    /// What GStreamer must read in offset of parts of the file.
    var patches: [Patch] = []
    /// Chapters in the headers, and whether there is a track of them.
    var chapters: ChapterList?
    var hasChapterTrack = false
  }

  /// Bytes that replace those of a file.
  struct Patch {
    let offset: Int
    let bytes: [UInt8]
  }

  /// Throws what is wrong with the file; returns what its headers say.
  ///
  /// `type`: the media type, as "video/webm". Files of unknown types are not checked.
  static func check(_ path: FilePath, _ type: String) throws(ProgramError) -> Contents {
    guard let walk = walks[type] else { return Contents() }
    let file = try FileReader(path)
    do {
      return try walk(file)
    } catch {
      throw .damaged(error.text)
    }
  }

  private static let walks: [String: @Sendable (FileReader) throws(ContainerError) -> Contents] = [
    "video/webm": walkMatroska, "video/x-matroska": walkMatroska,
    "video/x-matroska-3d": walkMatroska, "video/quicktime": walkMP4, "video/x-msvideo": walkAVI,
    "application/ogg": walkOgg, "video/ogg": walkOgg, "video/x-flv": walkFLV,
    "video/mpegts": walkTransportStream,
  ]

  @Sendable private static func walkFLV(_ file: FileReader) throws(ContainerError) -> Contents {
    var offset = try file.readExactly(9)[5..<9].bigEndian + 4
    while offset < file.size {
      file.offset = offset
      let header = try file.readExactly(11)
      guard [8, 9, 18].contains(header[0] & 0x1F) else { throw .broken(offset) }
      let end = offset + 11 + header[1..<4].bigEndian
      try ContainerError.checkEnd(end, file.size)
      // The size is repeated after a tag; some writers omit the header from it, or write 0.
      file.offset = end
      let back = file.read(4)
      if back.count == 4, ![end - offset, end - offset - 11, 0].contains(back.bigEndian) {
        throw .broken(offset)
      }
      offset = end + 4
    }
    return Contents()
  }
}
