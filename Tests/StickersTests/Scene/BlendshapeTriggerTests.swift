import Faces
import Pixels
import Stickers
import Testing

@Suite struct BlendshapeTriggerTests {
  private static func face(_ shape: Blendshape?, _ score: Float = 0) -> Face {
    var face = StickerSceneTests.face()
    guard let shape else { return face }
    face.blendshapes = [Float](repeating: 0, count: Blendshape.count)
    face.blendshapes[shape.rawValue] = score
    return face
  }

  private static func trigger(_ shape: Blendshape, over threshold: Double) -> StickerTrigger {
    .blendshape(BlendshapeTrigger(shape, over: threshold))
  }

  /// On from 0.4, off at 0.3.
  @Test func aBlendshapeIsOnAboveItsThresholdWithHysteresis() {
    let item = StickerSceneTests.item(Self.trigger(.jawOpen, over: 0.4), loop: 1)
    let scores: [Float] = [0, 0.39, 0.4, 0.41, 0.31, 0.5, 0.29, 0.39, 0.4]
    let scene = StickerSceneTests.scene(item)
    // One round of 400 ms for each time it goes on, so that the scene shows when that was.
    let shown = StickerSceneTests.play(
      scene, scores.enumerated().map { (Int64($0.offset) * 500, [Self.face(.jawOpen, $0.element)]) }
    )
    #expect(shown == [nil, nil, 0, nil, nil, nil, nil, nil, 0])
  }

  @Test func onlyTheNamedBlendshapeCounts() {
    for shape in [Blendshape.cheekPuff, .noseSneerRight, .neutral] {
      let scene = StickerSceneTests.scene(
        StickerSceneTests.item(Self.trigger(.jawOpen, over: 0.1)),
        StickerSceneTests.item(Self.trigger(shape, over: 0.9), onScreen: true))
      let draws = scene.draws(at: 0, [Self.face(shape, 1)])
      #expect(draws.map(\.item) == [1], "\(shape)")
    }
  }

  @Test func withoutBlendshapesItStaysOffAndIsCounted() {
    let scene = StickerSceneTests.scene(StickerSceneTests.item(Self.trigger(.jawOpen, over: 0.1)))
    for frame in 0..<5 {
      let faces = frame == 2 ? [] : [Self.face(nil)]
      #expect(scene.draws(at: Int64(frame) * 100 * StickerSceneTests.ms, faces).isEmpty)
    }
    #expect(scene.blendshapes.framesWithout == 4)
    _ = scene.draws(at: 600 * StickerSceneTests.ms, [Self.face(.jawOpen, 1)])
    _ = scene.draws(at: 700 * StickerSceneTests.ms, [Self.face(nil)])
    #expect(scene.blendshapes.framesWithout == 0)
    let other = StickerSceneTests.scene(StickerSceneTests.item(.smile))
    _ = other.draws(at: 0, [Self.face(nil)])
    #expect(other.blendshapes.framesWithout == 0)
  }

  @Test func oddScoresAreNotTrusted() {
    let scene = StickerSceneTests.scene(StickerSceneTests.item(Self.trigger(.jawOpen, over: 0.1)))
    for score in [Float.nan, -Float.infinity, -1] as [Float] {
      #expect(scene.draws(at: 0, [Self.face(.jawOpen, score)]).isEmpty)
    }
    var short = Self.face(.jawOpen, 1)
    short.blendshapes.removeLast()
    #expect(scene.draws(at: 0, [short]).isEmpty)
  }

  @Test func textsOfTriggersAreRead() {
    for (text, expected) in [
      ("jawOpen > 0.4", Self.trigger(.jawOpen, over: 0.4)),
      ("mouthPucker>.75", Self.trigger(.mouthPucker, over: 0.75)),
      ("  cheekPuff  >  0.1 ", Self.trigger(.cheekPuff, over: 0.1)), ("smile", .smile),
    ] {
      #expect(StickerTrigger(rawValue: text) == expected, "\(text)")
    }
    for text in [
      "jawOpen", "jawOpen > ", "jawOpen > 2", "jawOpen > nan", "jawOpen > 0.4 > 0.5", "> 0.4",
      "jawopen > 0.4",
    ] {
      #expect(StickerTrigger(rawValue: text) == nil, "\(text)")
    }
    for shape in Blendshape.allCases {
      #expect(StickerTrigger(rawValue: "\(shape.name) > 0.5") == Self.trigger(shape, over: 0.5))
    }
  }
}
