import Faces
import Files
import Inference
import Pixels
import Reshaping
import Support
import Threads

@testable import Vision

/// A real portrait, the face that Vision finds on it, and what becomes of both.
struct ReshapedPortrait {
  let picture: OwnedPicture
  let face: Face
  /// Where the mesh is measured, reshaped or not: the detector's box changes with the face's shape.
  private let region: Region

  init(_ portrait: Portrait) throws { try self.init(portrait.load()) }

  init(_ picture: OwnedPicture) throws {
    self.picture = picture
    guard var face = try FaceFinder.faces(in: picture, mesh: .points468).first,
      face.landmarks.count == Face.landmarkCount
    else {
      throw MissingFace()
    }
    region = try Self.detectedRegion(picture)
    let points = try Self.meanPoints(picture, in: region)
    for (index, point) in points.enumerated() {
      face.landmarks[index].x = Float(point.x / Double(picture.width))
      face.landmarks[index].y = Float(point.y / Double(picture.height))
    }
    self.face = face
  }

  struct MissingFace: Error {}

  /// Copies over which the network's noise is averaged.
  private static let copies = 5

  private static func detectedRegion(_ picture: OwnedPicture) throws -> Region {
    let model = try ONNXModel(path: FilePath(Photograph.models + "/" + YuNet.fileName))
    let detector = try YuNet(model, width: 320, height: 320)
    let detections = try picture.withPicture {
      (picture: borrowing Picture) throws(ModelError) in
      try detector.detect(in: picture, minScore: 0.6)
    }
    guard let first = detections.first else { throw MissingFace() }
    return Region(first)
  }

  /// The picture reshaped, and the mesh's points where they are said to have gone, in pixels.
  func reshaped(_ settings: ReshapeSettings) -> (picture: OwnedPicture, moved: [Point]) {
    let result = picture.copy()
    let reshaper = FaceReshaper.ready([face], settings, picture.video)
    result.withPicture { reshaper.process($0, runner: SerialRunner()) }
    return (result, points(face).map { reshaper.displaced($0) })
  }

  /// The mesh's points in a picture, on average over copies of it that are moved by some pixels.
  ///
  /// What the network finds differs by 0.6 to 2 % of the eyes' distance from one such copy to the next.
  func meanPoints(_ picture: OwnedPicture) throws -> [Point] {
    try Self.meanPoints(picture, in: region)
  }

  private static func meanPoints(_ picture: OwnedPicture, in region: Region) throws -> [Point] {
    var sums = [Point](repeating: .zero, count: Face.landmarkCount)
    let mesh = try FaceMeshModel(
      Graph(
        path: FilePath(Photograph.models + "/" + FaceMeshModel.Kind.points468.fileName)))
    for copy in 0..<copies {
      let (dx, dy) = (copy * 7 % 19, copy * 11 % 17)
      let shifted = OwnedPicture(picture.video)
      picture.withPicture { source in
        shifted.withPicture { target in
          let (from, to) = (source.plane(0), target.plane(0))
          for y in 0..<to.height {
            let (a, b) = (from.row(min(y + dy, from.height - 1)), to.row(y))
            b.copy(a)
            b[..<(b.count - 3 * dx)].copy(a[(3 * dx)...])
          }
        }
      }
      var place = region
      place.center = place.center - Point(x: Double(dx), y: Double(dy))
      let found = try shifted.withPicture {
        (picture: borrowing Picture) throws(ModelError) in
        try mesh.measure(
          picture, orientation: .up, regions: [place], unless: CancellationFlag())
      }
      guard let points = found[0]?.mesh?.points else { throw MissingFace() }
      for index in sums.indices {
        sums[index] =
          sums[index] + Point(x: points[index].x, y: points[index].y)
          + Point(x: Double(dx), y: Double(dy))
      }
    }
    return sums.map { $0 * (1 / Double(copies)) }
  }

  /// The points of a mesh in pixels.
  func points(_ face: Face) -> [Point] {
    face.landmarks.map { $0.inPixels(Double(picture.width), Double(picture.height)) }
  }

  /// Distance of the pupils in pixels.
  var eyeDistance: Double {
    let points = points(face)
    func mean(_ indices: [Int]) -> Point {
      indices.reduce(Point.zero) { $0 + points[$1] } * (1 / Double(indices.count))
    }
    return (mean(MeshIndex.rightEye) - mean(MeshIndex.leftEye)).length
  }

  /// Width between the angles of the jaw.
  static func jawWidth(_ points: [Point]) -> Double { (points[172] - points[397]).length }
}

extension ReshapeSettings {
  /// Settings with one of them changed.
  static func with(_ change: (inout ReshapeSettings) -> Void) -> ReshapeSettings {
    var settings = ReshapeSettings()
    change(&settings)
    return settings
  }
}
