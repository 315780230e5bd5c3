import Faces
import Inference
import Pixels
import Support
import Testing

@testable import Vision

/// Faces that are followed by their picture, and dark pictures.
@Suite(.timeLimit(.minutes(20))) struct FaceTemplateTests {
  /// The box of the head's face in a film, which is 90 x 100 pixels in the photograph.
  private func box(at place: Point, scale: Double) -> Rectangle {
    Rectangle(
      x: place.x - 45 * scale, y: place.y - 50 * scale, width: 90 * scale, height: 100 * scale)
  }

  /// Matches the template of a face at one place in the frame where it is at another.
  private func match(
    _ orientation: Orientation, from: Point, to place: Point, scale: Double
  ) throws -> FaceTemplate.Match? {
    let film = try Film(width: 320, height: 240)
    let scratch = FaceTemplate.Scratch()
    film.draw([Film.place(at: from, scale: scale)])
    let template = film.frame.withPicture { picture in
      let view = UprightView(picture, orientation)
      return FaceTemplate(picture, view, box(at: from, scale: scale), scratch)
    }
    film.draw([Film.place(at: place, scale: scale)])
    return film.frame.withPicture { picture in
      template?.match(
        picture, UprightView(picture, orientation), near: box(at: from, scale: scale), scratch)
    }
  }

  @Test(arguments: [
    (0.3 as Double, Point(x: 7, y: -3)), (0.3, Point(x: -6.5, y: 5.25)),
    (1.0, Point(x: 24, y: -20)),
    (1.0, Point(x: 0, y: 0.5)), (0.6, Point(x: -17, y: -12)),
  ])
  func aFaceIsFoundWhereItMovedTo(scale: Double, offset: Point) throws {
    let start = Point(x: 150, y: 125)
    let found = try #require(
      try match(.up, from: start, to: start + offset, scale: scale))
    #expect(found.correlation > 0.9)
    // Half a sample of the template; one is a twenty-fourth of the face.
    #expect((found.center - (start + offset)).length < 0.5 * 100 * scale / 24)
  }

  @Test func noContrastIsNoTemplate() {
    let picture = OwnedPicture(format: .gray8, width: 64, height: 64, colorimetry: .bt601)
    let scratch = FaceTemplate.Scratch()
    picture.withPicture { picture in
      let view = UprightView(picture, .up)
      for box in [
        Rectangle(x: 10, y: 10, width: 30, height: 40),
        Rectangle(x: -90, y: 4, width: 9, height: 9),
      ] {
        #expect(FaceTemplate(picture, view, box, scratch) == nil)
      }
    }
  }

  @Test func aFaceWithoutMeshIsFollowedBetweenSearches() throws {
    var settings = TrackingTests.plain
    settings.landmarks = false
    settings.detectInterval = 30
    let film = try Film(width: 420, height: 260)
    let finder = try FaceFinder.loaded(settings)
    for frame in 0..<60 {
      let place = Point(x: 90 + 4 * Double(frame), y: 130)
      film.draw([Film.place(at: place, scale: 0.8)])
      let faces = try finder.found(in: film.frame, frame: frame, settings: settings)
      #expect(faces.map(\.id) == [1], "frame \(frame)")
      guard let box = faces.first?.box else { continue }
      let found = Point(x: box.center.x * 420, y: box.center.y * 260)
      #expect((found - place).length < 8, "frame \(frame)")
    }
  }

  /// No other face is searched for, so only the followed one can ask for a search.
  @Test func theOnlyFaceThatIsReportedIsNeverLostWithoutMesh() throws {
    var settings = TrackingTests.plain
    (settings.landmarks, settings.maxFaces) = (false, 1)
    let film = try Film(width: 320, height: 240)
    let finder = try FaceFinder.loaded(settings)
    for frame in 0..<75 {
      film.draw([Film.place(at: Point(x: 110 + Double(frame), y: 120), scale: 0.8)])
      let faces = try finder.found(in: film.frame, frame: frame, settings: settings)
      #expect(faces.map(\.id) == [1], "frame \(frame)")
    }
  }

  /// The photograph with codes multiplied by `factor`.
  private func darkened(_ factor: Double) throws -> OwnedPicture {
    let picture = try Photograph.load(.rgb)
    picture.withPicture { picture in
      for y in 0..<picture.height {
        let row = picture.plane(0).row(y)
        for x in 0..<row.count { row[x] = UInt8(Double(row[x]) * factor) }
      }
    }
    return picture
  }

  @Test func onlyDarkPicturesAreBrightened() throws {
    var exposure = Exposure()
    func gain(_ picture: OwnedPicture) -> Float { picture.withPicture { exposure.gain(of: $0) } }
    #expect(gain(try Photograph.load(.rgb)) == 1)
    #expect(gain(try Photograph.load(.nv12)) == 1)
    let gains = try [0.5, 0.3, 0.1, 0].map { gain(try darkened($0)) }
    #expect(gains.allSatisfy { $0 <= 5 } && gains == gains.sorted())
    #expect(gains[1] > 2.5 && gains[3] == 5)
  }

  /// A sixteenth of the light is about 0.28 of the codes.
  @Test func aFaceInTheDarkIsFoundWithItsMesh() throws {
    let face = try #require(try FaceFinder.faces(in: darkened(0.28)).first)
    let bright = try #require(try FaceFinder.faces(in: Photograph.load(.rgb)).first)
    #expect(face.box.iou(bright.box) > 0.95)
    #expect(face.landmarks.count == Face.landmarkCountWithIrises)
  }

  @Test func confidenceIsOnOneScale() {
    for (score, confidence) in [(0.0, 0.0), (0.33, 0.3), (0.6, 0.5), (0.675, 0.575), (1, 1)] {
      #expect(abs(YuNet.confidence(ofScore: score) - confidence) < 1e-9)
      #expect(abs(YuNet.score(ofConfidence: confidence) - score) < 1e-9)
    }
  }
}
