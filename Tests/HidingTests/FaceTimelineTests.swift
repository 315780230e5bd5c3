import Faces
import Glibc
import Hiding
import Pixels
import Support
import Testing

/// Which faces are hidden in which frame.
@Suite(.timeLimit(.minutes(20))) struct FaceTimelineTests {
  private static let size = (width: 1000, height: 800)

  /// A face of 100 by 100 pixels round a place in pixels.
  private static func face(_ id: UInt32, _ x: Double, _ y: Double, size: Double = 100) -> Face {
    Face(
      id: id, confidence: 1,
      box: Rectangle(
        x: (x - size / 2) / 1000, y: (y - size / 2) / 800, width: size / 1000, height: size / 800))
  }

  /// What is hidden in each of some frames at 25 a second, `lookahead` kept back.
  private static func run(
    _ frames: [[Face]?], lookahead: Int = 0, hold: Double = 0.7, interval: Double = 0.04
  ) -> [[HiddenArea]] {
    let timeline = FaceTimeline()
    timeline.configure(width: size.width, height: size.height)
    var left: [[HiddenArea]] = []
    for (index, faces) in frames.enumerated() {
      timeline.enqueue(faces, time: Double(index) * interval)
      if index >= lookahead {
        timeline.dequeue(hold: hold)
        left.append(timeline.areas)
      }
    }
    while left.count < frames.count {
      timeline.dequeue(hold: hold)
      left.append(timeline.areas)
    }
    return left
  }

  @Test func aDetectedFaceIsHiddenAtItsPosition() {
    let areas = Self.run([[Self.face(1, 300, 400), Self.face(2, 700, 200)]])
    #expect(areas[0].map(\.id) == [1, 2])
    #expect(areas[0].allSatisfy { $0.cause == .seen && $0.errorBound == 0 })
    #expect(abs(areas[0][0].face.center.x - 300) < 1e-9 && areas[0][0].face.width == 100)
  }

  @Test func aBoxWithoutAMeshIsInexact() {
    let box = Self.face(1, 300, 400)
    // Points on a circle in the box, with the eyes level.
    var mesh = box
    mesh.landmarks = (0..<Face.landmarkCount).map { index in
      let angle = Double(index) / Double(Face.landmarkCount) * 2 * .pi
      return Landmark(x: Float(0.3 + 0.05 * cos(angle)), y: Float(0.5 + 0.0625 * sin(angle)), z: 0)
    }
    mesh.landmarks[MeshIndex.outerEyeCorners.left] = Landmark(x: 0.27, y: 0.48, z: 0)
    mesh.landmarks[MeshIndex.outerEyeCorners.right] = Landmark(x: 0.33, y: 0.48, z: 0)
    let areas = [box, mesh].map { Self.run([[$0]])[0][0] }
    let bounds = areas.map { $0.bounds(HideSettings()) }
    #expect(bounds[0].width > bounds[1].width + 20 && bounds[0].height > bounds[1].height + 20)
    #expect(Self.run([[box], []])[1][0].marginScale == areas[0].marginScale)
    var settings = HideSettings()
    settings.margin = 0
    let exact = areas.map { $0.bounds(settings) }
    #expect(abs(exact[0].width - exact[1].width) < 1 && abs(exact[0].width - 100) < 1)
  }

  @Test func aLostFaceIsHeldMovingAndGrowing() throws {
    // 10 pixels a frame to the right, then lost.
    let seen = (0..<20).map { [Self.face(1, 200 + 10 * Double($0), 400)] as [Face]? }
    let areas = Self.run(seen + [[Face]?](repeating: [], count: 30), hold: 0.6)
    // The usual margin.
    let margin = 25.0
    for index in 20..<34 {
      let (area, last) = (try #require(areas[index].first), try #require(areas[index - 1].first))
      #expect(area.cause == .held)
      #expect(area.face.center.x > last.face.center.x && area.errorBound > last.errorBound)
      // A face that goes on as it went is covered, and so is one that stopped.
      let (x, reach) = (area.face.center.x, area.errorBound + margin)
      #expect(abs(x - 390) <= reach && abs(x - (390 + 10 * Double(index - 19))) <= reach)
    }
    #expect(areas[36].isEmpty)
  }

  @Test func withoutHoldALostFaceIsDroppedAtOnce() {
    #expect(Self.run([[Self.face(1, 300, 400)], []], hold: 0)[1].isEmpty)
  }

  @Test func slowStreamsHoldAFaceForTwoFrames() {
    let areas = Self.run([[Self.face(1, 300, 400)], [], [], []], interval: 10)
    #expect(areas.map(\.count) == [1, 1, 1, 0])
  }

  @Test func aFaceIsHiddenBeforeItsFirstDetection() {
    // It comes from the left, 5 pixels a frame, and is found in frame 20.
    let frames = (0..<40).map { index -> [Face]? in
      index < 20 ? [] : [Self.face(1, 100 + 5 * Double(index), 400)]
    }
    for (lookahead, first) in [(0, 20), (5, 15), (15, 5)] {
      let areas = Self.run(frames, lookahead: lookahead)
      #expect(areas.firstIndex { !$0.isEmpty } == first)
      for index in first..<20 {
        #expect(areas[index][0].cause == .ahead)
        let away = abs(areas[index][0].face.center.x - (100 + 5 * Double(index)))
        // With the usual margin; nobody knows yet how it moves when the first of these leaves.
        #expect(away <= areas[index][0].errorBound + 25)
      }
    }
  }

  @Test func gapsBetweenDetectionsAreInterpolated() {
    let frames = (0..<30).map { index -> [Face]? in
      (10..<20).contains(index) ? [] : [Self.face(1, 100 + 20 * Double(index), 400)]
    }
    let areas = Self.run(frames, lookahead: 15)
    for index in 10..<20 {
      #expect(areas[index].count == 1 && areas[index][0].cause == .between)
      #expect(abs(areas[index][0].face.center.x - (100 + 20 * Double(index))) < 1e-6)
    }
  }

  @Test func facesWithoutIDsAreTrackedByPosition() {
    let frames = (0..<20).map { index -> [Face]? in
      if index == 10 { return [] }
      let faces = [
        Self.face(0, 200 + 5 * Double(index), 300), Self.face(0, 800 - 5 * Double(index), 500),
      ]
      return index % 2 == 0 ? faces : faces.reversed()
    }
    let areas = Self.run(frames, lookahead: 3)
    #expect(areas.allSatisfy { $0.count == 2 })
    let xs = areas[10].map(\.face.center.x).sorted()
    #expect(abs(xs[0] - 250) < 1 && abs(xs[1] - 750) < 1)
  }

  @Test func aFaceThatMayBeAnywhereHidesTheWholeFrame() {
    var lost = Self.face(1, 300, 400)
    lost.box.x = .nan
    let areas = Self.run([[lost]])
    #expect(areas[0].count == 1 && areas[0][0].cause == .unknown)
    #expect(areas[0][0].face.width >= 1000 && areas[0][0].face.height >= 800)
    #expect(Self.run([[Face](repeating: Self.face(0, 5, 5), count: 5000)])[0][0].cause == .unknown)
  }

  @Test func aFaceWithoutExtentMayBeAnywhere() {
    #expect(Self.run([[Self.face(1, 300, 400, size: 0)]])[0].map(\.cause) == [.unknown])
  }

  /// One detector's first face is another than the other detector's.
  @Test func equalIDsOfTwoDetectorsAreTwoFaces() {
    var other = Self.face(1, 700, 200)
    other.source = .region
    let areas = Self.run([[Self.face(1, 300, 400), other], [other], [Self.face(1, 300, 400)]])
    for areas in areas {
      #expect(areas.map(\.face.center.x) == [300, 700])
    }
    #expect(areas.map { $0.map(\.cause) } == [[.seen, .seen], [.held, .seen], [.seen, .held]])
  }

  /// As where a detector counts anew for each part of a frame.
  @Test func ofTwoFacesWithOneIDTheNearerContinuesTheTrack() {
    let (a, b) = (Self.face(1, 300, 400), Self.face(1, 700, 200))
    let areas = Self.run([[a, b], [b], [b, a]])
    #expect(areas.map { $0.map(\.face.center.x) } == [[300, 700], [300, 700], [300, 700]])
    #expect(areas[1].map(\.cause) == [.held, .seen])
  }

  @Test func moreFacesThanTracksHideTheWholeFrame() {
    // A thousand new ones in each frame, all of which would be held.
    let frames = (0..<6).map { frame -> [Face]? in
      (0..<1000).map { Self.face(UInt32(1 + 1000 * frame + $0), Double($0), 400) }
    }
    let areas = Self.run(frames, hold: 10)
    let isWhole = areas.map { $0.contains { $0.cause == .unknown } }
    #expect(isWhole == [false, false, false, false, true, true])
    #expect(areas.allSatisfy { $0.count <= 4097 })
  }

  @Test func meshPointsDetermineTheRegion() throws {
    // An ellipse, turned by 30 degrees.
    func place(_ u: Double, _ v: Double) -> Landmark {
      let (c, s) = (cosine(.pi / 6), sine(.pi / 6))
      return Landmark(
        x: Float((500 + u * c - v * s) / 1000), y: Float((400 + u * s + v * c) / 800), z: 0)
    }
    var mesh = Self.face(1, 500, 400)
    mesh.landmarks = (0..<468).map { index in
      let angle = Double(index) * 2 * .pi / 468
      return place(50 * cosine(angle), 70 * sine(angle))
    }
    (mesh.landmarks[33], mesh.landmarks[263]) = (place(-40, -15), place(40, -15))
    let (xs, ys) = (mesh.landmarks.map { Double($0.x) }, mesh.landmarks.map { Double($0.y) })
    mesh.box = Rectangle(
      from: Point(x: xs.min() ?? 0, y: ys.min() ?? 0),
      to: Point(x: xs.max() ?? 0, y: ys.max() ?? 0))
    let area = try #require(Self.run([[mesh]])[0].first)
    #expect(abs(area.face.angle - .pi / 6) < 0.01, "\(area.face.angle)")
    // Not as wide as the upright box.
    #expect(abs(area.face.width - 100) < 1 && mesh.box.width * 1000 > 110)
    #expect((area.face.center - Point(x: 500, y: 400)).length < 1)
  }

  @Test func meshesBesideTheMiddleOfTheBoxAreIgnored() {
    var face = Self.face(1, 300, 400)
    // A mesh as large as the box, half of its width to the right.
    face.landmarks = (0..<468).map { index in
      let angle = Double(index) * 2 * .pi / 468
      return Landmark(
        x: Float((350 + 50 * cosine(angle)) / 1000), y: Float((400 + 50 * sine(angle)) / 800), z: 0)
    }
    #expect(Self.run([[face]])[0][0].face.center.x == 300)
  }

  @Test func framesWithoutMetadataAreReportedAsUnknown() {
    let timeline = FaceTimeline()
    timeline.configure(width: 10, height: 10)
    for faces in [[], nil, []] as [[Face]?] {
      timeline.enqueue(faces, time: nil)
      timeline.dequeue(hold: 0.7)
      #expect(timeline.isKnown == (faces != nil))
    }
    timeline.dequeue(hold: 0.7)
    #expect(!timeline.isKnown)
  }

  @Test func facesOfAnotherPictureHideTheWholeFrame() {
    let timeline = FaceTimeline()
    timeline.configure(width: 1000, height: 800)
    for (faces, isKnown) in [([Self.face(1, 5, 5)], true), ([], false), (nil, false)]
      as [([Face]?, Bool)]
    {
      timeline.enqueue(faces, time: nil, arePositionsValid: false)
      timeline.dequeue(hold: 0.7)
      #expect(timeline.isKnown == isKnown)
      #expect(timeline.areas.map(\.cause) == (isKnown ? [.unknown] : []))
    }
  }

  @Test func theHiddenAreaRotatesWithTheHead() {
    var face = Self.face(1, 300, 400)
    face.keypoints = [Point(x: 0.28, y: 0.48), Point(x: 0.31, y: 0.5175)]
    let area = Self.run([[face]])[0][0]
    #expect(abs(area.face.angle - .pi / 4) < 1e-6)
  }

  @Test func tracksContinueWhenTheFrameSizeChanges() {
    let timeline = FaceTimeline()
    timeline.configure(width: 1000, height: 800)
    timeline.enqueue([Self.face(1, 300, 400)], time: 0)
    timeline.dequeue(hold: 0.7)
    timeline.configure(width: 500, height: 400)
    timeline.enqueue([], time: 0.04)
    timeline.dequeue(hold: 0.7)
    #expect(timeline.areas.count == 1 && timeline.areas[0].face.center == Point(x: 150, y: 200))
  }
}
