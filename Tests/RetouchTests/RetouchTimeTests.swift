import Faces
import Pixels
import Retouch
import Support
import Testing
import Threads

/// Faces over time, and faces that cannot be.
@Suite(.timeLimit(.minutes(20))) struct RetouchTimeTests {
  private static let width = 96
  private static let height = 104
  private static let made = MadeFace(
    center: Point(x: 48, y: 52), size: 70, width: width, height: height)

  private static func drawn(_ seed: Int = 0) -> OwnedPicture {
    let picture = OwnedPicture(
      format: .gray8, width: width, height: height, colorimetry: .bt709)
    picture.draw(skin((205, 160, 140), grain: 6, seed: seed))
    return picture
  }

  /// Sum of the absolute change that treating a frame brings.
  private static func change(_ retouch: SkinRetouch, _ faces: [Face]) -> Int {
    let picture = drawn()
    let before = picture.tightBytes
    var settings = RetouchSettings()
    settings.intensity = 1
    retouch.treat(picture, faces, settings)
    return zip(picture.tightBytes, before).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }
  }

  @Test func aFaceThatLeavesFadesOutOverSixFramesAndLeavesNoTrail() {
    let retouch = SkinRetouch()
    let face = Self.made.face()
    var changes = [Self.change(retouch, [face])]
    for _ in 0..<7 { changes.append(Self.change(retouch, [])) }
    for index in 1..<6 { #expect(changes[index] < changes[index - 1] && changes[index] > 0) }
    #expect(changes[6] == 0 && changes[7] == 0)
    #expect(retouch.passes([], RetouchSettings()))
  }

  @Test func laterFacesFadeInAndThoseOfTheFirstFrameDoNot() {
    let face = Self.made.face()
    let first = Self.change(SkinRetouch(), [face])
    let retouch = SkinRetouch()
    _ = Self.change(retouch, [])
    var changes: [Int] = []
    for _ in 0..<8 { changes.append(Self.change(retouch, [face])) }
    for index in 1..<6 { #expect(changes[index] > changes[index - 1]) }
    #expect(changes[0] * 3 < first)
    #expect(changes[5] == first && changes[7] == first)
  }

  @Test func aFaceFadesInAfterSkippedFrames() {
    let retouch = SkinRetouch()
    retouch.configure(format: .gray8, width: Self.width, height: Self.height)
    #expect(retouch.passes([], RetouchSettings()))
    let first = Self.change(retouch, [Self.made.face()])
    #expect(first > 0 && first * 3 < Self.change(SkinRetouch(), [Self.made.face()]))
  }

  @Test func settingsWithoutEffectDropFaces() {
    let retouch = SkinRetouch()
    #expect(Self.change(retouch, [Self.made.face()]) > 0)
    var nothing = RetouchSettings()
    nothing.intensity = 0
    nothing.brightness = 0
    #expect(retouch.passes([Self.made.face()], nothing))
    #expect(retouch.passes([], RetouchSettings()))
  }

  @Test func aFaceWithANewIDKeepsItsState() {
    let retouch = SkinRetouch()
    let first = Self.change(retouch, [Self.made.face(id: 4)])
    #expect(Self.change(retouch, [Self.made.face(id: 9)]) == first)
    #expect(Self.change(retouch, [Self.made.face(id: 0)]) == first)
  }

  @Test func stillSkinInNoiseFlickersLessThanTheInput() {
    let retouch = SkinRetouch()
    var settings = RetouchSettings()
    settings.brightness = 0.5
    var last: (input: [[UInt8]], output: [[UInt8]])?
    var inputChange = 0
    var outputChange = 0
    for frame in 0..<12 {
      let picture = OwnedPicture(
        format: .gray8, width: Self.width, height: Self.height, colorimetry: .bt709)
      let still = skin((205, 160, 140), grain: 5)
      picture.draw { x, y in
        let (r, g, b) = still(x, y)
        let noise = 3.5 * grain(x, y, 100 + frame)
        return (r + noise, g + noise, b + noise)
      }
      // A tracker's landmarks tremble, too.
      var shaken = Self.made
      shaken.center.x += 0.4 * grain(frame, 1)
      shaken.center.y += 0.4 * grain(frame, 2)
      let input = picture.rows(0)
      retouch.treat(picture, [shaken.face()], settings)
      let output = picture.rows(0)
      if let last {
        for (y, x) in product(0..<Self.height, 0..<Self.width) where Self.made.isInside(x, y) {
          inputChange += abs(Int(input[y][x]) - Int(last.input[y][x]))
          outputChange += abs(Int(output[y][x]) - Int(last.output[y][x]))
        }
      }
      last = (input, output)
    }
    #expect(Double(outputChange) < 0.85 * Double(inputChange))
  }

  @Test func aMovingFaceChangesOnlyItsCurrentArea() {
    let retouch = SkinRetouch()
    var wrong = 0
    for frame in 0..<8 {
      var moving = Self.made
      moving.size = 40
      moving.center.x = 24 + 7 * Double(frame)
      let picture = Self.drawn()
      let before = picture.rows(0)
      var settings = RetouchSettings()
      settings.intensity = 1
      retouch.treat(picture, [moving.face()], settings)
      let after = picture.rows(0)
      for (y, x) in product(0..<Self.height, 0..<Self.width) where after[y][x] != before[y][x] {
        // The forehead reaches .35 of the face's height over the oval.
        var raised = moving
        raised.center.y -= 0.35 * 1.3 * moving.size
        let isInside =
          moving.isInside(x, y, shrink: 1.15) || raised.isInside(x, y, shrink: 1.15)
        if !isInside || moving.isFeature(x, y) { wrong += 1 }
      }
    }
    #expect(wrong == 0)
  }

  // MARK: Lies

  @Test func invalidNumbersDoNotTrap() {
    let bad = [
      Double.nan, .infinity, -.infinity, 1e300, -1e300, 1e9, -7.9, 7.9, 0, .leastNonzeroMagnitude,
    ]
    let retouch = SkinRetouch()
    var settings = RetouchSettings()
    settings.evenSkin = 0.5
    let runner = BackwardRunner(3)
    for (index, value) in bad.enumerated() {
      for (other, mask) in product(
        [0.5, bad[(index + 3) % bad.count]], RetouchSettings.Mask.allCases) where mask != .full
      {
        settings.mask = mask
        var box = Self.made.face(mesh: false, keypoints: false)
        box.box = Rectangle(x: value, y: other, width: other, height: value)
        var points = Self.made.face(mesh: false)
        points.keypoints[index % 4] = Point(x: value, y: other)
        var mesh = Self.made.face()
        mesh.landmarks[index * 40] = Landmark(x: Float(value), y: Float(other), z: .nan)
        var all = Self.made.face()
        all.landmarks = all.landmarks.map { _ in
          Landmark(x: Float(value), y: Float(other), z: 0)
        }
        let picture = OwnedPicture(format: .i420, width: 33, height: 29, colorimetry: .bt601)
        picture.draw(skin((200, 150, 130), grain: 5))
        picture.withPicture {
          retouch.process(
            $0, faces: [box, points, mesh, all], settings: settings, elapsed: value,
            runner: runner)
        }
      }
    }
    // Settings of that kind, too.
    for value in bad {
      var settings = RetouchSettings()
      settings.intensity = value
      settings.detail = value
      settings.brightness = value
      settings.evenSkin = value
      settings.radius = value
      settings.skinAdapt = value
      settings.feather = value
      let picture = OwnedPicture(format: .rgb, width: 33, height: 29, colorimetry: .rgb)
      picture.draw(skin((200, 150, 130), grain: 5))
      retouch.treat(picture, [Self.made.face()], settings)
    }
    // Nothing of it lasts: a face that can be is treated as ever.
    #expect(Self.change(retouch, [Self.made.face()]) > 0)
  }

  @Test func framesWithoutRetouchableFacesAreSkipped() {
    let retouch = SkinRetouch()
    retouch.configure(format: .gray8, width: Self.width, height: Self.height)
    var lies = Self.made.face(mesh: false, keypoints: false)
    lies.box = Rectangle(x: .nan, y: 0, width: 1, height: 1)
    var far = lies
    far.box = Rectangle(x: 3, y: 0.2, width: 0.5, height: 0.5)
    var tiny = lies
    tiny.box = Rectangle(x: 0.5, y: 0.5, width: 0.01, height: 0.01)
    #expect(retouch.passes([lies, far, tiny], RetouchSettings()))
    #expect(!retouch.passes([lies, Self.made.face()], RetouchSettings()))
    // Nor does a face that has gone out of the frame keep it busy for longer than it fades.
    #expect(Self.change(retouch, [Self.made.face()]) > 0)
    for _ in 0..<6 { _ = Self.change(retouch, [far]) }
    #expect(retouch.passes([far], RetouchSettings()))
  }

  @Test func meshesOfOtherSizesAreIgnored() {
    let points = Self.made.face()
    for count in [0, 1, 7, 100, 467] {
      var face = points
      face.landmarks = Array(face.landmarks.prefix(count))
      var none = points
      none.landmarks = []
      let a = Self.drawn()
      let b = Self.drawn()
      SkinRetouch().treat(a, [face], RetouchSettings())
      SkinRetouch().treat(b, [none], RetouchSettings())
      #expect(a.tightBytes == b.tightBytes)
    }
    for count in 0...7 {
      var face = Self.made.face(mesh: false)
      face.keypoints = Array((face.keypoints + face.keypoints).prefix(count))
      let picture = Self.drawn()
      let before = picture.tightBytes
      SkinRetouch().treat(picture, [face], RetouchSettings())
      #expect(picture.tightBytes != before)
    }
  }

  @Test func ofAThousandFacesTheMaximumIsRetouched() {
    let faces = (0..<1000).map { index in
      Face(
        id: UInt32(index), confidence: 1,
        box: Rectangle(
          x: Double(index % 32) / 32, y: Double(index / 32) / 32, width: 0.12, height: 0.12))
    }
    let picture = Self.drawn()
    let before = picture.rows(0)
    let retouch = SkinRetouch()
    retouch.treat(picture, faces, RetouchSettings())
    retouch.treat(picture, faces.reversed(), RetouchSettings())
    retouch.treat(picture, [], RetouchSettings())
    #expect(picture.rows(0) != before)
  }

  @Test func theSmallestPicturesAreTreated() {
    for format in PixelFormat.eightBit {
      for (width, height) in [(1, 1), (2, 1), (1, 3), (3, 2)] {
        for mask in RetouchSettings.Mask.allCases {
          let picture = OwnedPicture(
            format: format, width: width, height: height,
            colorimetry: format.colorimetry(.bt601))
          picture.draw { _, _ in (120, 100, 90) }
          var settings = RetouchSettings()
          settings.mask = mask
          settings.brightness = 1
          settings.skinAdapt = 0
          let before = picture.tightBytes
          let face = Face(
            id: 1, confidence: 1, box: Rectangle(x: -3, y: -3, width: 7, height: 7))
          SkinRetouch().treat(picture, [face], settings)
          if mask == .full { #expect(picture.tightBytes != before) }
        }
      }
    }
  }
}
