import Compose
import Glibc
import PersonKey
import Pixels
import Support
import Testing
import Vision

/// Temporal behaviour: still people, moving people, cuts, and people who enter.
@Suite(.serialized, .timeLimit(.minutes(20))) struct TimeTests {
  private static let size = (width: 640, height: 360)

  private struct Flicker {
    var change = 0.0
    var edge = 0.0
  }

  /// The mean flicker, and edge error, of `frames` frames in which the person has the pose `pose`.
  private func play(
    frames: Int, smoothing: Double, _ pose: (Int) -> PersonScene.Pose
  ) throws -> Flicker {
    let cutout = try PersonCutout.load()
    var result = Flicker()
    var last: (matte: [Float], truth: [Float])?
    var pipeline: PersonKeyPipeline?
    for frame in 0..<frames {
      let scene = PersonScene(
        cutout, .study, [pose(frame)], width: Self.size.width, height: Self.size.height)
      let picture = scene.picture(frame: UInt64(frame))
      let used = try pipeline ?? PersonKeyPipeline(picture.video)
      pipeline = used
      used.settings.smoothing = smoothing
      used.key.settings.smoothing = smoothing
      let matte = try used.run(picture).opacity
      if let last {
        result.change +=
          PersonScene.flicker((last.matte, matte), (last.truth, scene.alpha))
          / Double(frames - 1)
        result.edge += scene.measures(matte, nil).edgeSad / Double(frames - 1)
      }
      last = (matte, scene.alpha)
    }
    return result
  }

  @Test func stillPeopleDoNotFlicker() throws {
    let found = try play(frames: 12, smoothing: 0.8) { _ in .init(height: 0.9, center: 0.45) }
    #expect(found.change <= 0.3, "\(found)")
  }

  @Test(arguments: [(6.0, 2.4), (24.0, 5.0)])
  func movingPeopleLeaveNoGhost(pixels: Double, degrees: Double) throws {
    func pose(_ frame: Int) -> PersonScene.Pose {
      let phase = Double(frame) / 24 * 2 * .pi
      return .init(
        height: 0.9, center: Float(0.45 + pixels / 100 * sin(phase)),
        angle: Float(degrees * sin(phase)))
    }
    let filtered = try play(frames: 13, smoothing: 0.8, pose)
    let plain = try play(frames: 13, smoothing: 0, pose)
    #expect(filtered.change <= plain.change * 1.02, "\(filtered) \(plain)")
    #expect(filtered.edge <= plain.edge * 1.1, "\(filtered) \(plain)")
  }

  @Test func aCutToAnEmptySceneEmptiesTheMask() throws {
    let cutout = try PersonCutout.load()
    func picture(_ room: DrawnRoom, _ poses: [PersonScene.Pose], _ frame: UInt64) -> OwnedPicture {
      PersonScene(cutout, room, poses, width: Self.size.width, height: Self.size.height)
        .picture(frame: frame)
    }
    let first = picture(.wall, [.init(height: 0.9, center: 0.3)], 0)
    for every in [1, 5] {
      let pipeline = try PersonKeyPipeline(first.video)
      pipeline.settings.interval = every
      for frame in 0..<3 {
        _ = try pipeline.run(picture(.wall, [.init(height: 0.9, center: 0.3)], UInt64(frame)))
      }
      let matte = try pipeline.run(picture(.night, [], 9)).opacity
      #expect(matte.allSatisfy { $0 == 0 }, "every \(every)")
    }
  }

  @Test func twoPeopleStaySegmentedWhileTheCameraMoves() throws {
    let cutout = try PersonCutout.load()
    let (width, height) = Self.size
    // Wider than the frame, which pans over it.
    let scene = PersonScene(
      cutout, .study,
      [.init(height: 0.62, center: 0.32), .init(height: 0.6, center: 0.67, isMirrored: true)],
      width: 800, height: height)
    let video = VideoFormat(
      format: .nv12, width: width, height: height, colorimetry: .bt709)
    let pipeline = try PersonKeyPipeline(video)
    var kept = 0
    let frame = OwnedPicture(video)
    var random = SplitMix(5)
    for number in 0..<300 {
      let offset = 80 + Int((70 * sin(Double(number) / 40)).rounded())
      var colors: [SIMD3<Float>] = []
      colors.reserveCapacity(width * height)
      for (y, x) in product(0..<height, 0..<width) {
        let at = y * 800 + x + offset
        let grain = random.normal() * 2
        colors.append(
          scene.subject[at] + scene.room[at] * (1 - scene.alpha[at]) + SIMD3(repeating: grain))
      }
      frame.encode(colors)
      let isKept = try frame.withPicture { picture -> Bool in
        guard
          let mask = try pipeline.segmenter.process(
            picture, faces: nil, pipeline.settings, pipeline.runner)
        else { return false }
        return [0.32, 0.67].allSatisfy { center in
          let column = Int(center * 800 - Double(offset)) / mask.step
          return mask.probability.row(Int(0.85 * Double(height)) / mask.step)[column] > 0.5
        }
      }
      kept += isKept ? 1 : 0
    }
    #expect(kept == 300)
  }

  /// Also after a run on the full frame has found no other person, and while nothing moved since.
  @Test(arguments: [0.5, 0.8], [5, 40])
  func peopleWhoEnterAreSegmentedWithoutAFace(center: Double, arrival: Int) throws {
    let cutout = try PersonCutout.load()
    let first = PersonScene.Pose(height: 0.62, center: 0.22)
    let second = PersonScene.Pose(height: 0.6, center: Float(center), isMirrored: true)
    func scene(_ poses: [PersonScene.Pose]) -> PersonScene {
      PersonScene(cutout, .wall, poses, width: Self.size.width, height: Self.size.height)
    }
    let (alone, both) = (scene([first]), scene([first, second]))
    let pipeline = try PersonKeyPipeline(alone.picture().video)
    for frame in 0..<arrival { _ = try pipeline.run(alone.picture(frame: UInt64(frame))) }
    var iou: [Double] = []
    for frame in 0..<20 {
      let matte = try pipeline.run(both.picture(frame: UInt64(arrival + frame))).opacity
      iou.append(both.measures(matte, nil).iou)
    }
    #expect((iou.last ?? 0) > 90, "\(iou.map { Int($0) })")
  }

  @Test func facesOnlyRemovesPeopleWithoutAFace() throws {
    let cutout = try PersonCutout.load()
    let poses: [PersonScene.Pose] = [
      .init(height: 0.8, center: 0.28), .init(height: 0.62, center: 0.78, isMirrored: true),
    ]
    let scene = PersonScene(
      cutout, .wall, poses, width: Self.size.width, height: Self.size.height)
    let picture = scene.picture()
    let pipeline = try PersonKeyPipeline(picture.video)
    pipeline.settings.facesOnly = true
    let face = poses[0].face(aspect: Float(Self.size.width) / Float(Self.size.height))
    func opacity(_ center: Double, _ matte: [Float]) -> Float {
      matte[
        Int(0.85 * Double(Self.size.height)) * Self.size.width
          + Int(center * Double(Self.size.width))]
    }
    var matte = try pipeline.run(picture, faces: [face]).opacity
    #expect(opacity(0.28, matte) == 1 && opacity(0.78, matte) == 0)
    // A face that is lost for a moment does not remove its person, nor add the other one.
    matte = try pipeline.run(scene.picture(frame: 1), faces: []).opacity
    #expect(opacity(0.28, matte) == 1 && opacity(0.78, matte) == 0)
  }
}
