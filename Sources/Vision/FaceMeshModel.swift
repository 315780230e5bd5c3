import Faces
package import Inference
import Pixels
import Threads

/// Measures the 468 points of a face with MediaPipe's face_landmark network, which reads 192 x 192
/// samples of a region of any size.
///
/// One thread at a time may use it.
package final class FaceMeshModel {
  /// Of the mediapipe 0.10.14 wheel.
  package static let fileName = "face_landmark.tflite"

  private let networks: RegionNetworkPool

  /// Wraps the network; throws unless its tensors are this model's.
  package init(_ graph: Graph) throws(ModelError) {
    networks = RegionNetworkPool(
      try RegionNetwork(
        graph, side: 192, range: 0...1,
        // The points, and the logit of a face.
        outputs: [[1, 1, 1, Face.landmarkCount * 3], [1, 1, 1, 1]]))
  }

  /// Measures the faces in `regions` in parallel; regions and meshes are in pixels of the upright
  /// picture.
  ///
  /// The mesh is nil where the probability of a face is at most 0.5, and the element is nil for regions
  /// that were skipped because `cancellation` was set.
  func measure(
    _ picture: borrowing Picture, orientation: Orientation, regions: [Region], gain: Float = 1,
    unless cancellation: CancellationFlag
  ) throws(ModelError) -> [(probability: Double, mesh: Mesh?)?] {
    try networks.map(regions.count, unless: cancellation) { (number, network) throws(ModelError) in
      let region = regions[number]
      guard region.isUsable else { return (0, nil) }
      let toUpright = region.map(from: network.side)
      try network.run(on: picture, orientation, toUpright, border: .replicate, gain: gain)
      let probability = logistic(Double(network.withOutput(1) { $0[0] }))
      guard probability > 0.5 else { return (probability, nil) }
      let depth = region.width / Double(network.side)
      let mesh = network.withOutput(0) { Self.mesh($0, toUpright, depth: depth) }
      return (mesh == nil ? 0 : probability, mesh)
    }
  }

  /// The mesh of an output, whose depths are multiplied by `depth`; nil unless all numbers are finite.
  private static func mesh(_ values: Span<Float>, _ toUpright: Affine, depth: Double) -> Mesh? {
    var mesh = Mesh.empty
    for index in 0..<Face.landmarkCount {
      let point = toUpright(Point(x: Double(values[3 * index]), y: Double(values[3 * index + 1])))
      let z = Double(values[3 * index + 2]) * depth
      guard point.x.isFinite, point.y.isFinite, z.isFinite else { return nil }
      mesh.points[index] = Point3(x: point.x, y: point.y, z: z)
    }
    return mesh
  }
}
