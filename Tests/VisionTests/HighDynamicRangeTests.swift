import Faces
import Filters
import Glibc
import Pixels
import Support
import Testing

@testable import Vision

/// Faces in streams of high dynamic range, of which detectors see a tone-mapped copy.
@Suite(.timeLimit(.minutes(20))) struct HighDynamicRangeTests {
  /// The signal of light in units of reference white, 203 nits (ST 2084, ARIB STD-B67).
  private static func signal(_ light: Double, _ transfer: Transfer) -> Double {
    switch transfer {
    case .standard: return pow(light, 1 / 2.4)
    case .pq:
      let power = pow(light * 203 / 10000, 0.1593017578125)
      return pow((0.8359375 + 18.8515625 * power) / (1 + 18.6875 * power), 78.84375)
    case .hlg:
      let scene = light * 0.265
      return scene <= 1.0 / 12
        ? (3 * scene).squareRoot()
        : 0.17883277 * log(12 * scene - 0.28466892) + 0.55991073
    }
  }

  /// A picture of standard range as a stream of high range would carry it.
  private static func graded(
    _ picture: OwnedPicture, _ format: PixelFormat, _ transfer: Transfer
  ) -> OwnedPicture {
    let isRGB = picture.format.family == .rgb
    let colors = isRGB ? .bt709 : picture.colorimetry
    let result = OwnedPicture(
      VideoFormat(
        format: format, width: picture.width, height: picture.height, colorimetry: colors,
        transfer: transfer))
    let table = (0...1023).map { signal(pow(Double($0) / 1023, 2.4), transfer) * 255 }
    func changed(_ code: Float) -> Float {
      Float(table[Int(min(max(code, 0), 255) * 1023 / 255)])
    }
    let codes = picture.codes
    for component in 0..<3 {
      result.fillCodes(component) { x, y in
        let place = y * picture.width + x
        let own = (Float(codes[0][place]), Float(codes[1][place]), Float(codes[2][place]))
        let rgb =
          isRGB ? (r: own.0, g: own.1, b: own.2) : colors.rgb(y: own.0, cb: own.1, cr: own.2)
        let ycc = colors.ycc(r: changed(rgb.r), g: changed(rgb.g), b: changed(rgb.b))
        let code = component == 0 ? ycc.y : component == 1 ? ycc.cb : ycc.cr
        return Int(min(max((code * 4).rounded(), 0), 1023))
      }
    }
    return result
  }

  @Test(arguments: [Transfer.pq, .hlg])
  func theFaceIsWhereItIsInStandardRange(transfer: Transfer) throws {
    let picture = try Photograph.load(.y444, colorimetry: .bt709)
    let detector = try FaceDetectorTests.detector()
    let expected = try #require(try detector.detected(in: picture).first)
    let graded = Self.graded(picture, .y444Ten, transfer)
    let copy = try #require(EightBitCopy(graded.video, showsStandardRange: true))
    graded.withPicture { copy.update($0) }
    let faces = try detector.detected(in: copy.picture)
    #expect(faces.count == 1)
    let face = try #require(faces.first)
    let side = expected.box.width
    #expect(abs(face.box.center.x - expected.box.center.x) < 0.03 * side)
    #expect(abs(face.box.center.y - expected.box.center.y) < 0.03 * side)
    #expect(abs(face.box.width / side - 1) < 0.03)
    #expect(face.score > 0.9 * expected.score, "\(face.score), \(expected.score)")
  }

  /// Groups of small faces, each in all three kinds of stream.
  @Test func asManyFacesAreFoundAsInStandardRange() throws {
    let crowd = try Crowd(width: 960, height: 540)
    var settings = FaceFinder.Settings()
    settings.expressions = false
    /// The faces of the crowd that are found, by their number.
    func found(_ transfer: Transfer) throws -> [Int: Rectangle] {
      let graded = Self.graded(crowd.picture, .y444Ten, transfer)
      let copy = try #require(EightBitCopy(graded.video, showsStandardRange: true))
      graded.withPicture { copy.update($0) }
      let boxes = try FaceFinder.loaded(settings).found(
        in: copy.picture, time: nil, settings: settings
      ).map {
        Rectangle(
          x: $0.box.x * 960, y: $0.box.y * 540, width: $0.box.width * 960,
          height: $0.box.height * 540)
      }
      var result: [Int: Rectangle] = [:]
      for (number, truth) in crowd.faces.enumerated() {
        result[number] = boxes.first { $0.iou(truth) > 0.35 }
      }
      return result
    }
    var (expected, counts) = (0, [Transfer.pq: 0, .hlg: 0])
    // As fractions of the faces' widths.
    var distances: [Double] = []
    for seed in 0..<8 {
      crowd.draw(14, widths: 30...80, seed: UInt64(seed))
      let standard = try found(.standard)
      expected += standard.count
      for transfer in [Transfer.pq, .hlg] {
        let faces = try found(transfer)
        counts[transfer, default: 0] += faces.count
        for (number, box) in faces {
          guard let own = standard[number] else { continue }
          let distance = max(
            abs(box.center.x - own.center.x), abs(box.center.y - own.center.y),
            abs(box.width - own.width), abs(box.height - own.height))
          distances.append(distance / own.width)
        }
      }
    }
    #expect(expected > 95)
    #expect(counts.values.allSatisfy { $0 * 100 >= expected * 99 }, "\(counts) of \(expected)")
    // Three hundredths of the smallest are less than a pixel.
    let moved = distances.count { $0 >= 0.03 }
    #expect(moved * 50 <= distances.count, "\(moved) of \(distances.count) boxes moved")
  }

  @Test func standardRangeIsRoundedAlone() throws {
    let picture = try Photograph.load(.y444, width: 64, height: 64).deepened(.y444Ten, seed: 3)
    let (plain, mapped) = (
      try #require(EightBitCopy(picture.video)),
      try #require(EightBitCopy(picture.video, showsStandardRange: true))
    )
    picture.withPicture {
      plain.update($0)
      mapped.update($0)
    }
    #expect(plain.picture.codes == mapped.picture.codes)
  }

  /// Black stays black, reference white becomes nearly white, and no signal is brighter than white.
  @Test(arguments: [Transfer.pq, .hlg]) func signalsRiseFromBlackToWhite(transfer: Transfer) {
    let shown = (0...100).map { transfer.standardSignal(Double($0) / 100) }
    #expect(shown[0] < 0.01 && shown[100] <= 1 && shown[100] > 0.99)
    #expect(zip(shown, shown.dropFirst()).allSatisfy { $0 <= $1 })
    let white = transfer.standardSignal(Self.signal(1, transfer))
    #expect(white > 0.88 && white < 0.97, "\(white)")
    // Below six tenths of white all is as it was.
    for light in [0.02, 0.18, 0.5] {
      let own = transfer.standardSignal(Self.signal(light, transfer))
      #expect(abs(own - Self.signal(light, .standard)) < 0.01)
    }
  }
}
