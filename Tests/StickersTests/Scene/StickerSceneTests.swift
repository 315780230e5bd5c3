import Faces
import Pixels
import Stickers
import Support
import Testing

@Suite(.timeLimit(.minutes(20))) struct StickerSceneTests {
  static let ms: Int64 = 1_000_000

  static func item(_ trigger: StickerTrigger, loop: Int = 0, onScreen: Bool = false) -> StickerItem
  {
    var item = StickerItem(
      attachment: onScreen ? .screen(.centre) : .anchor(.eyes), scaleWidth: 1, width: 1, height: 1)
    item.trigger = trigger
    item.loop = loop
    return item
  }

  /// A scene of one item that shows four frames of 100 ms.
  static func scene(_ items: StickerItem...) -> StickerScene {
    StickerScene(
      items: items,
      timelines: items.map { _ in StickerTimeline(count: 4, frameDuration: 100 * ms) })
  }

  static func face(
    id: UInt32 = 1, mouth: Double = 0, smile: Double = 0, eyes: Double = 1, x: Double = 0.4
  ) -> Face {
    Face(
      id: id, confidence: 1, box: Rectangle(x: x, y: 0.3, width: 0.2, height: 0.2),
      expression: Expression(
        leftEyeOpen: eyes, rightEyeOpen: eyes, mouthOpen: mouth, smile: smile))
  }

  /// Frames shown at these times, nil where there is nothing.
  static func play(_ scene: StickerScene, _ steps: [(Int64, [Face])]) -> [Int?] {
    steps.map { time, faces in
      scene.draws(at: time * ms, faces).first?.frame
    }
  }

  @Test func framesFollowRunningTimeAndStartWithTheFace() {
    let shown = Self.play(
      Self.scene(Self.item(.face)),
      [
        (950, []), (1000, [Self.face()]), (1099, [Self.face()]), (1100, [Self.face()]),
        (1350, [Self.face()]), (1400, [Self.face()]), (4_001_000, [Self.face()]),
      ])
    #expect(shown == [nil, 0, 0, 1, 3, 0, 0])
  }

  @Test func timelinesKeepTheDurationsOfUnequalFrames() {
    let line = StickerTimeline(durations: [10, 20, 5].map { $0 * Self.ms })
    #expect(
      [0, 9, 10, 29, 30, 34, 35, 45, 70].map { line.frame(at: $0 * Self.ms) } == [
        0, 0, 1, 1, 2, 2, 0, 1, 0,
      ])
    #expect(line.round(at: 70 * Self.ms) == 2)
    #expect(StickerTimeline(count: 0, frameDuration: 0).frame(at: .max) == 0)
    #expect(StickerTimeline(durations: []).frame(at: -5) == 0)
    #expect(
      StickerTimeline(count: 1 << 40, frameDuration: .max).roundDuration
        == 100_000 * 3_600_000_000_000)
  }

  /// Five frames in no time, after which a face's stickers stay for a while when it goes missing.
  static func establish(_ faces: [Face]) -> [(Int64, [Face])] {
    Array(repeating: (0, faces), count: StickerScene.minimumObservations)
  }

  @Test func aShortGapKeepsTheStickerAndALongOneRemovesIt() {
    let shown = Self.play(
      Self.scene(Self.item(.face)),
      Self.establish([Self.face()]) + [
        (140, []), (240, [Self.face()]), (340, []), (539, []), (540, [Self.face()]), (850, []),
        (900, [Self.face()]),
      ])
    // Faded after 0.15 s, the animation goes on unseen; the last face is a new one to the scene.
    #expect(shown.dropFirst(5) == [1, 2, 3, nil, 1, nil, 0])
  }

  @Test func slowStreamsDoNotRestartAnimationsInEveryFrame() {
    let shown = Self.play(
      Self.scene(Self.item(.face)),
      [(0, [Self.face()]), (1000, [Self.face()]), (2100, [Self.face()])])
    #expect(shown == [0, 2, 1])
  }

  @Test func everyFaceHasItsOwnAnimation() {
    let scene = Self.scene(Self.item(.face))
    _ = Self.play(scene, [(0, [Self.face(id: 7)])])
    let draws = scene.draws(
      at: 250 * Self.ms, [Self.face(id: 9, x: 0.1), Self.face(id: 7)])
    #expect(draws.map(\.frame) == [2, 0])
    #expect(draws[0].placement.center.x > draws[1].placement.center.x)
    let one = scene.draws(at: 260 * Self.ms, [Self.face(id: 9)], largestOnly: true)
    #expect(one.count == 1)
  }

  @Test func expressionsStartAtRound0AndEndWithTheirRound() {
    let shown = Self.play(
      Self.scene(Self.item(.mouthOpen)),
      [
        (0, [Self.face()]), (1000, [Self.face(mouth: 0.8)]), (1150, [Self.face(mouth: 0.4)]),
        (1250, [Self.face(mouth: 0.1)]), (1390, [Self.face()]), (1400, [Self.face()]),
        (1500, [Self.face(mouth: 0.9)]),
      ])
    // 0.4 lies between the two thresholds, and so changes nothing.
    #expect(shown == [nil, 0, 1, 2, 3, nil, 0])
  }

  @Test func loopPlaysAllRoundsRegardlessOfTheTrigger() {
    let blinking = Self.face(eyes: 0.1)
    let shown = Self.play(
      Self.scene(Self.item(.blink, loop: 2)),
      [
        (0, [blinking]), (100, [Self.face()]), (450, [Self.face()]), (790, [Self.face()]),
        (800, [Self.face()]), (900, [blinking]), (2000, [blinking]), (2100, [Self.face()]),
        (2200, [blinking]),
      ])
    #expect(shown == [0, 1, 0, 3, nil, 0, nil, nil, 0])
  }

  @Test func screenItemsAreTriggeredByAnyFaceOrByNone() {
    let scene = Self.scene(
      Self.item(.always, onScreen: true), Self.item(.noFace, onScreen: true),
      Self.item(.smile, onScreen: true))
    func items(_ time: Int64, _ faces: [Face]) -> [Int] {
      scene.draws(at: time * Self.ms, faces).map(\.item)
    }
    #expect(items(0, []) == [0, 1])
    #expect(items(100, [Self.face()]) == [0])
    for _ in 0..<StickerScene.minimumObservations {
      #expect(items(200, [Self.face(), Self.face(id: 2, smile: 0.7, x: 0.1)]) == [0, 2])
    }
    #expect(items(400, []) == [0, 2])
    // The smile left with its face, but its round is played to the end.
    #expect(items(750, []) == [0, 1, 2])
    #expect(items(1000, []) == [0, 1])
  }

  @Test func itemsAreDrawnInTheOrderOfZ() {
    var back = Self.item(.face)
    back.z = -1
    let scene = Self.scene(Self.item(.face), Self.item(.always, onScreen: true), back)
    let draws = scene.draws(at: 0, [Self.face()])
    #expect(draws.map(\.item) == [2, 0, 1])
  }

  @Test func aReplacedItemKeepsItsAnimation() {
    let scene = Self.scene(Self.item(.always, onScreen: true))
    let elsewhere = Self.item(.always)
    #expect(Self.play(scene, [(0, []), (150, [Self.face()])]) == [0, 1])
    scene.replace(0, by: elsewhere)
    #expect(Self.play(scene, [(210, [Self.face()]), (330, [Self.face()])]) == [2, 3])
    var nose = elsewhere
    nose.attachment = .anchor(.nose)
    scene.replace(0, by: nose)
    #expect(Self.play(scene, [(420, [Self.face()])]) == [0])
    scene.replace(0, by: Self.item(.always, onScreen: true))
    #expect(Self.play(scene, [(510, []), (1110, [])]) == [1, 3])
  }

  @Test func timeThatDecreasesResetsTheScene() {
    let shown = Self.play(
      Self.scene(Self.item(.face)),
      [(5000, [Self.face()]), (5250, [Self.face()]), (100, [Self.face()]), (210, [Self.face()])])
    #expect(shown == [0, 2, 0, 1])
  }

  @Test func facesWithoutIDsAreIdentifiedByTheirPosition() {
    let scene = Self.scene(Self.item(.face))
    let faces = [Self.face(id: 0, x: 0.1), Self.face(id: 0, x: 0.6)]
    let draws = scene.draws(at: 0, faces)
    #expect(draws.count == 2)
  }

  @Test func facesOverTheMaximumAreIgnored() {
    let scene = Self.scene(Self.item(.face))
    let faces = (1...500).map { Self.face(id: UInt32($0)) }
    let draws = scene.draws(at: 0, faces)
    #expect(draws.count == StickerScene.maximumFaces)
    #expect(
      scene.draws(at: .max, faces).count
        == StickerScene.maximumFaces)
    #expect(!scene.draws(at: .min, faces).isEmpty)
  }

  /// Brows by how far they and their inner ends are moved, in pupil distances.
  static func browed(up: Double = 0, inner: Double = 0, together: Double = 0) -> Face {
    HeadMesh.make(
      middle: Point(x: 500, y: 400), unit: 100, pitch: 5,
      moving: [
        105: (-0.5, 0.42 + up, 0.2), 334: (0.5, 0.42 + up, 0.2),
        55: (-0.18 + together / 2, 0.28 + up + inner, 0.3),
        285: (0.18 - together / 2, 0.28 + up + inner, 0.3),
      ])
  }

  @Test func raisedAndKnittedBrowsAreDetectedOnTheMesh() {
    for (trigger, worn, other) in [
      (StickerTrigger.browRaise, browed(up: 0.11), browed(inner: -0.05, together: 0.08)),
      (.frown, browed(inner: -0.05, together: 0.08), browed(up: 0.11)),
    ] {
      let scene = Self.scene(Self.item(trigger))
      var steps: [(Int64, [Face])] = (0..<30).map { (Int64($0) * 33, [browed()]) }
      steps.append((1000, [other]))
      steps.append((1033, [browed()]))
      steps.append((1500, [worn]))
      let shown = Self.play(scene, steps)
      #expect(shown.dropLast().allSatisfy { $0 == nil }, "\(trigger)")
      #expect(shown.last == .some(0), "\(trigger)")
    }
  }

  private func browed(up: Double = 0, inner: Double = 0, together: Double = 0) -> Face {
    Self.browed(up: up, inner: inner, together: together)
  }

  @Test func noddingAndTurningTriggerNeitherFrownNorBrowRaise() {
    let scene = Self.scene(Self.item(.browRaise), Self.item(.frown))
    for step in 0..<60 {
      let swing = Double(abs(step % 30 - 15)) - 7.5
      let face = HeadMesh.make(
        middle: Point(x: 500, y: 400), unit: 100, yaw: 3 * swing, pitch: 2 * swing)
      let draws = scene.draws(
        at: Int64(step) * 33 * Self.ms, [face], width: 1000, height: 800)
      #expect(draws.isEmpty, "step \(step)")
    }
  }

  @Test func withoutMeasuredExpressionsTheMeshGivesMouthSmileAndBlink() {
    func shown(_ trigger: StickerTrigger, _ moved: [Int: (Double, Double, Double)]) -> Bool {
      let face = HeadMesh.make(middle: Point(x: 500, y: 400), unit: 100, moving: moved)
      return Self.play(Self.scene(Self.item(trigger)), [(0, [face])])[0] != nil
    }
    #expect(!shown(.mouthOpen, [:]))
    #expect(shown(.mouthOpen, [14: (0, -1.3, 0.5)]))
    #expect(!shown(.smile, [:]))
    #expect(shown(.smile, [61: (-0.56, -0.85, 0.3), 291: (0.56, -0.85, 0.3)]))
    #expect(!shown(.blink, [:]))
    var shut: [Int: (Double, Double, Double)] = [:]
    for index in [160, 158, 144, 153] { shut[index] = (-0.5, 0, 0) }
    for index in [385, 387, 380, 373] { shut[index] = (0.5, 0, 0) }
    #expect(shown(.blink, shut))
  }
}
