import CGStreamer
import Pixels
import Support

/// The frames of one run of an element, `beautifymask` unless another is named, as they came and as
/// they left.
struct Retouched {
  var before: [CapturedFrame] = []
  var after: [CapturedFrame] = []
  var warnings: [String] = []

  /// Runs `source` and then the element with `properties`; `attach` puts metadata on each
  /// frame, which is given with its number.
  init(
    _ source: String, _ properties: String = "", by element: String = "beautifymask",
    attach: ((UnsafeMutablePointer<GstBuffer>, Int) -> Void)? = nil
  ) throws {
    precondition(Registered.now)
    let pipeline = try Pipeline(
      "\(source) ! identity name=before ! \(element) name=b \(properties) ! fakesink name=sink")
    var before: [CapturedFrame] = []
    var after: [CapturedFrame] = []
    try pipeline.watch("before", pad: "src") { buffer in
      attach?(buffer, before.count)
      before.append(CapturedFrame(buffer))
    }
    try pipeline.watch("sink") { after.append(CapturedFrame($0)) }
    try pipeline.run()
    self.before = before
    self.after = after
    warnings = pipeline.warnings
  }

  /// Skin-coloured noise of the given size.
  static func noise(
    _ format: PixelFormat, width: Int, height: Int, count: Int = 1
  ) -> String {
    "videotestsrc pattern=snow num-buffers=\(count) ! videobalance contrast=0.3 brightness=0.2"
      + " ! videoconvert ! video/x-raw,format=\(format.rawValue),width=\(width),height=\(height)"
  }

  /// Sum of the absolute differences of a frame's bytes.
  func change(_ index: Int) -> Int {
    zip(before[index].bytes, after[index].bytes).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }
  }

  /// How many samples of a frame changed inside a rectangle of shares of the frame, and outside.
  func changes(
    _ index: Int, _ format: PixelFormat, width: Int, height: Int, within box: Rectangle
  ) -> (inside: Int, outside: Int) {
    let pictures = [before[index], after[index]].map { frame in
      let picture = OwnedPicture(
        format: format, width: width, height: height,
        colorimetry: format.colorimetry(.bt601))
      picture.fill(tightlyFrom: frame.bytes)
      return picture
    }
    var inside = 0
    var outside = 0
    for index in format.layout.components.indices {
      let (a, b) = (pictures[0].rows(index), pictures[1].rows(index))
      for (y, x) in product(a.indices, a[0].indices) where a[y][x] != b[y][x] {
        let place = Point(
          x: (Double(x) + 0.5) / Double(a[y].count), y: (Double(y) + 0.5) / Double(a.count))
        let isInside =
          place.x > box.x && place.x < box.maxX && place.y > box.y && place.y < box.maxY
        if isInside { inside += 1 } else { outside += 1 }
      }
    }
    return (inside, outside)
  }
}
