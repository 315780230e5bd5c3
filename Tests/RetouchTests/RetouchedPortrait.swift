import Faces
import Pixels
import Retouch
import Support
import Vision

/// A real portrait with the mesh that Vision finds on it.
struct RetouchedPortrait {
  let picture: OwnedPicture
  let face: Face
  /// Luma as it was.
  let luma: Samples
  /// Pixels of a face in the frame of its oval: 1 at its sides, its top and its chin.
  let center, right, up: Point
  /// Width of the oval in pixels.
  let width: Double

  init(_ portrait: Portrait, mesh: MeshChoice = .auto) throws {
    picture = try portrait.load()
    guard let face = try FaceFinder.faces(in: picture, mesh: mesh).first,
      face.landmarks.count >= Face.landmarkCount
    else {
      throw EnlargedFace.MissingFace()
    }
    self.face = face
    luma = Samples.luma(picture)
    let (w, h) = (Double(picture.width), Double(picture.height))
    func place(_ index: Int) -> Point { face.landmarks[index].inPixels(w, h) }
    let axis = place(MeshIndex.hairline) - place(MeshIndex.chin)
    let side = place(MeshIndex.sides.right) - place(MeshIndex.sides.left)
    let length = (side.x * side.x + side.y * side.y).squareRoot()
    center = (place(MeshIndex.hairline) + place(MeshIndex.chin)) * 0.5
    up = axis * 0.5
    right = Point(x: -up.y, y: up.x) * (0.5 * length / up.length)
    width = length
  }

  /// Pixels from a place to another in the frame of the oval.
  func pixels(across: ClosedRange<Double>, up heights: ClosedRange<Double>) -> [Int] {
    let (uu, vv) = (right.x * right.x + right.y * right.y, up.x * up.x + up.y * up.y)
    var result: [Int] = []
    for (y, x) in product(0..<picture.height, 0..<picture.width) {
      let off = Point(x: Double(x) + 0.5, y: Double(y) + 0.5) - center
      let u = (off.x * right.x + off.y * right.y) / uu
      let v = (off.x * up.x + off.y * up.y) / vv
      if across.contains(u), heights.contains(v) { result.append(y * picture.width + x) }
    }
    return result
  }

  /// Luma as a preset leaves it, or another picture with this face.
  func treated(_ settings: RetouchSettings, _ picture: OwnedPicture? = nil) -> Samples {
    let result = (picture ?? self.picture).copy()
    SkinRetouch().treat(result, [face], settings)
    return Samples.luma(result)
  }

  /// The mask, 0...255.
  func mask(
    _ settings: RetouchSettings = RetouchSettings(), _ picture: OwnedPicture? = nil
  ) -> Samples {
    var settings = settings
    settings.showsMask = true
    let result = (picture ?? self.picture).copy()
    SkinRetouch().treat(result, [face], settings)
    return Samples(result, 0)
  }
}

extension RetouchSettings {
  /// The presets of the same names.
  static var natural: RetouchSettings {
    var settings = RetouchSettings()
    settings.intensity = 0.4
    settings.detail = 0.4
    settings.brightness = 0.08
    settings.evenSkin = 0.15
    return settings
  }

  static var strong: RetouchSettings {
    var settings = RetouchSettings()
    settings.intensity = 1
    settings.detail = 0
    settings.brightness = 0.25
    settings.evenSkin = 0.8
    return settings
  }
}
