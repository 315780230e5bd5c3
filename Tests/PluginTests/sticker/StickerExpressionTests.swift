import Faces
import Pixels
import Support
import Testing

#if canImport(Glibc)
  import Glibc
#endif

/// Triggers on faces that pull faces, from the detector to the picture.
@Suite(.timeLimit(.minutes(20))) struct StickerExpressionTests {
  private static let size = 512
  /// How long each face is shown, in frames of a tenth of a second: longer than a round of any
  /// sticker that is played to its end.
  private static let shown = 9

  /// A film of the photograph with these expressions, as a source of RGB.
  private func film(_ changes: [Grimace.Change], in folder: ScratchFolder) throws -> String {
    let found = try Registered.frames(
      Registered.photograph() + " ! facedetect updates=none ! fakesink name=sink")
    let size = Double(Self.size)
    let face = try #require(found.first?.faces.first)
    let grimace = Grimace(
      try Photograph.load(.rgb), face.landmarks.map { Point(x: $0.x * size, y: $0.y * size) })
    var pictures: [Int: [UInt8]] = [:]
    var bytes: [UInt8] = []
    for change in changes {
      let picture =
        pictures[change.rawValue]
        ?? grimace.picture(change).withPicture { picture in
          (0..<picture.height).flatMap { y in
            Array(picture.plane(0).row(y))
          }
        }
      pictures[change.rawValue] = picture
      for _ in 0..<Self.shown { bytes += picture }
    }
    let file = folder.write("film.rgb", bytes)
    return "filesrc location=\(file) blocksize=\(3 * Self.size * Self.size)"
      + " ! rawvideoparse format=rgb width=\(Self.size) height=\(Self.size) framerate=10/1"
  }

  private static let soberEyesShut: Grimace.Change = [.sober, .leftEyeShut, .rightEyeShut]
  private static let changes: [Grimace.Change] = [
    .sober, [.sober, .mouthOpen], .sober, soberEyesShut, .sober, [], .sober,
  ]

  /// Three squares at the edges of the frame, one for each expression.
  private func squares() throws -> StickerFolder {
    let folder = StickerFolder()
    try folder.paint("red.png", 0xFFFF_0000)
    let items = [("mouth-open", "left"), ("smile", "right"), ("blink", "bottom")].map {
      """
      {"type": 1, "anchor": "\($0.1)", "trigger": "\($0.0)", "file": "red.png",
       "scaleWidth": 0.06, "width": 32, "height": 32}
      """
    }
    folder.write(
      "meta.json",
      Array(
        """
        {"version": 2, "name": "squares", "preview": "red.png",
         "items": [\(items.joined(separator: ","))]}
        """.utf8))
    return folder
  }

  private func pixel(_ frame: CapturedFrame, _ x: Int, _ y: Int) -> [UInt8] {
    let at = (y * Self.size + x) * 3
    return Array(frame.bytes[at..<at + 3])
  }

  @Test func eachExpressionShowsItsOwnSticker() throws {
    let scratch = ScratchFolder()
    let pack = try squares()
    let frames = try Registered.frames(
      try film(Self.changes, in: scratch) + " ! facedetect updates=none"
        + " ! sticker location=\(pack.path) ! fakesink name=sink")
    #expect(frames.count == Self.changes.count * Self.shown)
    for (index, change) in Self.changes.enumerated() {
      // The last two frames of each: by then all that is smoothed or played out has settled.
      for frame in frames[(index + 1) * Self.shown - 2..<(index + 1) * Self.shown] {
        func isShown(_ x: Int, _ y: Int) -> Bool { pixel(frame, x, y) == [255, 0, 0] }
        let what = "\(index): \(change)"
        #expect(isShown(10, 256) == change.contains(.mouthOpen), "mouth, \(what)")
        #expect(isShown(501, 256) == !change.contains(.sober), "smile, \(what)")
        #expect(isShown(256, 501) == change.contains(.leftEyeShut), "blink, \(what)")
      }
    }
  }

  @Test func theDogsTongueIsOutWhileTheMouthIsOpen() throws {
    let scratch = ScratchFolder()
    let film = try film([.sober, [.sober, .mouthOpen], .sober], in: scratch)
    let plain = try Registered.frames(film + " ! fakesink name=sink")
    let worn = try Registered.frames(
      film + " ! facedetect updates=none ! sticker location=\(StickerScene.pack("dog"))"
        + " ! fakesink name=sink")
    for (index, isOpen) in [false, true, false].enumerated() {
      let at = (index + 1) * Self.shown - 1
      let face = try #require(worn[at].faces.first)
      let size = Double(Self.size)
      let mouth = (face.landmarks[13] + face.landmarks[14]) * (size / 2)
      let eyes = (face.keypoints[1] - face.keypoints[0]) * size
      // Half an eye distance below the lips, along the face.
      let x = Int(mouth.x - 0.5 * eyes.y)
      let y = Int(mouth.y + 0.5 * eyes.x)
      let (before, after) = (pixel(plain[at], x, y), pixel(worn[at], x, y))
      #expect((before != after) == isOpen, "\(index): \(before) \(after)")
      // The ears are always there.
      #expect(worn[at].changes(from: plain[at]) > 12_000)
    }
  }

  @Test func heartsRiseOnASmileAlone() throws {
    let scratch = ScratchFolder()
    let film = try film([.sober, []], in: scratch)
    let plain = try Registered.frames(film + " ! fakesink name=sink")
    let worn = try Registered.frames(
      film + " ! facedetect updates=none ! sticker location=\(StickerScene.pack("hearts"))"
        + " ! fakesink name=sink")
    for at in 0..<Self.shown { #expect(worn[at].bytes == plain[at].bytes, "\(at)") }
    for at in [2 * Self.shown - 3, 2 * Self.shown - 1] {
      #expect(worn[at].changes(from: plain[at]) > 1000, "\(at)")
    }
  }
}
