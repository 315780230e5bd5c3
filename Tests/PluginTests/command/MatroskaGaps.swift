import Support

/// A WebM film with gaps stored as empty blocks, as matroskamux writes gap events of dropped frames
/// since GStreamer 1.24.
///
/// The file is written here (RFC 9559), so that every version of GStreamer reads the same bytes.
struct MatroskaGaps {
  /// The number of frames; every second one is followed by a gap of one frame.
  static let frames = 16
  private static let milliseconds = 40

  static func write(_ path: String, in folder: ScratchFolder) throws {
    folder.write(path, film(of: try coded()))
  }

  private static func coded() throws -> [[UInt8]] {
    let pipeline = try Pipeline(
      "\(SmallFilm.frameSource) num-buffers=\(frames)"
        + " ! video/x-raw,format=I420,width=64,height=48,framerate=25/1"
        + " ! vp8enc deadline=1 cpu-used=8 ! fakesink name=coded")
    return try pipeline.collect(at: "coded") { CapturedFrame($0).bytes }
  }

  private static func film(of coded: [[UInt8]]) -> [UInt8] {
    var (blocks, time): ([UInt8], Int) = ([], 0)
    for (index, frame) in coded.enumerated() {
      blocks += block(frame, at: time, isKey: index == 0)
      time += milliseconds
      guard index % 2 == 1, index + 1 < coded.count else { continue }
      blocks += block([], at: time, isKey: false)
      time += milliseconds
    }
    let track =
      element([0xD7], [1]) + element([0x73, 0xC5], [1]) + element([0x83], [1])
      + element([0x86], Array("V_VP8".utf8))
      + element([0xE0], element([0xB0], [64]) + element([0xBA], [48]))
    let info =
      element([0x2A, 0xD7, 0xB1], [0x0F, 0x42, 0x40]) + element([0x4D, 0x80], Array("Mien".utf8))
      + element([0x57, 0x41], Array("Mien".utf8))
    return element([0x1A, 0x45, 0xDF, 0xA3], element([0x42, 0x82], Array("webm".utf8)))
      + element(
        [0x18, 0x53, 0x80, 0x67],
        element([0x15, 0x49, 0xA9, 0x66], info)
          + element([0x16, 0x54, 0xAE, 0x6B], element([0xAE], track))
          + element([0x1F, 0x43, 0xB6, 0x75], element([0xE7], [0]) + blocks))
  }

  private static func block(_ frame: [UInt8], at time: Int, isKey: Bool) -> [UInt8] {
    element(
      [0xA3], [0x81, UInt8(time >> 8), UInt8(time & 0xFF), isKey ? 0x80 : 0] + frame)
  }

  /// One EBML element, its size in eight bytes.
  private static func element(_ id: [UInt8], _ content: [UInt8]) -> [UInt8] {
    let size = (0..<7).reversed().map { UInt8(truncatingIfNeeded: content.count >> ($0 * 8)) }
    return id + [0x01] + size + content
  }
}
