import Faces
import Pixels
import Reshaping
import Support
import Testing
import Threads

/// Reshaping beside what covers a face, and beside another head.
@Suite(.timeLimit(.minutes(20))) struct CoveredFaceTests {
  private static let video = VideoFormat(
    format: .gray8, width: 400, height: 400, colorimetry: .bt601)

  @Test func whatCoversTheFaceIsNotMoved() {
    var face = MadeFaces.face(200, 190, width: 120, in: (400, 400))
    // The lower half of the frame.
    (face.cover.width, face.cover.height) = (8, 8)
    face.cover.region = Rectangle(x: 0.25, y: 0.5, width: 0.5, height: 0.25)
    face.cover.alpha = Array(repeating: 255, count: 64)
    var settings = ReshapeSettings()
    (settings.slim, settings.mouth, settings.eyes) = (1, 1, 1)
    let reshaper = FaceReshaper.ready([face], settings, Self.video)
    for y in stride(from: 216.0, to: 284, by: 9) {
      for x in stride(from: 122.0, to: 278, by: 9) {
        #expect(reshaper.source(of: Point(x: x, y: y)) == Point(x: x, y: y))
      }
    }
    // The eyes are larger, and nothing folds at the edge of the cover.
    var largest = 0.0
    for x in stride(from: 150.0, to: 250, by: 3) {
      let point = Point(x: x, y: 165)
      largest = max(largest, (reshaper.source(of: point) - point).length)
    }
    #expect(largest > 1)
    #expect(reshaper.leastArea(Point(x: 30, y: 10), Point(x: 380, y: 370), every: 4.3) > 0.3)
  }

  /// Two heads meet: the displacement of neither changes by much from frame to frame.
  @Test func meetingHeadsAreEased() {
    var settings = ReshapeSettings()
    (settings.distortion, settings.amount) = (.bulge, 0.8)
    let reshaper = FaceReshaper()
    reshaper.configure(Self.video)
    var (last, worst, range) = (Double?.none, 0.0, (Double.infinity, 0.0))
    for frame in 0..<50 {
      let way = 150 - 3 * Double(min(frame, 40))
      let faces = [
        MadeFaces.face(200 - way / 2 - 40, 200, width: 70, in: (400, 400), id: 1),
        MadeFaces.face(200 + way / 2 + 40, 200, width: 70, in: (400, 400), id: 2),
      ]
      _ = reshaper.advance(faces, settings, elapsed: 1.0 / 30)
      var largest = 0.0
      for x in stride(from: -20.0, through: 20, by: 2) {
        for y in stride(from: -20.0, through: 20, by: 4) {
          let point = Point(x: 200 - way / 2 - 40 + x, y: 200 + y)
          largest = max(largest, (reshaper.source(of: point) - point).length)
        }
      }
      if let last, frame > 3 { worst = max(worst, abs(largest - last)) }
      range = (min(range.0, largest), max(range.1, largest))
      last = largest
      #expect(reshaper.leastArea(Point(x: 10, y: 60), Point(x: 390, y: 340), every: 9.3) > 0.3)
    }
    // From all to nothing in ten frames or more.
    #expect(range.1 > 1.5 * range.0)
    #expect(worst <= 0.11 * range.1, "\(worst) of \(range)")
  }
}
