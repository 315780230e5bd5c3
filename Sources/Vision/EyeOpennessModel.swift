import Faces
package import Inference
import Pixels
import Threads

/// Measures the openness of an eye with MediaPipe's iris_landmark network, which tracks eyelids
/// more closely than the face mesh does.
///
/// One thread at a time may use it.
package final class EyeOpennessModel {
  /// Of the mediapipe 0.10.14 wheel.
  package static let fileName = "iris_landmark.tflite"

  /// The points of the eye contour by their index in the network's first output, for an eye at the
  /// image's left.
  private static let opening = MeshIndex.Opening(corners: (0, 8), upper: (11, 13), lower: (3, 5))

  /// An eye to measure: the mesh of its face, and whether it is the image's left one.
  struct Eye {
    var mesh: Mesh
    var isLeft: Bool
  }

  private let networks: RegionNetworkPool

  /// Wraps the network; throws unless its tensors are this model's.
  package init(_ graph: Graph) throws(ModelError) {
    networks = RegionNetworkPool(
      try RegionNetwork(
        graph, side: 64, range: 0...1,
        // The eye contour, and the iris, which is not used.
        outputs: [[1, 213], [1, 15]], used: 1))
  }

  /// The aspect ratios, height over width, of the openings of `eyes`, measured in parallel; nil where
  /// an eye cannot be read, and for eyes that were skipped because `cancellation` was set.
  ///
  /// The region is MediaPipe's (iris_landmark_landmarks_to_roi.pbtxt): a square round both corners,
  /// level with them, 2.3 times as wide as their distance. The network knows eyes at the image's
  /// left; the other eye is mirrored.
  func aspects(
    _ picture: borrowing Picture, orientation: Orientation, eyes: [Eye], gain: Float = 1,
    unless cancellation: CancellationFlag
  ) throws(ModelError) -> [Double?] {
    try networks.map(eyes.count, unless: cancellation) { (number, network) throws(ModelError) in
      try Self.aspect(network, picture, orientation, eyes[number], gain)
    }.map { $0 ?? nil }
  }

  private static func aspect(
    _ network: RegionNetwork, _ picture: borrowing Picture, _ orientation: Orientation, _ eye: Eye,
    _ gain: Float
  ) throws(ModelError) -> Double? {
    let (mesh, isLeft) = (eye.mesh, eye.isLeft)
    let corners = (isLeft ? MeshIndex.leftOpening : MeshIndex.rightOpening).corners
    let (a, b) = (mesh[corners.left].xy, mesh[corners.right].xy)
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
    try network.run(on: picture, orientation, map, border: .replicate, gain: gain)
    let aspect = network.withOutput(0) { points in
      opening.aspectRatio {
        Point3(
          x: Double(points[3 * $0]), y: Double(points[3 * $0 + 1]), z: Double(points[3 * $0 + 2]))
      }
    }
    return aspect.flatMap { $0.isFinite ? $0 : nil }
  }
}
