import CGStreamer
import Faces
import Pixels
import Support
import Testing

#if canImport(Glibc)
  import Glibc
#endif

/// Where version 1 packs land on the photograph, with the faces that `facedetect` finds there.
@Suite(.timeLimit(.minutes(20))) struct StickerLandingTests {
  struct View: Sendable, CustomStringConvertible {
    let turn: String
    let size: Int
    var description: String { "\(turn.isEmpty ? "upright" : turn), \(size) pixels" }
  }

  static let views = ["", "rotate angle=0.5235988 !", "videoflip video-direction=horiz !"].flatMap {
    turn in [420, 640, 1000].map { View(turn: turn, size: $0) }
  }

  /// One item of a version 1 pack, and the mesh points that its three indices stand for.
  struct Item {
    let indices: String
    let mesh: (first: Int, centre: Int, last: Int)
    let scaleWidth: Double
    let offsetY: Double
    let width: Int
    let height: Int
  }

  static let halo = Item(
    indices: "1, 46, 8", mesh: (133, 168, 362), scaleWidth: 3.5, offsetY: 2, width: 351,
    height: 159)
  static let blush = Item(
    indices: "56, 48, 55", mesh: (209, 5, 429), scaleWidth: 1.5, offsetY: 0, width: 182,
    height: 44)
  private static let leftEye = [
    33, 7, 163, 144, 145, 153, 154, 155, 133, 246, 161, 160, 159, 158, 157, 173,
  ]
  private static let rightEye = [
    263, 249, 390, 373, 374, 380, 381, 382, 362, 466, 388, 387, 386, 385, 384, 398,
  ]

  /// Centre, width and height of a box, and how far it is turned clockwise.
  private struct Box {
    var centre: Point
    var width: Double
    var height: Double
    var degrees: Double
  }

  /// Writes the pack of one item, one picture of one colour, and returns its folder.
  private func pack(_ item: Item, _ color: UInt32) throws -> StickerFolder {
    let folder = StickerFolder()
    mkdir(folder.path + "/item", 0o755)
    try folder.paint("item/0.png", color, width: item.width, height: item.height)
    folder.write(
      "meta.json",
      Array(
        """
        {"version": 1, "name": "made", "preview": "item/0.png", "items": [{"type": 0,
          "scaleWidth": \(item.scaleWidth), "offsetX": 0, "offsetY": \(item.offsetY),
          "alignIndexes": [\(item.indices)], "folder": "item", "frames": 1,
          "frameDuration": 100, "width": \(item.width), "height": \(item.height),
          "triggerType": 1}]}
        """.utf8))
    return folder
  }

  /// What the pack's rules say for a face of these landmarks, in pixels.
  private func due(_ item: Item, _ landmarks: [Point]) -> Box {
    func mean(_ indices: [Int]) -> Point {
      indices.reduce(Point(x: 0, y: 0)) { $0 + landmarks[$1] } * (1 / Double(indices.count))
    }
    let across = mean(Self.rightEye) - mean(Self.leftEye)
    let unit = across.length
    let up = Point(x: across.y, y: -across.x)
    let width =
      (landmarks[item.mesh.first] - landmarks[item.mesh.last]).length + item.scaleWidth * unit
    return Box(
      centre: landmarks[item.mesh.centre] + up * item.offsetY, width: width,
      height: width * Double(item.height) / Double(item.width),
      degrees: atan2(across.y, across.x) * 180 / .pi)
  }

  /// The box by its moments, from how much of each pixel it covers: what white and black ones
  /// in the same place differ by.
  private func drawn(_ white: CapturedFrame, _ black: CapturedFrame, size: Int) -> Box {
    var (sum, sx, sy, sxx, sxy, syy) = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    for (y, x) in product(0..<size, 0..<size) {
      let w = Double(white.bytes[y * size + x]) - Double(black.bytes[y * size + x])
      guard w != 0 else { continue }
      let (px, py) = (Double(x) + 0.5, Double(y) + 0.5)
      sum += w
      sx += w * px
      sy += w * py
      sxx += w * px * px
      sxy += w * px * py
      syy += w * py * py
    }
    let (mx, my) = (sx / sum, sy / sum)
    let (a, b, c) = (sxx / sum - mx * mx, sxy / sum - mx * my, syy / sum - my * my)
    let spread = ((a - c) * (a - c) / 4 + b * b).squareRoot()
    return Box(
      centre: Point(x: mx, y: my), width: (12 * ((a + c) / 2 + spread)).squareRoot(),
      height: (12 * ((a + c) / 2 - spread)).squareRoot(),
      degrees: atan2(2 * b, a - c) / 2 * 180 / .pi)
  }

  @Test(arguments: views)
  func version1ItemsLandOnTheLandmarksOfThePhotograph(view: View) throws {
    #expect(Registered.now)
    let items = [Self.halo, Self.blush]
    // Room round the photograph, so that a halo is seen whole and turning cuts nothing off.
    var text =
      "filesrc location=\(Photograph.path) ! pngdec ! videoconvert ! video/x-raw,format=AYUV"
      + " ! videobox left=-128 right=-128 top=-128 bottom=-128 ! \(view.turn) videoscale"
      + " ! video/x-raw,width=\(view.size),height=\(view.size) ! videoconvert"
      + " ! video/x-raw,format=GRAY8 ! videoconvert ! video/x-raw,format=I420"
      + " ! facedetect updates=none ! tee name=t"
    var folders: [StickerFolder] = []
    for (index, item) in items.enumerated() {
      for (name, color) in [("white", 0xFFFF_FFFF as UInt32), ("black", 0xFF00_0000)] {
        let folder = try pack(item, color)
        folders.append(folder)
        text +=
          " t. ! queue ! sticker location=\(folder.path) ! fakesink name=\(name)\(index)"
      }
    }
    let pipeline = try Pipeline(text)
    var frames: [String: CapturedFrame] = [:]
    let lock = Lock()
    for index in items.indices {
      for name in ["white\(index)", "black\(index)"] {
        try pipeline.watch(name) { buffer in
          let frame = CapturedFrame(buffer)
          lock.holding { frames[name] = frame }
        }
      }
    }
    try pipeline.run()
    for (index, item) in items.enumerated() {
      let white = try #require(frames["white\(index)"])
      let black = try #require(frames["black\(index)"])
      let face = try #require(white.faces.first)
      #expect(white.faces.count == 1 && face.landmarks.count == 478)
      let size = Double(view.size)
      let due = due(item, face.landmarks.map { Point(x: $0.x * size, y: $0.y * size) })
      let drawn = drawn(white, black, size: view.size)
      #expect((drawn.centre - due.centre).length < 1, "\(drawn) \(due)")
      #expect(abs(drawn.width - due.width) < 1, "\(drawn) \(due)")
      #expect(abs(drawn.height - due.height) < 1, "\(drawn) \(due)")
      #expect(abs(drawn.degrees - due.degrees) < 0.5, "\(drawn) \(due)")
      if view.turn.hasPrefix("rotate") { #expect(abs(due.degrees) > 25, "\(due)") }
    }
  }
}

/// Keeps what several streaming threads write in order.
private final class Lock: @unchecked Sendable {
  private let mutex = UnsafeMutablePointer<GMutex>.allocate(capacity: 1)

  init() { g_mutex_init(mutex) }

  deinit {
    g_mutex_clear(mutex)
    mutex.deallocate()
  }

  func holding(_ body: () -> Void) {
    g_mutex_lock(mutex)
    defer { g_mutex_unlock(mutex) }
    body()
  }
}
