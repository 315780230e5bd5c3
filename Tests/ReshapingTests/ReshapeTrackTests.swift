import Faces
import Pixels
import Reshaping
import Support
import Testing

/// Faces that come, go and stay: nothing springs.
@Suite(.timeLimit(.minutes(20))) struct ReshapeTrackTests {
  private static let frame = (width: 400, height: 300)
  private static let interval = 1.0 / 30

  private static func face(_ x: Double, id: UInt32 = 1, width: Double = 90) -> Face {
    MadeFaces.face(x, 150, width: width, in: frame, id: id)
  }

  /// Where a pixel beside the jaw is taken from, in each of some frames.
  private static func offsets(
    _ frames: [[Face]], at place: Point = Point(x: 200 + 40, y: 165), largestOnly: Bool = false
  ) -> [Double] {
    let reshaper = FaceReshaper()
    reshaper.configure(
      VideoFormat(
        format: .gray8, width: frame.width, height: frame.height, colorimetry: .bt601))
    return frames.map { faces in
      _ = reshaper.advance(
        faces, .with { $0.slim = 1 }, largestOnly: largestOnly, elapsed: interval)
      return (reshaper.source(of: place) - place).length
    }
  }

  @Test func facesOfTheFirstFrameAreReshapedAtOnce() {
    let offsets = Self.offsets([[Self.face(200)], [Self.face(200)]])
    #expect(offsets[0] > 4 && offsets[0] == offsets[1])
  }

  @Test func aLaterFaceFadesIn() {
    let offsets = Self.offsets([[]] + Array(repeating: [Self.face(200)], count: 9))
    #expect(offsets[0] == 0 && offsets[8] == offsets[9])
    let most = 0.18 * offsets[9]
    for (a, b) in zip(offsets, offsets.dropFirst()) { #expect((0...most).contains(b - a)) }
    #expect(offsets[1] > 0 && offsets[6] > 0.95 * offsets[9])
  }

  @Test func aLostFaceFadesOutAndIsDropped() {
    let offsets = Self.offsets(
      Array(repeating: [Self.face(200)], count: 6) + Array(repeating: [], count: 8))
    let most = 0.24 * offsets[5]
    for (a, b) in zip(offsets[5...], offsets[6...]) { #expect((0...most).contains(a - b)) }
    #expect(offsets[6] > 0 && offsets[10] == 0 && offsets[13] == 0)
  }

  @Test func aFaceFoundAgainContinues() {
    let there = Array(repeating: [Self.face(200)], count: 6)
    let again = Self.offsets(there + [[]] + there)
    let renamed = Self.offsets(there + [[]] + there.map { _ in [Self.face(200, id: 9)] })
    let swapped = Self.offsets(there + there.map { _ in [Self.face(200, id: 9)] })
    #expect(again == renamed)
    #expect(again[6] > 3 && again[7] > again[6] && again[9] == again[0])
    #expect(swapped.allSatisfy { $0 == swapped[0] })
  }

  @Test func theReshapingOfALostFaceKeepsItsVelocity() {
    let moving = (0..<20).map { [Self.face(100 + 5 * Double($0))] }
    let place = Point(x: 200 + 40, y: 165)
    let held = Self.offsets(moving + [[]], at: place)
    // Half way up to the next place of its edge, though a quarter of it has faded.
    let there = Self.offsets(moving + [[Self.face(200)]], at: place)
    #expect(abs(held[20] - there[20] * 0.78) < 0.12 * there[20])
  }

  @Test func reshapingFadesWhenTheLargestFaceChanges() {
    func both(_ width: Double) -> [Face] {
      [Self.face(90, id: 1, width: 70), Self.face(200, id: 2, width: width)]
    }
    let offsets = Self.offsets(
      Array(repeating: both(60), count: 5) + Array(repeating: both(74), count: 9),
      largestOnly: true)
    let alone = Self.offsets([[Self.face(200, width: 74)]])[0]
    #expect(offsets[4] < 0.2 * alone && abs(offsets[13] - alone) < 0.01 * alone)
    for (a, b) in zip(offsets[4...], offsets[5...]) {
      #expect((0...(0.18 * alone)).contains(b - a))
    }
  }

  @Test func aFaceThatIsReportedTwiceIsReshapedOnce() {
    let once = Self.offsets([[Self.face(200)]])
    #expect(Self.offsets([[Self.face(200), Self.face(201, id: 2)]]) == once)
  }

  @Test func aConstantMeshGivesAConstantPicture() {
    let reshaper = FaceReshaper()
    let picture = OwnedPicture.noise(.nv12, 400, 300)
    reshaper.configure(picture.video)
    let results = (0..<10).map { _ in
      let picture = OwnedPicture.noise(.nv12, 400, 300)
      picture.withPicture { picture in
        if reshaper.advance([Self.face(200)], .with { $0.slim = 0.7 }, elapsed: Self.interval) {
          reshaper.process(picture, runner: SerialRunner())
        }
      }
      return picture.tightBytes
    }
    #expect(results.allSatisfy { $0 == results[0] } && results[0] != picture.tightBytes)
  }
}
