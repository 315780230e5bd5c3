import Faces
import Pixels
import Retouch
import Support
import Threads

/// A drawn face: a mesh of 468 points whose features are ellipses, and a picture of it.
struct MadeFace {
  /// Centre and width of the face in pixels, and the frame's size.
  var center: Point
  var size: Double
  var width: Int
  var height: Int

  /// Half width and half height of the oval, of an eye, a brow and the lips, and their places,
  /// in face widths.
  static let oval = HeadMesh.ellipses[0]
  static let features = HeadMesh.ellipses.dropFirst()

  var landmarks: [Landmark] {
    HeadMesh.points(around: center, unit: Point(x: size, y: size)).map {
      Landmark(x: Float($0.x / Double(width)), y: Float($0.y / Double(height)), z: 0)
    }
  }

  private func share(_ place: Point) -> Point {
    Point(
      x: (center.x + place.x * size) / Double(width),
      y: (center.y + place.y * size) / Double(height))
  }

  /// What a tracker would say of it.
  func face(id: UInt32 = 1, mesh: Bool = true, keypoints: Bool = true) -> Face {
    let corner = share(Point(x: -0.5, y: -0.65))
    let end = share(Point(x: 0.5, y: 0.65))
    return Face(
      id: id, confidence: 0.9,
      box: Rectangle(x: corner.x, y: corner.y, width: end.x - corner.x, height: end.y - corner.y),
      keypoints: keypoints
        ? [
          share(Point(x: -0.21, y: -0.12)), share(Point(x: 0.21, y: -0.12)),
          share(Point(x: 0, y: 0.1)), share(Point(x: 0, y: 0.34)),
          share(Point(x: -0.5, y: 0)), share(Point(x: 0.5, y: 0)),
        ] : [],
      landmarks: mesh ? landmarks : [])
  }

  /// Whether a pixel lies inside an eye, a brow or the lips.
  func isFeature(_ x: Int, _ y: Int) -> Bool {
    Self.features.contains { feature in
      let dx = (Double(x) + 0.5 - center.x) / size - feature.place.x
      let dy = (Double(y) + 0.5 - center.y) / size - feature.place.y
      let a = dx / feature.x
      let b = dy / feature.y
      return a * a + b * b < 0.95
    }
  }

  /// Whether a pixel lies inside the oval.
  func isInside(_ x: Int, _ y: Int, shrink: Double = 1) -> Bool {
    let a = (Double(x) + 0.5 - center.x) / size / (Self.oval.x * shrink)
    let b = (Double(y) + 0.5 - center.y) / size / (Self.oval.y * shrink)
    return a * a + b * b < 1
  }
}

/// Colours as functions of the place, for drawing into pictures of any format.
typealias Paint = (_ x: Int, _ y: Int) -> (r: Double, g: Double, b: Double)

extension OwnedPicture {
  /// Draws `paint`, 0...255, into the colour samples; alpha and unused bytes get a pattern.
  func draw(_ paint: Paint) {
    let format = format
    let colorimetry = colorimetry
    withPicture { picture in
      picture.fillBytes { x, y in UInt8(truncatingIfNeeded: x &* 7 &+ y &* 13) }
      for component in 0..<(format.family == .gray ? 1 : 3) {
        let place = format.layout[component]
        picture.component(component).fill { x, y in
          let (r, g, b) = paint(x << place.hShift, y << place.vShift)
          let value: Float
          if format.family == .rgb {
            value = Float(component == 0 ? r : component == 1 ? g : b)
          } else {
            let codes = colorimetry.ycc(r: Float(r), g: Float(g), b: Float(b))
            value = component == 0 ? codes.y : component == 1 ? codes.cb : codes.cr
          }
          return UInt8(min(max(value.rounded(), 0), 255))
        }
      }
    }
  }

}

/// A number from -1 to 1 that belongs to a place: the same in every run.
func grain(_ x: Int, _ y: Int, _ seed: Int = 0) -> Double {
  var hash = UInt64(truncatingIfNeeded: x &* 73_856_093 ^ y &* 19_349_663 ^ seed &* 83_492_791)
  hash = (hash ^ (hash >> 31)) &* 0x9E37_79B9_7F4A_7C15
  hash = (hash ^ (hash >> 29)) &* 0xBF58_476D_1CE4_E5B9
  return Double((hash >> 40) & 0xFFFF) / 32767.5 - 1
}

/// Skin with pores and a soft shading, in a tone.
func skin(
  _ tone: (r: Double, g: Double, b: Double), grain depth: Double, seed: Int = 0
) -> Paint {
  { x, y in
    // Pores about two pixels wide, as strong against the tone on dark skin as on light.
    let pores = (grain(x / 2, y / 2, seed) + grain((x + 1) / 2, (y + 1) / 2, seed + 1)) * depth
    let shade = 1 + 0.0006 * Double(x) - 0.0004 * Double(y) + pores / 100
    return (tone.r * shade, tone.g * shade, tone.b * shade)
  }
}

extension SkinRetouch {
  /// Whether a frame with these faces passes as it is; then it has been skipped.
  func passes(_ faces: [Face], _ settings: RetouchSettings) -> Bool {
    guard !needsWork(on: faces, settings) else { return false }
    skip(settings)
    return true
  }

  /// Treats a picture on the calling thread.
  func treat(
    _ picture: OwnedPicture, _ faces: [Face], _ settings: RetouchSettings,
    runner: any SliceRunner = SerialRunner()
  ) {
    picture.withPicture {
      process($0, faces: faces, settings: settings, elapsed: 1.0 / 30, runner: runner)
    }
  }
}
