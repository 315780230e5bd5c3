import CGStreamer
import Support
import Testing

/// Stickers lie behind the cover that a face's metadata has.
@Suite(.timeLimit(.minutes(20))) struct StickerCoverTests {
  /// A face of which the left of the frame is covered by `left`, 0...255; the map reaches beyond the
  /// frame.
  private static func face(left: UInt8, cells: UInt32 = 24, width: Double = 3) -> AttachedFace {
    var face = AttachedFace(x: 0.3, y: 0.3, width: 0.4, height: 0.4)
    face.counts = [("cover-width", cells), ("cover-height", 3)]
    face.numbers = [("cover-x", -1), ("cover-y", -1), ("cover-w", width), ("cover-h", 3)]
    face.bytes = [("cover", (0..<72).map { $0 % 24 < 12 ? left : 0 })]
    return face
  }

  /// The luma of the left and the right of a grey frame with a white sticker on this face.
  private static func luma(_ face: AttachedFace) throws -> (left: UInt8, right: UInt8) {
    let folder = StickerFolder()
    let picture = try folder.paint("white.png", 0xFFFF_FFFF)
    let onFace = try PushedFrames(
      "sticker location=\(picture) anchor=eyes scale=4", width: 128, height: 80)
    onFace.push([UInt8](repeating: 128, count: 128 * 80 * 3 / 2)) { buffer in
      buffer.describe(GST_VIDEO_FORMAT_I420, width: 128, height: 80)
      AttachedFace.attach([face], measuredOn: (128, 80), to: buffer)
    }
    let bytes = try #require(onFace.arrivals.first).bytes
    return (bytes[40 * 128 + 20], bytes[40 * 128 + 108])
  }

  @Test func paintLiesBehindTheCover() throws {
    let bare = try Self.luma(Self.face(left: 0))
    #expect(bare == (235, 235))
    let covered = try Self.luma(Self.face(left: 255))
    #expect(covered == (128, 235))
  }

  @Test func anInvalidCoverIsIgnored() throws {
    for face in [
      Self.face(left: 255, cells: 25), Self.face(left: 255, cells: 0),
      Self.face(left: 255, cells: .max),
      Self.face(left: 255, width: .nan), Self.face(left: 255, width: 0),
      Self.face(left: 255, width: 1e9),
    ] {
      #expect(try Self.luma(face) == (235, 235))
    }
  }
}
