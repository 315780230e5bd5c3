import Faces
import Support
import Testing
import Vision

@testable import mien_bench

/// The smiles of portraits that are drawn as turned heads.
@Suite(.timeLimit(.minutes(20))) struct TurnedSmileTests {
  @Test(arguments: [RealScene.portrait, .hiker], [20.0, 40])
  func smilesOfTurnedHeadsAreSmiles(_ scene: RealScene, _ yaw: Double) throws {
    let head = try TexturedHead(scene)
    #expect(try MeshQuality.smile(of: head, yaw: yaw, .points478) >= 0.5)
  }

  @Test(arguments: [-40.0, -20, 20, 40]) func neutralMouthsStayNeutral(_ yaw: Double) throws {
    let head = try TexturedHead(.highForehead)
    for mesh in [MeshChoice.points468, .points478] {
      #expect(try MeshQuality.smile(of: head, yaw: yaw, mesh) < 0.4)
    }
  }
}
