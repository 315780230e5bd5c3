import Files
import Programs

/// The EXIF record and the ICC profile of a JPEG file.
///
/// Other metadata is dropped, with the previews of the old picture. GStreamer's `jifmux` is no
/// replacement: it loses the ICC profile, and EXIF fields for which GStreamer has no tag, as the lens.
///
/// Sources: ISO/IEC 10918-1 (segments), CIPA DC-008 (EXIF), ICC.1 annex B.4.
struct JPEGMetadata {
  /// Nil without a readable one.
  private(set) var exif: EXIFRecord?
  /// The segments of the profile, in order.
  private var profile: [[UInt8]] = []
  /// Whether it is grey with sampling factors other than 1.
  ///
  /// With one component these have no effect (A.2.2), but jpegdec refuses them.
  private(set) var isCoarseGrey = false

  init(_ path: FilePath) throws(ProgramError) {
    let file = try FileReader(path)
    guard file.read(2).elementsEqual([0xFF, 0xD8]) else { return }
    while true {
      let header = Array(file.read(4))
      guard header.count == 4, header[0] == 0xFF else { return }
      if header[1] == 0xFF {
        // Fill bytes before a segment.
        file.offset -= 3
        continue
      }
      let length = header[2...].bigEndian
      // The scan begins.
      guard header[1] != 0xDA, length >= 2 else { return }
      let contents = Array(file.read(length - 2))
      guard contents.count == length - 2 else { return }
      if header[1] == 0xE1, exif == nil, contents.starts(with: EXIFRecord.mark) {
        exif = EXIFRecord(contents)
      }
      if JPEGFrameHeader.isStartOfFrame(header[1]), contents.count > 7 {
        isCoarseGrey = contents[5] == 1 && contents[7] != 0x11
      }
      if header[1] == 0xE2, contents.starts(with: Self.profileMark) {
        profile.append(contents)
      }
    }
  }

  /// The orientation as a value of `videoflip`'s "video-direction".
  var videoDirection: String {
    let directions = ["identity", "horiz", "180", "vert", "ul-lr", "90r", "ur-ll", "90l"]
    let orientation = exif?.orientation ?? 1
    return directions.indices.contains(orientation - 1) ? directions[orientation - 1] : "identity"
  }

  private static let profileMark = Array("ICC_PROFILE".utf8) + [0]

  /// The profile rewritten with its colours alone; empty where that is not possible.
  private var neutralProfile: [[UInt8]] {
    // After the mark: the part's number, from 1 on, and the number of parts.
    let (number, contents) = (Self.profileMark.count, Self.profileMark.count + 2)
    let parts = profile.filter { $0.count > contents }.sorted { $0[number] < $1[number] }
    guard let colours = ColorProfile(parts.flatMap { $0[contents...] })?.bytes else { return [] }
    return [Self.profileMark + [1, 1] + colours]
  }

  /// The JPEG file `picture` with this metadata.
  ///
  /// Without `keepsRecord` the EXIF record is dropped, because maker notes may hold the old picture, and
  /// the profile is reduced to its colours.
  func inserted(into picture: [UInt8], width: Int, height: Int, keepsRecord: Bool) -> [UInt8] {
    guard picture.starts(with: [0xFF, 0xD8]) else { return picture }
    var segments: [UInt8] = []
    if keepsRecord, let record = exif?.upright(width: width, height: height) {
      segments += Self.makeSegment(0xE1, record)
    }
    for part in keepsRecord ? profile : neutralProfile { segments += Self.makeSegment(0xE2, part) }
    // After the encoder's JFIF segment.
    var place = 2
    if picture.count > 6, picture[2] == 0xFF, picture[3] == 0xE0 {
      place += 2 + picture[4..<6].bigEndian
    }
    guard place <= picture.count else { return picture }
    var whole = Array(picture[..<place])
    whole += segments
    whole += picture[place...]
    return whole
  }

  private static func makeSegment(_ marker: UInt8, _ contents: [UInt8]) -> [UInt8] {
    let length = contents.count + 2
    return [0xFF, marker, UInt8(length >> 8), UInt8(length & 0xFF)] + contents
  }
}

/// The size of the picture that a JPEG file holds.
enum JPEGFrameHeader {
  /// Whether a marker is one of the start-of-frame segments, which have one layout.
  static func isStartOfFrame(_ marker: UInt8) -> Bool {
    (0xC0...0xCF).contains(marker) && ![0xC4, 0xC8, 0xCC].contains(marker)
  }

  static func size(_ file: [UInt8]) -> (width: Int, height: Int)? {
    var place = 2
    while place + 9 <= file.count, file[place] == 0xFF {
      let marker = file[place + 1]
      if isStartOfFrame(marker) {
        return (file[place + 7..<place + 9].bigEndian, file[place + 5..<place + 7].bigEndian)
      }
      place += 2 + file[place + 2..<place + 4].bigEndian
    }
    return nil
  }
}
