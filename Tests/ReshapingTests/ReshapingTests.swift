import Faces
import Pixels
import Reshaping
import Support
import Testing
import Threads

/// What reshaping may do to pixels, and what not, on made faces.
@Suite(.timeLimit(.minutes(20))) struct ReshapingTests {
  private static func video(
    _ format: PixelFormat, _ width: Int, _ height: Int, site: ChromaSite = .mpeg2
  ) -> VideoFormat {
    VideoFormat(
      format: format, width: width, height: height,
      colorimetry: format.colorimetry(.bt601), chromaSite: site)
  }

  @Test func nothingIsFoldedAtAnyLimit() {
    let video = Self.video(.gray8, 400, 400)
    for (roll, side) in [(0.0, 0.0), (33, 0), (0, 0.8), (-70, -1)] {
      let face = MadeFaces.face(
        203, 190, width: 120, in: (video.width, video.height), roll: roll, side: side)
      for settings in MadeFaces.limits {
        let reshaper = FaceReshaper.ready([face], settings, video)
        let least = reshaper.leastArea(
          Point(x: 30, y: 10), Point(x: 380, y: 370), every: 4.3)
        #expect(least > 0.3, "\(settings)")
      }
    }
  }

  @Test(arguments: [2, 3, 64])
  func overlappingFacesDoNotFold(count: Int) {
    let video = Self.video(.gray8, 500, 400)
    var random = SplitMix(UInt64(count))
    for settings in MadeFaces.limits {
      let faces = (0..<count).map { index in
        MadeFaces.face(
          130 + Double(random.below(240)), 120 + Double(random.below(160)),
          width: 50 + Double(random.below(80)), in: (video.width, video.height),
          id: UInt32(index + 1))
      }
      let reshaper = FaceReshaper.ready(faces, settings, video)
      let least = reshaper.leastArea(Point(x: 1, y: 1), Point(x: 499, y: 399), every: 7.3)
      #expect(least > 0.3, "\(settings)")
    }
  }

  @Test(arguments: PixelFormat.eightBit)
  func bytesFartherThanOnePointFourWidthsDoNotChange(format: PixelFormat) {
    let (width, height) = (331, 287)
    for (index, settings) in MadeFaces.limits.enumerated() where index % 3 == 0 || index < 22 {
      let before = OwnedPicture.noise(format, width, height)
      let after = OwnedPicture.noise(format, width, height)
      let face = MadeFaces.face(170, 140, width: 80, in: (width, height), roll: 10)
      let reshaper = FaceReshaper.ready([face], settings, after.video)
      after.withPicture { reshaper.process($0, runner: SerialRunner()) }
      var values: [UInt8] = []
      before.forEachSample { _, _, value, _ in values.append(value) }
      var next = 0
      var (inside, outside) = (0, 0)
      after.forEachSample { _, place, value, _ in
        let isOutside = (place - Point(x: 170, y: 140)).length > 1.4 * 80
        if value != values[next] {
          if isOutside { outside += 1 } else { inside += 1 }
        }
        next += 1
      }
      #expect(outside == 0 && inside > 100, "\(settings)")
      // Nor anything that belongs to no sample.
      #expect(before.tightBytes.count == after.tightBytes.count)
    }
  }

  /// A picture whose samples rise evenly has them rise as the displacement says afterwards, to the
  /// fraction of a pixel: also chroma, wherever its samples lie, and alpha.
  @Test(arguments: PixelFormat.eightBit)
  func everySampleIsTakenFromItsSourcePosition(format: PixelFormat) {
    let (width, height) = (301, 275)
    for site in [ChromaSite.mpeg2, .center] {
      let picture = OwnedPicture(Self.video(format, width, height, site: site))
      func value(_ component: Int, _ p: Point) -> Double {
        component % 2 == 0 ? 20 + 0.7 * p.x : 230 - 0.7 * p.y
      }
      picture.forEachSample { component, place, _, set in
        set(UInt8(value(component, place).rounded()))
      }
      let face = MadeFaces.face(150, 135, width: 90, in: (width, height), roll: -20)
      let settings = ReshapeSettings.with {
        ($0.slim, $0.eyes, $0.mouth, $0.chin) = (1, 1, -1, 0.5)
        ($0.distortion, $0.amount) = (.twirl, 0.3)
      }
      let reshaper = FaceReshaper.ready([face], settings, picture.video)
      picture.withPicture { reshaper.process($0, runner: SerialRunner()) }
      var (most, sum, count) = (0.0, 0.0, 0)
      picture.forEachSample { component, place, found, _ in
        let source = reshaper.source(of: place)
        guard (source - place).length > 0.5 else { return }
        let off = Double(found) - value(component, source)
        most = max(most, abs(off))
        sum += off
        count += 1
      }
      // Codes are rounded before and after.
      #expect(count > 3000 && most < 1.2 && abs(sum / Double(count)) < 0.05, "\(most)")
    }
  }

  /// Faces of unequal sizes have grids of unequal fineness, in rows of their own and in common ones.
  @Test(arguments: [PixelFormat.i420, .nv12, .yuy2, .rgb])
  func smallFacesBesideLargeOnesAreReshaped(format: PixelFormat) {
    let (width, height) = (701, 517)
    let picture = OwnedPicture(Self.video(format, width, height))
    func value(_ component: Int, _ p: Point) -> Double {
      component % 2 == 0 ? 20 + 0.3 * p.x : 230 - 0.3 * p.y
    }
    picture.forEachSample { component, place, _, set in
      set(UInt8(value(component, place).rounded()))
    }
    let faces = [(230.0, 250.0, 230.0), (470, 90, 40), (520, 300, 60), (560, 470, 30)].enumerated()
      .map { index, face in
        MadeFaces.face(
          face.0, face.1, width: face.2, in: (width, height), id: UInt32(index + 1))
      }
    let reshaper = FaceReshaper.ready(
      faces, .with { ($0.slim, $0.distortion, $0.amount) = (1, .bulge, 0.8) }, picture.video)
    picture.withPicture { reshaper.process($0, runner: SerialRunner()) }
    var (most, count) = (0.0, 0)
    picture.forEachSample { component, place, found, _ in
      let source = reshaper.source(of: place)
      guard (source - place).length > 0.5 else { return }
      most = max(most, abs(Double(found) - value(component, source)))
      count += 1
    }
    #expect(count > 10000 && most < 1.2, "\(most)")
  }

  @Test func displacedInvertsTheWarp() {
    let video = Self.video(.gray8, 400, 400)
    let face = MadeFaces.face(200, 200, width: 110, in: (400, 400), roll: 15)
    var random = SplitMix(8)
    for settings in MadeFaces.limits {
      let reshaper = FaceReshaper.ready([face], settings, video)
      for _ in 0..<200 {
        let place = Point(x: 40 + Double(random.below(320)), y: 40 + Double(random.below(320)))
        let back = reshaper.source(of: reshaper.displaced(place))
        #expect((back - place).length < 0.02, "\(settings)")
      }
    }
  }

  @Test func settingsOfZeroAndNoFacesChangeNothing() {
    let reshaper = FaceReshaper()
    reshaper.configure(Self.video(.nv12, 320, 240))
    let face = MadeFaces.face(160, 120, width: 80, in: (320, 240))
    #expect(!reshaper.advance([face], ReshapeSettings(), elapsed: 0))
    #expect(!reshaper.advance([face], .with { $0.distortion = .bulge }, elapsed: 0))
    #expect(!reshaper.advance([], .with { $0.slim = 1 }, elapsed: 1))
    #expect(reshaper.displaced(Point(x: 3, y: 4)) == Point(x: 3, y: 4))
  }

  @Test(arguments: [PixelFormat.nv12, .rgb, .yuy2, .ayuv])
  func threadsAndTheirOrderChangeNothing(format: PixelFormat) {
    let faces = [
      MadeFaces.face(100, 120, width: 90, in: (333, 251)),
      MadeFaces.face(220, 130, width: 60, in: (333, 251), id: 2),
    ]
    let settings = ReshapeSettings.with { ($0.slim, $0.distortion, $0.amount) = (1, .bulge, 0.7) }
    let runners: [any SliceRunner] = [
      SerialRunner(), BackwardRunner(5), ThreadPool(exactly: 3),
    ]
    let results = runners.map { runner in
      let picture = OwnedPicture.noise(format, 333, 251)
      let reshaper = FaceReshaper.ready(faces, settings, picture.video)
      picture.withPicture { reshaper.process($0, runner: runner) }
      return picture.tightBytes
    }
    #expect(results[0] == results[1] && results[0] == results[2])
    #expect(results[0] != OwnedPicture.noise(format, 333, 251).tightBytes)
  }

  /// Faces that cannot be, for a frame of this size.
  private static func invalidFaces(_ width: Int, _ height: Int) -> [Face] {
    let odd: [Float] = [.nan, .infinity, 1e30, -1e30, 0, 3e4]
    var lies = [Face(id: 1, confidence: 1, box: .zero)]
    for value in odd {
      let point = Landmark(x: value, y: value, z: value)
      lies.append(
        Face(
          id: 2, confidence: 1,
          box: Rectangle(x: Double(value), y: 0, width: Double(value), height: 1),
          keypoints: Array(repeating: Point(x: Double(value), y: 0.5), count: 6)))
      lies.append(
        Face(
          id: 3, confidence: 1, box: .zero, landmarks: Array(repeating: point, count: 468)))
      for index in stride(from: 0, to: 468, by: 29) + [10, 152, 33, 61, 129, 168] {
        var face = MadeFaces.face(
          Double(width) / 2, Double(height) / 2, width: 60, in: (width, height))
        face.landmarks[index] = point
        lies.append(face)
      }
    }
    for (x, y) in [(0.0, 0.0), (1, 0.5), (-0.2, 1.1)] {
      lies.append(
        MadeFaces.face(
          x * Double(width), y * Double(height), width: 0.8 * Double(width + 20),
          in: (width, height)))
    }
    return lies
  }

  /// Whatever is said of faces, nothing but the frame is written, and nothing takes long.
  @Test(arguments: PixelFormat.eightBit)
  func invalidFacesDoNotTrap(format: PixelFormat) {
    let sizes = [(1, 1), (2, 1), (17, 9), (161, 121)]
    for ((width, height), atEnd) in product(sizes, [true, false]) {
      let reshaper = FaceReshaper()
      FencedPicture(format, width, height, atEnd: atEnd).withPicture { picture in
        reshaper.configure(picture.video)
        for (index, face) in Self.invalidFaces(width, height).enumerated() {
          reshaper.reset()
          let settings = MadeFaces.limits[index % MadeFaces.limits.count]
          if reshaper.advance([face], settings, elapsed: 0.03) {
            reshaper.process(picture, runner: SerialRunner())
          }
          let place = reshaper.displaced(Point(x: 0.5, y: .infinity))
          #expect(place.x == 0.5)
        }
      }
    }
  }
}
