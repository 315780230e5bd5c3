import Faces
package import Inference
import Pixels
import Threads

/// Measures the points of a face with one of MediaPipe's two mesh networks, which read a square
/// region of any size.
///
/// One thread at a time may use it.
package final class FaceMeshModel {
  /// The generations of the mesh network.
  package enum Kind: Sendable, Hashable, CaseIterable {
    /// 468 points from 192 x 192 samples, of the mediapipe 0.10.14 wheel.
    case points468
    /// The same points and ten of the irises from 256 x 256 samples; three times the cost, and its
    /// lids close. Of MediaPipe's face_landmarker.task.
    case points478

    package var fileName: String {
      switch self {
      case .points468: "face_landmark.tflite"
      case .points478: "face_landmarks_detector.tflite"
      }
    }

    var side: Int { self == .points468 ? 192 : 256 }

    var pointCount: Int {
      self == .points468 ? Face.landmarkCount : Face.landmarkCountWithIrises
    }

    /// The points, and the logit of a face; of the newer network a third one, which MediaPipe does
    /// not read either.
    fileprivate var outputShapes: [[Int]] {
      let shapes = [[1, 1, 1, pointCount * 3], [1, 1, 1, 1]]
      return self == .points468 ? shapes : shapes + [[1, 1]]
    }
  }

  package let kind: Kind
  private let networks: RegionNetworkPool

  /// Wraps the network; throws unless its tensors are those of `kind`.
  package init(_ graph: Graph, _ kind: Kind = .points468) throws(ModelError) {
    self.kind = kind
    networks = RegionNetworkPool(
      try RegionNetwork(
        graph, side: kind.side, range: 0...1, outputs: kind.outputShapes, used: 2))
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
      let mesh = network.withOutput(0) { Self.mesh($0, kind, toUpright, depth: depth) }
      return (mesh == nil ? 0 : probability, mesh)
    }
  }

  /// The mesh of an output, whose depths are multiplied by `depth`; nil unless all numbers are finite.
  private static func mesh(
    _ values: Span<Float>, _ kind: Kind, _ toUpright: Affine, depth: Double
  ) -> Mesh? {
    var mesh = kind == .points468 ? Mesh.empty : Mesh.emptyWithIrises
    for index in mesh.points.indices {
      let point = toUpright(Point(x: Double(values[3 * index]), y: Double(values[3 * index + 1])))
      let z = Double(values[3 * index + 2]) * depth
      guard point.x.isFinite, point.y.isFinite, z.isFinite else { return nil }
      mesh.points[index] = Point3(x: point.x, y: point.y, z: z)
    }
    return mesh
  }
}
