import Faces
import Occlusion
import Pixels
import Support
import Testing
import Vision

/// Hands that are found before faces, and false ones.
@Suite(.timeLimit(.minutes(20))) struct HandTests {
  /// A source with a hand of its own, which counts what is asked.
  private final class FixedHands: HandSource {
    let canSearch = true
    var hands: [Hand]
    private(set) var searches: [HandSearchReason] = []
    private(set) var followed: [Int] = []

    init(_ hands: [Hand]) { self.hands = hands }

    func search(_ picture: borrowing Picture, around box: Rectangle, _ reason: HandSearchReason) {
      searches.append(reason)
    }
    func follow(_ number: Int) { followed.append(number) }
  }

  /// An upright open hand, 95 pixels long, whose palm's middle is at `center`.
  private static func hand(at center: Point, score: Double = 0.95) -> Hand {
    var hand = Hand()
    func place(_ x: Double, _ y: Double) -> Point { center + Point(x: x, y: y) }
    hand.points[0] = place(0, 40)
    for joint in 1...4 { hand.points[joint] = place(-9 * Double(joint), 36 - 9 * Double(joint)) }
    for finger in 0..<4 {
      for joint in 0..<4 {
        hand.points[5 + 4 * finger + joint] = place(
          -18 + 12 * Double(finger), -5 - 13 * Double(joint))
      }
    }
    (hand.pixelsPerMetre, hand.score) = (500, score)
    return hand
  }

  @Test func aHandIsFoundAndNoFrameLate() throws {
    let score = try CoveredFilm.score(try CoveredFilm.scene(.hand), hands: .loaded())
    #expect(score.hiddenPercent > 93, "\(score.hiddenPercent)")
    #expect(score.freedPercent < 2.5, "\(score.freedPercent)")
    #expect(score.flickerPercent < 1.8, "\(score.flickerPercent)")
    #expect((score.framesLate ?? 99) == 0, "\(score.framesLate ?? 99)")
  }

  @Test func aFilmMayBeginBehindAHand() throws {
    let scene = try CoveredFilm.scene(.hand, beginsCovered: true)
    let score = try CoveredFilm.score(scene, hands: .loaded())
    #expect(score.hiddenPercent > 85, "\(score.hiddenPercent)")
    #expect(score.freedPercent < 4, "\(score.freedPercent)")
    // Without the networks of hands the hand is learnt as the face.
    let blind = try CoveredFilm.score(try CoveredFilm.scene(.hand, beginsCovered: true))
    #expect(blind.hiddenPercent < 60, "\(blind.hiddenPercent)")
  }

  /// The faces of frames of a film whose first ones are bare, with a source of hands.
  private static func covers(
    _ kind: CoverKind?, _ source: FixedHands, frames: Int
  ) throws -> (isCovered: [Bool], searches: [HandSearchReason], followed: [Int]) {
    let (scene, occlusion) = (try CoveredFilm.scene(kind), FaceOcclusion())
    scene.draw(0)
    let first = try FaceFinder.faces(in: scene.picture)
    var covered: [Bool] = []
    for _ in 0..<frames {
      var faces = first
      scene.picture.withPicture { picture in occlusion.update(&faces, picture, source) }
      covered.append(!(faces.first?.cover.isEmpty ?? true))
    }
    return (covered, source.searches, source.followed)
  }

  @Test func aHandUnderWhichTheFaceLooksAsEverIsNone() throws {
    let scene = try CoveredFilm.scene(nil)
    scene.draw(0)
    let first = try FaceFinder.faces(in: scene.picture)
    let occlusion = FaceOcclusion()
    let source = FixedHands([])
    let middle = try #require(first.first).box.scaled(
      x: Double(CoverScene.width), y: Double(CoverScene.height)
    ).center
    for frame in 0..<38 {
      // The face has been seen without the hand for a second.
      if frame == 31 { source.hands = [Self.hand(at: middle)] }
      scene.draw(frame % 4)
      var faces = first
      scene.picture.withPicture { picture in occlusion.update(&faces, picture, source) }
      let isCovered = !faces[0].cover.isEmpty
      #expect(!isCovered, "frame \(frame)")
    }
    #expect(source.followed.isEmpty)
    #expect(source.searches.first == .newFace)
    #expect(!source.searches.contains(.covered))
  }

  @Test func aHandThatMayHaveBeenLearntWithANewFaceIsBelievedIfItIsSure() throws {
    let scene = try CoveredFilm.scene(nil)
    scene.draw(0)
    let first = try FaceFinder.faces(in: scene.picture)
    let middle = try #require(first.first).box.scaled(
      x: Double(CoverScene.width), y: Double(CoverScene.height)
    ).center
    for (score, isBelieved) in [(0.95, true), (0.85, false)] {
      let (occlusion, source) = (FaceOcclusion(), FixedHands([]))
      var isCovered: [Bool] = []
      for frame in 0..<12 {
        if frame == 9 { source.hands = [Self.hand(at: middle, score: score)] }
        var faces = first
        scene.picture.withPicture { picture in occlusion.update(&faces, picture, source) }
        isCovered.append(!faces[0].cover.isEmpty)
      }
      #expect(
        isCovered
          == [Bool](repeating: false, count: 9) + [Bool](repeating: isBelieved, count: 3))
      #expect(source.followed.isEmpty == !isBelieved)
    }
  }

  @Test func aHandWhoseArmAloneWouldBeBeforeTheFaceIsNotBelieved() throws {
    // An upright hand above the face, whose arm would go on down before it.
    let scene = try CoveredFilm.scene(nil)
    scene.draw(0)
    let box = try #require(try FaceFinder.faces(in: scene.picture).first).box.scaled(
      x: Double(CoverScene.width), y: Double(CoverScene.height))
    let above = Point(x: box.center.x, y: box.y - 45)
    let found = try Self.covers(nil, FixedHands([Self.hand(at: above)]), frames: 3)
    #expect(found.isCovered == [false, false, false])
    #expect(found.followed == [])
  }

  @Test func aHandBeforeAnUnknownFaceIsBelievedIfItIsCertain() throws {
    let center = Point(x: Double(CoverScene.width) / 2, y: 0.5 * Double(CoverScene.height))
    let certain = try Self.covers(nil, FixedHands([Self.hand(at: center)]), frames: 1)
    #expect(certain.isCovered == [true])
    #expect(certain.followed == [0])
    let doubtful = try Self.covers(nil, FixedHands([Self.hand(at: center, score: 0.6)]), frames: 1)
    #expect(doubtful.isCovered == [false])
    #expect(doubtful.followed == [])
  }

  @Test func handsFarFromFacesAreNotFollowed() throws {
    for place in [Point(x: 3000, y: 100), Point(x: -900, y: 50), Point(x: 15, y: 310)] {
      let found = try Self.covers(nil, FixedHands([Self.hand(at: place)]), frames: 3)
      #expect(found.isCovered == [false, false, false])
      #expect(found.followed == [], "\(place)")
    }
  }

  @Test func handsWithInvalidNumbersAreIgnored() throws {
    for value in [Double.nan, .infinity, 1e300, -1e9, 0] {
      var hand = Self.hand(at: Point(x: 160, y: 160))
      hand.points[5] = Point(x: value, y: 160)
      var small = Self.hand(at: Point(x: 160, y: 160))
      small.pixelsPerMetre = value
      let found = try Self.covers(nil, FixedHands([hand, small]), frames: 2)
      // A point at the left edge is far, but valid.
      if value != 0 { #expect(found.followed == [], "\(value)") }
    }
  }

  @Test func aCutForgetsHandsAndAHandIsFoundAgain() throws {
    let finder = try HandFinder.loaded()
    let scene = try CoveredFilm.scene(.hand)
    let occlusion = FaceOcclusion()
    scene.draw(0)
    let first = try FaceFinder.faces(in: scene.picture)
    func hands(_ frame: Int) -> Int {
      scene.draw(frame)
      var faces = first
      scene.picture.withPicture { picture in
        finder.begin(picture)
        occlusion.update(&faces, picture, finder)
      }
      return finder.hands.count
    }
    for frame in 0..<8 { #expect(hands(frame) == 0) }
    for frame in 14..<18 { _ = hands(frame) }
    #expect(hands(18) == 1)
    finder.reset()
    occlusion.reset()
    #expect(finder.hands.isEmpty)
    // The face is new again, so hands are sought at once.
    #expect(hands(18) == 1)
    // When it has gone it is not followed.
    for frame in 27..<31 { _ = hands(frame) }
    #expect(finder.hands.isEmpty)
  }

  @Test func aHandAtRestIsMeasuredInEverySecondPictureUnlessItIsWanted() throws {
    let scene = try CoveredFilm.scene(.hand)
    scene.draw(0)
    let first = try FaceFinder.faces(in: scene.picture)
    for wanted in [0, 1] {
      let finder = try HandFinder.loaded()
      let occlusion = FaceOcclusion()
      for number in 0..<24 {
        scene.draw(number < 4 ? 0 : 18)
        var faces = first
        scene.picture.withPicture { picture in
          finder.begin(picture, wanted: wanted)
          occlusion.update(&faces, picture, finder)
        }
        if number > 8 { #expect(finder.hands.count == 1) }
      }
      let count = finder.measurementCount
      #expect(wanted == 0 ? (9...14).contains(count) : count >= 18, "\(count)")
    }
  }
}
