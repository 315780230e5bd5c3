import Faces
import Files
import Inference
import Pixels
import Support
import Testing

@testable import Vision

/// The blendshape network, beside results from the same points in double precision.
@Suite(.timeLimit(.minutes(20))) struct BlendshapeTests {
  private static let path = FilePath(Photograph.models + "/" + BlendshapeModel.fileName)

  private func model() throws -> BlendshapeModel {
    try BlendshapeModel(TFLiteModel(path: Self.path))
  }

  private func mesh(_ reference: LandmarkerReference) -> Mesh {
    var mesh = Mesh.emptyWithIrises
    for index in mesh.points.indices {
      mesh.points[index] = Point3(
        x: reference.points[2 * index], y: reference.points[2 * index + 1], z: 0)
    }
    return mesh
  }

  @Test func scoresMatchTheReference() throws {
    let model = try model()
    for reference in LandmarkerReference.all {
      let scores = try #require(model.scores(of: mesh(reference)))
      try #require(scores.count == 52)
      for (number, (a, b)) in zip(scores, reference.scores).enumerated() {
        #expect(abs(a - b) < 1e-5, "\(Blendshape.names[number])")
      }
    }
  }

  @Test func sizeAndPlaceDoNotMatter() throws {
    let model = try model()
    var mesh = mesh(.obama)
    let scores = try #require(model.scores(of: mesh))
    for index in mesh.points.indices {
      mesh.points[index] = mesh.points[index] * 0.1 + Point3(x: 3, y: -7, z: 2)
    }
    let moved = try #require(model.scores(of: mesh))
    #expect(zip(scores, moved).allSatisfy { abs($0 - $1) < 1e-4 })
  }

  @Test func meshesWithoutIrisesOrSizeHaveNoScores() throws {
    let model = try model()
    #expect(model.scores(of: .empty) == nil && model.scores(of: .emptyWithIrises) == nil)
    var mesh = mesh(.biden)
    mesh.points[4].x = .nan
    #expect(model.scores(of: mesh) == nil)
  }

  @Test func everyBlendshapeHasAMirrorImage() {
    let (names, mirrored) = (Blendshape.names, Blendshape.mirrored)
    #expect(names.count == 52 && Set(names).count == 52 && BlendshapeModel.points.count == 146)
    #expect(mirrored.indices.allSatisfy { mirrored[mirrored[$0]] == $0 })
    #expect(mirrored.indices.count { mirrored[$0] == $0 } == 12)
  }

  @Test func otherAndDamagedFilesAreRefused() throws {
    let other = FilePath(Photograph.models + "/" + FaceMeshModel.Kind.points468.fileName)
    let error = #expect(throws: ModelError.self) { try BlendshapeModel(TFLiteModel(path: other)) }
    #expect(error?.description.contains("not the expected blendshape network") == true)
    let whole = try UntrustedFile(Self.path, limit: 4 << 20).bytes()
    var random = SplitMix(5)
    for _ in 0..<30 {
      var bytes = whole
      // The tables of the file are at its end.
      for _ in 0..<20 {
        bytes[bytes.count - 1 - random.below(60_000)] ^= UInt8(1 << random.below(8))
      }
      do throws(ModelError) {
        let model = try BlendshapeModel(TFLiteModel(bytes: bytes))
        #expect(model.scores(of: mesh(.astronaut)) != nil)
      } catch {
        #expect(!error.description.isEmpty)
      }
    }
  }

  /// mediapipe 1.2.2's facial transformation matrix, whose lengths are centimetres.
  @Test func theHeadIsWhereMediaPipeHasIt() throws {
    let expected: [Double] = [
      0.99808, 0.0618, -0.00481, -50.1267, -0.06096, 0.96437, -0.25745, 227.3384, -0.01127,
      0.25725, 0.96628, -700.4671, 0, 0, 0, 1,
    ]
    let numbers = LandmarkerReference.astronaut.region
    let region = Region(
      center: Point(x: numbers[0], y: numbers[1]), width: numbers[2], height: numbers[2],
      angle: numbers[3])
    let mesh = try MeshWithIrisesTests.network().measured(Photograph.load(.rgb), region).1
    let matrix = try #require(HeadTransform.matrix(mesh, width: 512, height: 512))
    try #require(matrix.count == 16)
    for (index, (a, b)) in zip(matrix, expected).enumerated() {
      #expect(abs(Double(a) - b) < (index % 4 == 3 ? 2 : 0.003), "\(index): \(a) \(b)")
    }
    #expect(HeadTransform.matrix(Mesh.empty, width: 512, height: 512) == nil)
  }
}
