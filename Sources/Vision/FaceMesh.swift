import Faces
package import Inference
package import Pixels
import Threads

/// Measures 468 points of a face with MediaPipe's face_landmark network, which reads 192 x 192
/// samples of a region whatever its size; not for two threads at once.
package final class FaceMesh {
  /// Of the mediapipe 0.10.14 wheel.
  package static let fileName = "face_landmark.tflite"

  private let networks: RegionNetworkPool

  /// Takes the loaded network; refuses one whose tensors are not this model's.
  package init(_ graph: Graph) throws(ModelError) {
    networks = RegionNetworkPool(
      try RegionNetwork(
        graph, side: 192, range: 0...1,
        // The points, and how surely there is a face.
        outputs: [[1, 1, 1, Face.landmarkCount * 3], [1, 1, 1, 1]]))
  }

  /// Looks for a face in `region`, in pixels of the upright picture, and writes its points to
  /// `mesh`, in the same pixels.
  ///
  /// Returns how surely there is a face, 0...1; at 0.5 or below there is none and `mesh` keeps
  /// what it had.
  package func measure(
    _ picture: borrowing Picture, orientation: Orientation = .up, region: Region,
    into mesh: inout Mesh
  ) throws(ModelError) -> Double {
    try Self.measure(networks.first, picture, orientation, region, into: &mesh)
  }

  /// The same for several regions, on as many threads as the network has; without a mesh where there
  /// is no face, and nil for what was left out once `interruption` was set.
  func measure(
    _ picture: borrowing Picture, orientation: Orientation, regions: [Region],
    unless interruption: CancellationFlag
  ) throws(ModelError) -> [(presence: Double, mesh: Mesh?)?] {
    try networks.map(regions.count, unless: interruption) { (number, network) throws(ModelError) in
      var mesh = Mesh.empty
      let presence = try Self.measure(network, picture, orientation, regions[number], into: &mesh)
      return (presence, presence > 0.5 ? mesh : nil)
    }
  }

  private static func measure(
    _ network: RegionNetwork, _ picture: borrowing Picture, _ orientation: Orientation,
    _ region: Region, into mesh: inout Mesh
  ) throws(ModelError) -> Double {
    guard region.isUsable else { return 0 }
    let toUpright = region.map(from: network.side)
    try network.look(at: picture, orientation, toUpright, border: .replicate)
    let presence = logistic(Double(network.withOutput(1) { $0[0] }))
    guard presence > 0.5 else { return presence }
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
    return isFinite ? presence : 0
  }
}
