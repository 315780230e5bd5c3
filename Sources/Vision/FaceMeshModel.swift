import Faces
package import Inference
package import Pixels
import Threads

/// Measures the 468 points of a face with MediaPipe's face_landmark network, which reads 192 x 192
/// samples of a region of any size. One thread at a time may use it.
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

  /// Measures the face in `region` and writes its points to `mesh`, both in pixels of the upright
  /// picture.
  ///
  /// Returns the probability of a face; at 0.5 or below there is none, and `mesh` is unchanged.
  package func measure(
    _ picture: borrowing Picture, orientation: Orientation = .up, region: Region,
    into mesh: inout Mesh
  ) throws(ModelError) -> Double {
    try Self.measure(networks.first, picture, orientation, region, into: &mesh)
  }

  /// The same for several regions in parallel; the mesh is nil where there is no face, and the
  /// element is nil for regions that were skipped because `interruption` was set.
  func measure(
    _ picture: borrowing Picture, orientation: Orientation, regions: [Region],
    unless interruption: Interruption
  ) throws(ModelError) -> [(probability: Double, mesh: Mesh?)?] {
    try networks.map(regions.count, unless: interruption) { (number, network) throws(ModelError) in
      var mesh = Mesh.empty
      let probability = try Self.measure(
        network, picture, orientation, regions[number], into: &mesh)
      return (probability, probability > 0.5 ? mesh : nil)
    }
  }

  private static func measure(
    _ network: RegionNetwork, _ picture: borrowing Picture, _ orientation: Orientation,
    _ region: Region, into mesh: inout Mesh
  ) throws(ModelError) -> Double {
    guard region.isUsable else { return 0 }
    let toUpright = region.map(from: network.side)
    try network.run(on: picture, orientation, toUpright, border: .replicate)
    let probability = logistic(Double(network.withOutput(1) { $0[0] }))
    guard probability > 0.5 else { return probability }
    let depth = region.width / Double(network.side)
    let isFinite = network.withOutput(0) { values in
      for index in 0..<Face.landmarkCount {
        let place = toUpright(Point(x: Double(values[3 * index]), y: Double(values[3 * index + 1])))
        let z = Double(values[3 * index + 2]) * depth
        guard place.x.isFinite, place.y.isFinite, z.isFinite else { return false }
        mesh.points[index] = Point3(x: place.x, y: place.y, z: z)
      }
      return true
    }
    return isFinite ? probability : 0
  }
}
