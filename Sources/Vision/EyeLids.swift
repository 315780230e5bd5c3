import Faces
package import Inference
package import Pixels
import Threads

/// Measures how far an eye is open with MediaPipe's iris_landmark network, which follows eyelids
/// more closely than the face mesh does; not for two threads at once.
package final class EyeLids {
  /// Of the mediapipe 0.10.14 wheel.
  package static let fileName = "iris_landmark.tflite"

  /// The points round the eye by their numbers in the network's first output, whose eye is that at
  /// the image's left.
  private static let opening = MeshIndex.Opening(corners: (0, 8), upper: (11, 13), lower: (3, 5))

  /// An eye to look at: of which face, and whether the image's left one.
  struct Eye {
    var mesh: Mesh
    var isLeft: Bool
  }

  private let networks: RegionNetworkPool

  /// Takes the loaded network; refuses one whose tensors are not this model's.
  package init(_ graph: Graph) throws(ModelError) {
    networks = RegionNetworkPool(
      try RegionNetwork(
        graph, side: 64, range: 0...1,
        // Points round the eye, and those of the iris, which are not used.
        outputs: [[1, 213], [1, 15]], used: 1))
  }

  /// Height over width of the opening of one eye of `mesh`, the image's left or right one; nil
  /// where it cannot be read.
  ///
  /// The region is MediaPipe's (iris_landmark_landmarks_to_roi.pbtxt): both corners, level, square,
  /// 2.3 times their distance. The network knows eyes at the image's left; the other is mirrored.
  package func aspect(
    _ picture: borrowing Picture, orientation: Orientation = .up, mesh: Mesh, isLeft: Bool
  ) throws(ModelError) -> Double? {
    try Self.aspect(networks.first, picture, orientation, Eye(mesh: mesh, isLeft: isLeft))
  }

  /// The same for several eyes, on as many threads as the network has; nil also for those that were
  /// left out once `interruption` was set.
  func aspects(
    _ picture: borrowing Picture, orientation: Orientation, eyes: [Eye],
    unless interruption: CancellationFlag
  ) throws(ModelError) -> [Double?] {
    try networks.map(eyes.count, unless: interruption) { (number, network) throws(ModelError) in
      try Self.aspect(network, picture, orientation, eyes[number])
    }.map { $0 ?? nil }
  }

  private static func aspect(
    _ network: RegionNetwork, _ picture: borrowing Picture, _ orientation: Orientation, _ eye: Eye
  ) throws(ModelError) -> Double? {
    let (mesh, isLeft) = (eye.mesh, eye.isLeft)
    let corners = (isLeft ? MeshIndex.leftOpening : MeshIndex.rightOpening).corners
    let (a, b) = (mesh[corners.left].flat, mesh[corners.right].flat)
    let box = Rectangle(
      x: min(a.x, b.x), y: min(a.y, b.y), width: abs(b.x - a.x), height: abs(b.y - a.y))
    var region = Region(face: box, from: a, to: b)
    region.width *= 2.3 / 1.5
    region.height = region.width
    guard region.isUsable else { return nil }
    var map = region.map(from: network.side)
    if !isLeft {
      map = Affine(a: -1, b: 0, c: 0, d: 1, tx: Double(network.side - 1), ty: 0).then(map)
    }
    try network.look(at: picture, orientation, map, border: .replicate)
    let aspect = network.withOutput(0) { points in
      opening.aspect {
        Point3(
          x: Double(points[3 * $0]), y: Double(points[3 * $0 + 1]), z: Double(points[3 * $0 + 2]))
      }
    }
    return aspect.flatMap { $0.isFinite ? $0 : nil }
  }
}
