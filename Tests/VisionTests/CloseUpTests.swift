import Files
import Inference
import Pixels
import Support
import Testing
import Threads

@testable import Vision

/// Close-ups: searches of the surroundings of a face, with as many samples as it needs.
@Suite(.timeLimit(.minutes(20))) struct CloseUpTests {
  /// Runs `body` with a searcher and a picture of small faces, about 26 pixels wide.
  private func search(
    _ places: [Point],
    _ body: (FaceSearcher, borrowing Picture, FaceSearcher.Context) throws -> Void
  ) throws {
    let film = try Film(width: 960, height: 540)
    film.draw(places.map { Film.place(at: $0, scale: 0.29) })
    let searcher = FaceSearcher()
    let path = FilePath(Photograph.models + "/" + YuNet.fileName)
    try searcher.install(ONNXModel(path: path), threads: nil)
    try film.frame.withPicture { (picture: borrowing Picture) throws in
      let view = UprightView(picture, .up)
      try searcher.configure(view.frame)
      try body(
        searcher, picture,
        FaceSearcher.Context(
          view: view, tiles: .auto, minConfidence: 0.25, gain: 1, cancellation: CancellationFlag()))
    }
  }

  @Test func aSmallFaceIsCertainInACloseUpAndNoFaceIsRefused() throws {
    let place = Point(x: 300, y: 200)
    try search([place]) { searcher, picture, context in
      var coarse = Detection(
        score: 0.5, box: Rectangle(x: place.x - 13, y: place.y - 16, width: 26, height: 32),
        keypoints: [], network: .yuNet)
      coarse.samples = 11
      #expect(searcher.isUncertain(coarse) && FaceSearcher.isCoarse(coarse))
      let exact = try #require(try searcher.inCloseUp(coarse, in: picture, context))
      #expect(exact.samples > 20 && exact.score > 0.75)
      #expect(exact.box.iou(coarse.box) > 0.5)
      var elsewhere = coarse
      elsewhere.box.x += 60
      #expect(try searcher.inCloseUp(elsewhere, in: picture, context) == nil)
      elsewhere.box.x += 400
      #expect(try searcher.inCloseUp(elsewhere, in: picture, context) == nil)
    }
  }

  @Test func aCloseUpCoversTheFaceAndItsNeighboursButNoLargerOnes() throws {
    try search([]) { searcher, _, _ in
      let face = Rectangle(x: 300, y: 200, width: 24, height: 30)
      func covers(_ x: Double, _ size: Double) -> Bool {
        searcher.covers([.near(face)], Rectangle(x: x, y: 200, width: size, height: size))
      }
      #expect(covers(300, 24) && covers(330, 24) && covers(280, 40))
      #expect(!covers(360, 24) && !covers(270, 90) && !covers(305, 10))
      #expect(searcher.coversExactly([.whole], Rectangle(x: 0, y: 0, width: 60, height: 70)))
      #expect(!searcher.coversExactly([.whole, .near(face)], face))
    }
  }

  @Test func theMeshNetworkAloneStartsNoFaceInAFilm() {
    let box = Rectangle(x: 300, y: 200, width: 60, height: 70)
    let eyes = [Point(x: 315, y: 225), Point(x: 345, y: 225)]
    for (score, isStill, isFace) in [(0.45, false, false), (0.8, false, true), (0.45, true, true)] {
      var tracker = FaceTracker()
      tracker.begin(time: 1, frame: Rectangle(x: 0, y: 0, width: 960, height: 540))
      var detection = Detection(score: score, box: box, keypoints: eyes, network: .yuNet)
      detection.samples = 32
      let candidate = tracker.match([detection]) { _ in true }[0]
      let track = tracker.accept(
        candidate, Observation(detection), probability: 0.99, limit: 4,
        rule: ConfirmationRule(minimumScore: 0.5, hasMesh: true, isStill: isStill))
      #expect((track != nil) == isFace, "\(score)")
    }
  }

  /// A crowd's lost faces have close-ups; searches are for new ones.
  @Test func aCrowdIsSearchedForNewFacesOnly() {
    for (hasCloseUps, count) in [(false, 10), (true, 0)] {
      var schedule = SearchSchedule()
      var targets = 0
      for _ in 0..<10 {
        let searches = schedule.next(
          .auto,
          SearchSchedule.Request(
            faces: 30, isDue: false, targets: [.tile(level: 1, index: 3)],
            hasCloseUps: hasCloseUps, level: 2, tileCounts: [1, 4, 9], mayRest: true))
        targets += searches.count { $0 == .tile(level: 1, index: 3) }
      }
      #expect(targets == count)
    }
  }
}
