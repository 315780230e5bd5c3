import Faces
import Inference
import Pixels
import Support
import Testing

@testable import Vision

@Suite(.timeLimit(.minutes(20))) struct TilingTests {
  private func tiling(_ number: Int, _ width: Double, _ height: Double) -> Tiling {
    let frame = Rectangle(x: 0, y: 0, width: width, height: height)
    let size = YuNet.inputSize(of: frame, longerSide: 320)
    return Tiling(number, of: frame, width: size.width, height: size.height)
  }

  @Test(arguments: [
    (2, 1920.0, 1080.0, 4), (3, 1920, 1080, 9), (2, 640, 640, 4), (3, 400, 1600, 9),
    (1, 1920, 1080, 1), (3, 4000, 100, 3),
  ])
  func tilesCoverThePictureAndOverlap(number: Int, width: Double, height: Double, count: Int) {
    let tiling = tiling(number, width, height)
    #expect(tiling.tiles.count == count)
    for (y, x) in product(
      stride(from: 1, to: height, by: height / 40), stride(from: 1, to: width, by: width / 40))
    {
      let inside = tiling.tiles.filter {
        x >= $0.x && x <= $0.maxX && y >= $0.y && y <= $0.maxY
      }
      // Up to three hundredths of a tile may be uncovered, half of them on each side.
      let isMargin = min(y, height - y) < 0.015 * tiling.tiles[0].height
      #expect(!inside.isEmpty || isMargin, "\(x) \(y)")
    }
    for (a, b) in zip(tiling.tiles, tiling.tiles.dropFirst()) where a.y == b.y {
      #expect(a.maxX - b.x > 0.13 * a.width)
    }
  }

  @Test func aFaceCutByATileIsLeftToTheNextTile() {
    let tiling = tiling(2, 1920, 1080)
    let (left, right) = (tiling.tiles[0], tiling.tiles[1])
    let between = Rectangle(x: left.maxX - 60, y: 200, width: 60, height: 60)
    #expect(tiling.isCut(between, by: left))
    #expect(!tiling.isCut(between, by: right))
    #expect(tiling.nearestTile(to: between) == 1)
    // The edge of the picture cuts nothing that another tile contains.
    #expect(!tiling.isCut(Rectangle(x: 0, y: 200, width: 60, height: 60), by: left))
  }

  @Test func detectionsInTwoTilesAreMerged() {
    func face(_ x: Double, _ score: Double, samples: Double = 20, size: Double = 10)
      -> Detection
    {
      let box = Rectangle(x: x, y: 0, width: size, height: size)
      var detection = Detection(score: score, box: box, keypoints: [], network: .yuNet)
      detection.samples = samples
      return detection
    }
    let faces = FaceSearcher.mergeDuplicates([
      face(0, 0.6), face(2, 0.9), face(30, 0.7), face(31, 0.5),
    ])
    #expect(faces.map(\.score) == [0.9, 0.7])
    // The whole picture shows the two as one larger face.
    let both = FaceSearcher.mergeDuplicates([
      face(0, 0.95, samples: 9, size: 30), face(0, 0.6), face(15, 0.7),
    ])
    #expect(both.map(\.score) == [0.7, 0.6])
  }

  private func request(faces: Int, level: Int = 0, isDue: Bool = true) -> SearchSchedule.Request {
    SearchSchedule.Request(
      faces: faces, isDue: isDue, targets: [], level: level, tileCounts: [1, 4, 9], mayRest: true)
  }

  @Test func aFilmWithoutFacesIsSearchedEverySecondPicture() {
    var schedule = SearchSchedule()
    let searches = (0..<16).map { _ in schedule.next(.auto, request(faces: 0)) }
    #expect(searches.count { $0 == [.whole] } == 8)
    #expect(
      searches.filter { $0.contains { if case .tile = $0 { true } else { false } } } == [
        [.tile(level: 1, index: 0)], [.tile(level: 1, index: 1)],
      ])
    #expect(searches.count { $0.isEmpty } == 3)
  }

  @Test func searchesForNewFacesCostNoExtraRuns() {
    var schedule = SearchSchedule()
    let searches = (0..<18).map { _ in schedule.next(.auto, request(faces: 1)) }
    #expect(searches.allSatisfy { $0.count == 1 })
    #expect(searches.count { $0 == [.whole] } == 12)
    #expect(schedule.next(.auto, request(faces: 1, isDue: false)).isEmpty)
  }

  @Test func allTilesAreSearchedWhetherFacesAreKnownOrNot() {
    for faces in [0, 3] {
      var schedule = SearchSchedule()
      for _ in 0..<16 {
        var request = request(faces: faces, level: 2)
        (request.mayRest, request.targets) = (false, [.tile(level: 2, index: 4)])
        let searches = schedule.next(.three, request)
        #expect(searches.contains(.whole))
        for index in 0..<9 {
          #expect(searches.count { $0 == .tile(level: 2, index: index) } == 1)
        }
      }
    }
  }

  @Test func nothingNewIsSearchedWhileAllFacesThatAreReportedAreTracked() {
    var schedule = SearchSchedule()
    var request = request(faces: 30, level: 2)
    request.isFull = true
    #expect(schedule.next(.auto, request).isEmpty)
    request.targets = [.whole]
    #expect(schedule.next(.auto, request) == [.whole])
  }

  @Test func aCrowdIsSearchedInTurn() {
    var schedule = SearchSchedule()
    let searches = (0..<10).flatMap { _ in
      schedule.next(.auto, request(faces: 30, level: 2, isDue: false))
    }
    #expect(searches.count == 20)
    for index in 0..<9 {
      #expect(searches.count { $0 == .tile(level: 2, index: index) } == 2)
    }
    #expect(searches.contains(.whole) && searches.contains(.turned(upsideDown: false)))
  }

  /// 20 pictures of 14 faces, 1/60 to 1/25 of the picture's width.
  @Test func smallFacesOfSyntheticGroupsAreDetected() throws {
    var settings = FaceFinder.Settings()
    settings.expressions = false
    let crowd = try Crowd(width: 1920, height: 1080)
    var (there, found, wrong, before) = (0, 0, 0, 0)
    for number in 0..<20 {
      crowd.draw(14, widths: 1920.0 / 60...1920.0 / 25, seed: UInt64(number))
      for tiles in [Tiles.auto, .none] {
        settings.tiles = tiles
        let finder = try FaceFinder.loaded(settings)
        let faces = try crowd.picture.withPicture {
          (picture: borrowing Picture) throws(ModelError) in
          try finder.process(picture, time: nil, isPaced: false, settings: settings)
        }.map {
          Rectangle(
            x: $0.box.x * 1920, y: $0.box.y * 1080, width: $0.box.width * 1920,
            height: $0.box.height * 1080)
        }
        let hits = crowd.faces.count { truth in faces.contains { $0.iou(truth) > 0.35 } }
        guard tiles == .auto else {
          before += hits
          continue
        }
        there += crowd.faces.count
        found += hits
        wrong += faces.count { face in !crowd.faces.contains { $0.iou(face) > 0.1 } }
      }
    }
    #expect(
      there == 280 && found >= 252 && wrong <= 2,
      "\(found) found, \(wrong) false, without tiles \(before)")
    #expect(before < found)
  }
}
