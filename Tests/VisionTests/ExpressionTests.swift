import Inference
import Pixels
import Support
import Testing

@testable import Vision

@Suite struct ExpressionTests {
  /// The mesh of the photograph, measured as in `FaceMeshTests`.
  static func photographMesh() throws -> (OwnedPicture, Mesh) {
    let picture = try Photograph.load(.rgb)
    let region = Region(
      center: Point(x: 225.237411, y: 130.543304), width: 143.016357, height: 143.016357,
      angle: 0.09438877)
    return (picture, try FaceMeshTests.mesh().measured(picture, region).1)
  }

  @Test func measuresAreThoseOfTheReference() throws {
    let (_, mesh) = try Self.photographMesh()
    #expect(abs(mesh.eyeAspect(isLeft: true) - 0.2995) < 0.001)
    #expect(abs(mesh.eyeAspect(isLeft: false) - 0.2938) < 0.001)
    #expect(abs(mesh.mouthAspect - 0.1892) < 0.001)
    #expect(abs(mesh.smile - 0.96) < 0.01)
  }

  @Test func poseIsThatOfTheReferenceWithRollClockwise() throws {
    let pose = try #require(HeadPose(try Self.photographMesh().1))
    #expect(abs(pose.yaw + 0.08) < 0.02)
    #expect(abs(pose.pitch - 9.07) < 0.02)
    #expect(abs(pose.roll - 3.21) < 0.02)
  }

  @Test func irisesAreWhereTheReferenceFindsThem() throws {
    let (picture, mesh) = try Self.photographMesh()
    let lids = try Self.eyeLids()
    let left = try #require(try lids.measured(picture, mesh, isLeft: true))
    let right = try #require(try lids.measured(picture, mesh, isLeft: false))
    #expect((left.iris - Point(x: 203.385, y: 100.891)).length < 0.1)
    #expect((right.iris - Point(x: 246.557, y: 103.313)).length < 0.1)
    print(left, right)
  }

  static func eyeLids() throws -> EyeLids {
    try EyeLids(Graph(path: Photograph.models + "/" + EyeLids.fileName))
  }
}

extension EyeLids {
  func measured(
    _ picture: OwnedPicture, _ mesh: Mesh, isLeft: Bool
  ) throws -> Eye? {
    try picture.withPicture { (p: borrowing Picture) throws(ModelError) in
      try measure(p, mesh: mesh, isLeft: isLeft)
    }
  }
}
