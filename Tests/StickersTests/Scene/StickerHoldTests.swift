import Faces
import Pixels
import Stickers
import Support
import Testing

/// What becomes of the stickers of faces that go missing, and of those at the picture's edge.
@Suite(.timeLimit(.minutes(20))) struct StickerHoldTests {
  private let ms = StickerSceneTests.ms

  /// A face that moves 0.01 of the frame's width to the right in each of `count` frames, 40 ms apart.
  private func walk(_ scene: StickerScene, _ count: Int) -> Int64 {
    for frame in 0..<Int64(count) {
      _ = scene.draws(
        at: frame * 40 * ms, [StickerSceneTests.face(x: 0.4 + 0.01 * Double(frame))], width: 1000,
        height: 1000)
    }
    return Int64(count - 1) * 40 * ms
  }

  @Test func theStickersOfALostFaceKeepItsVelocityAndFade() throws {
    let scene = StickerSceneTests.scene(StickerSceneTests.item(.face))
    let last = walk(scene, 30)
    let worn = try #require(scene.draws.first)
    #expect(worn.alpha == 1)
    for (later, share) in [(50, 2.0 / 3), (100, 1.0 / 3)] {
      let held = try #require(
        scene.draws(at: last + Int64(later) * ms, [], width: 1000, height: 1000).first)
      #expect(abs(held.alpha - share) < 0.01)
      // 10 pixels in 40 ms; what was learnt of it lags a little.
      let gone = held.placement.center.x - worn.placement.center.x
      #expect(abs(gone - 0.25 * Double(later)) < 0.2 * Double(later) / 4, "\(gone)")
    }
    #expect(scene.draws(at: last + 160 * ms, [], width: 1000, height: 1000).isEmpty)
  }

  /// A detector that misses a face now and then learns no other motion of it.
  @Test func aFaceMissingForAFewFramesKeepsItsVelocity() throws {
    let scene = StickerSceneTests.scene(StickerSceneTests.item(.face))
    let last = walk(scene, 30)
    // Missed in two frames, and seen again where it went meanwhile.
    for frame in Int64(30)..<32 {
      _ = scene.draws(at: frame * 40 * ms, [], width: 1000, height: 1000)
    }
    let again = last + 3 * 40 * ms
    let worn = try #require(
      scene.draws(
        at: again, [StickerSceneTests.face(x: 0.4 + 0.01 * 32)], width: 1000, height: 1000
      ).first)
    let held = try #require(
      scene.draws(at: again + 100 * ms, [], width: 1000, height: 1000).first)
    let gone = held.placement.center.x - worn.placement.center.x
    // 10 pixels in 40 ms, as before.
    #expect(abs(gone - 25) < 4, "\(gone)")
  }

  @Test func stickersOfABrieflySeenFaceDisappearAtOnce() {
    let scene = StickerSceneTests.scene(StickerSceneTests.item(.face))
    let last = walk(scene, StickerScene.minimumObservations - 1)
    #expect(scene.draws.count == 1)
    #expect(scene.draws(at: last + 20 * ms, []).isEmpty)
  }

  @Test func inStreamsWithMeshesAFaceWithoutAMeshIsNotRetained() {
    let scene = StickerSceneTests.scene(StickerSceneTests.item(.face))
    let measured = HeadMesh.make(id: 7, middle: Point(x: 100, y: 100), unit: 30)
    for frame in 0..<20 {
      _ = scene.draws(
        at: Int64(frame) * 40 * ms, [measured, StickerSceneTests.face(id: 2, x: 0.7)], width: 1000,
        height: 800)
    }
    #expect(scene.draws.count == 2)
    let left = scene.draws(at: 780 * ms, [], width: 1000, height: 800)
    #expect(left.map { $0.placement.center.x < 500 } == [true])
  }

  @Test func stickersOfAMissingFaceBesideAnotherFaceDisappear() {
    for (x, count) in [(0.45, 1), (0.75, 2)] {
      let scene = StickerSceneTests.scene(StickerSceneTests.item(.face))
      let other = StickerSceneTests.face(id: 2, x: x)
      for frame in 0..<20 {
        _ = scene.draws(at: Int64(frame) * 40 * ms, [StickerSceneTests.face(x: 0.4), other])
      }
      #expect(scene.draws.count == 2)
      // The face at 0.4 is gone, perhaps behind the other one.
      #expect(scene.draws(at: 780 * ms, [other]).count == count)
    }
  }

  @Test func aStickerIsMovedIntoThePictureByItsKeepFraction() throws {
    var item = StickerSceneTests.item(.face)
    item.offsetY = 4
    for keep in [0.0, 0.6] {
      item.keep = keep
      let scene = StickerSceneTests.scene(item)
      let face = HeadMesh.make(middle: Point(x: 500, y: 200), unit: 100)
      let draw = try #require(scene.draws(at: 0, [face], width: 1000, height: 800).first)
      let seen = draw.placement.center.y / draw.placement.height + 0.5
      #expect(keep == 0 ? seen < 0 : abs(seen - keep) < 0.01, "\(seen)")
      // With the face it leaves.
      var leaving = HeadMesh.make(id: 2, middle: Point(x: 500, y: -300), unit: 100)
      leaving.box.y = -0.6
      let gone = scene.draws(at: 40 * ms, [leaving], width: 1000, height: 800)
      #expect(gone.allSatisfy { $0.placement.center.y < 0 })
    }
  }

  @Test func aBlushFadesOnACheekThatIsTurnedAway() throws {
    var left = StickerSceneTests.item(.face)
    left.attachment = .anchor(.leftCheek)
    left.fadeAngles = 15...35
    var right = left
    right.attachment = .anchor(.rightCheek)
    for (yaw, alphas) in [
      (0.0, [1.0, 1]), (10, [1, 1]), (-25, [0.5, 1]), (25, [1, 0.5]), (-40, [0, 1]),
    ] {
      let scene = StickerSceneTests.scene(left, right)
      let face = HeadMesh.make(middle: Point(x: 500, y: 400), unit: 100, yaw: yaw)
      let draws = scene.draws(at: 0, [face], width: 1000, height: 800)
      for (item, alpha) in alphas.enumerated() {
        let seen = draws.first { $0.item == item }?.alpha ?? 0
        #expect(abs(seen - alpha) < 0.03, "yaw \(yaw), item \(item): \(seen)")
      }
    }
  }
}
