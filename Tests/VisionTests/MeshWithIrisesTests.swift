import Files
import Inference
import Pixels
import Support
import Testing

@testable import Vision

/// The network of 478 points, beside MediaPipe's results.
@Suite(.timeLimit(.minutes(20))) struct MeshWithIrisesTests {
  private let reference = LandmarkerReference.astronaut

  private var region: Region {
    Region(
      center: Point(x: reference.region[0], y: reference.region[1]), width: reference.region[2],
      height: reference.region[2], angle: reference.region[3])
  }

  @Test func pointsMatchTheReference() throws {
    let (probability, mesh) = try Self.network().measured(Photograph.load(.rgb), region)
    #expect(probability > 0.999 && mesh.hasIrises)
    try #require(mesh.points.count * 2 == reference.points.count)
    var greatest = 0.0
    for (index, point) in mesh.points.enumerated() {
      let expected = Point(x: reference.points[2 * index], y: reference.points[2 * index + 1])
      greatest = max(greatest, (point.xy - expected).length)
    }
    #expect(greatest < 0.05)
  }

  @Test func theProbabilityIsLowWithoutAFace() throws {
    let empty = Region(center: Point(x: 60, y: 300), width: 120, height: 120)
    #expect(try Self.network().measured(Photograph.load(.rgb), empty).0 <= 0.5)
  }

  @Test func theOtherMeshNetworkIsRejected() throws {
    let graph = try Graph(
      path: FilePath(Photograph.models + "/" + FaceMeshModel.Kind.points468.fileName))
    #expect(throws: ModelError.self) { try FaceMeshModel(graph, .points478) }
  }

  static func network() throws -> FaceMeshModel {
    let kind = FaceMeshModel.Kind.points478
    return try FaceMeshModel(
      Graph(path: FilePath(Photograph.models + "/" + kind.fileName)), kind)
  }
}
