import Faces
import Pixels
import Retouch
import Support
import Vision

/// The photograph's head, enlarged three times, with the mesh that Vision finds on it.
struct EnlargedFace {
  static let crop = (left: 150, top: 36, right: 300, bottom: 200)
  static let width = 450
  static let height = 492

  let picture: OwnedPicture
  let face: Face
  /// Pixels wholly inside the mask.
  let skin: [Int]
  /// Whether a pixel lies in an eye, a brow or the lips.
  let features: [Bool]
  /// Pixels within 9 of a feature, but not in it.
  let band: [Int]

  /// Found once; nothing writes to its picture.
  nonisolated(unsafe) static let shared = Result { try EnlargedFace() }

  private init() throws {
    picture = try Self.load(.rgb)
    guard let face = try FaceFinder.faces(in: picture).first,
      face.landmarks.count >= Face.landmarkCount
    else {
      throw MissingFace()
    }
    self.face = face
    let mask = OwnedPicture(
      format: .gray8, width: Self.width, height: Self.height,
      colorimetry: Colorimetry(matrix: .bt709, isFullRange: true))
    var look = RetouchSettings()
    look.showsMask = true
    look.skinAdapt = 0
    SkinRetouch().treat(mask, [face], look)
    let weights = Samples(mask, 0).values
    skin = weights.indices.filter { weights[$0] >= 254 }
    let rings = MeshIndex.features.map { ring in
      ring.map {
        Point(
          x: Double(face.landmarks[$0].x) * Double(Self.width),
          y: Double(face.landmarks[$0].y) * Double(Self.height))
      }
    }
    features = pixels(inside: rings, width: Self.width, height: Self.height)
    band = Support.band(
      round: features, width: Self.width, height: Self.height, distance: 9)
  }

  static func load(_ format: PixelFormat) throws -> OwnedPicture {
    try Photograph.load(
      format, crop: (crop.left, crop.top, crop.right, crop.bottom), width: width, height: height)
  }

  /// The picture with pores of 4 codes and sixty dark blemishes on the skin.
  func blemished() -> OwnedPicture {
    var marks = Samples.pores(width: Self.width, height: Self.height)
    for index in marks.values.indices { marks.values[index] *= 4 }
    for number in 0..<60 {
      func random(_ seed: Int) -> Double { (grain(number, 1, seed) + 1) / 2 }
      let place = skin[min(Int(random(1) * Double(skin.count)), skin.count - 1)]
      let (x, y) = (place % Self.width, place / Self.width)
      let radius = 2 + 2 * random(2)
      let depth = 8 + 14 * random(3)
      for (v, u) in product(
        max(0, y - 8)...min(Self.height - 1, y + 8), max(0, x - 8)...min(Self.width - 1, x + 8))
      {
        let distance = Double((u - x) * (u - x) + (v - y) * (v - y)) / (radius * radius)
        if distance < 4 {
          marks.values[v * Self.width + u] -= Float(
            depth * (1 - distance / 4) * (1 - distance / 4))
        }
      }
    }
    let result = OwnedPicture(
      format: .rgb, width: Self.width, height: Self.height, colorimetry: .rgb)
    for component in 0..<3 {
      var samples = Samples(picture, component)
      for index in samples.values.indices { samples.values[index] += marks.values[index] }
      samples.write(to: result, component)
    }
    return result
  }

  struct MissingFace: Error {}
}
