import Looks
import Pixels
import Support
import Testing
import Threads

/// The cartoon effect's lines, tones and temporal stability.
@Suite(.timeLimit(.minutes(20))) struct CartoonTests {
  /// A still with camera noise that differs in each frame.
  private static func noisy(_ still: OwnedPicture, seed: UInt64, deviation: Float) -> OwnedPicture {
    let picture = OwnedPicture(still.video)
    still.withPicture { picture.copy($0) }
    var samples = Samples(picture, 0)
    var random = SplitMix(seed)
    for index in samples.values.indices { samples.values[index] += deviation * random.normal() }
    samples.write(to: picture, 0)
    return picture
  }

  /// Root of the mean squared change from frame to frame.
  private static func flicker(_ frames: [Samples]) -> Double {
    var (sum, count) = (0.0, 0)
    for (a, b) in zip(frames, frames.dropFirst()) {
      for (x, y) in zip(a.values, b.values) {
        sum += Double((x - y) * (x - y))
        count += 1
      }
    }
    return (sum / Double(count)).squareRoot()
  }

  @Test(arguments: [(Float(2), 512), (4, 512)])
  func linesFlickerLessThanTheirInputsNoise(deviation: Float, size: Int) throws {
    let still = try Photograph.load(.y444, width: size, height: size, colorimetry: .bt709)
    let effect = PhotoEffect()
    var settings = LookSettings()
    settings.look = .cartoon
    effect.configure(still.video)
    var (source, drawn): ([Samples], [Samples]) = ([], [])
    for index in 0..<10 {
      let picture = Self.noisy(still, seed: UInt64(index), deviation: deviation)
      let before = Samples.luma(picture)
      picture.withPicture { effect.process($0, settings, runner: SerialRunner()) }
      // The first frames are still settling.
      if index >= 2 {
        source.append(before)
        drawn.append(Samples.luma(picture))
      }
    }
    let (noise, boiling) = (Self.flicker(source), Self.flicker(drawn))
    #expect(boiling < 0.5 * noise, "\(boiling) of \(noise)")
  }

  @Test func edgesGetDarkLinesAndFlatAreasFewTones() throws {
    let picture = try Photograph.load(.y444, colorimetry: .bt709)
    let before = Samples.luma(picture)
    Looked.change(picture) { $0.look = .cartoon }
    let after = Samples.luma(picture)
    let dark = { (samples: Samples) in samples.values.count { $0 < 40 } }
    #expect(dark(after) > dark(before))
    // Neighbours that are alike are more often the same.
    func same(_ samples: Samples) -> Int {
      zip(samples.values, samples.values.dropFirst()).count { $0 == $1 }
    }
    #expect(same(after) > 2 * same(before), "\(same(after)), \(same(before))")
  }

  @Test func aSceneCutShowsAtOnce() throws {
    let still = try Photograph.load(.y444, width: 256, height: 256, colorimetry: .bt709)
    let effect = PhotoEffect()
    var settings = LookSettings()
    settings.look = .cartoon
    func drawn(afterAnother: Bool) -> [UInt8] {
      effect.configure(still.video)
      let picture = OwnedPicture(still.video)
      if afterAnother {
        picture.withPicture { effect.process($0, settings, runner: SerialRunner()) }
      }
      still.withPicture { picture.copy($0) }
      picture.withPicture { effect.process($0, settings, runner: SerialRunner()) }
      return picture.tightBytes
    }
    let (fresh, cut) = (drawn(afterAnother: false), drawn(afterAnother: true))
    let worst = zip(fresh, cut).count { abs(Int($0) - Int($1)) > 24 }
    #expect(worst < fresh.count / 50, "\(worst) of \(fresh.count)")
  }

  @Test func linesAreNeutralOnColouredSurfaces() throws {
    // A dark stripe on orange, of the same hue.
    let video = VideoFormat(format: .y444, width: 96, height: 96, colorimetry: .bt709)
    let picture = OwnedPicture(video)
    for (component, (surface, stripe)) in [(150, 90), (60, 80), (190, 170)].enumerated() {
      var samples = Samples(picture, component)
      for index in samples.values.indices {
        samples.values[index] = Float((46..<50).contains(index % 96) ? stripe : surface)
      }
      samples.write(to: picture, component)
    }
    Looked.change(picture) { $0.look = .cartoon }
    let line = (0..<3).map { Samples(picture, $0).values[48 * 96 + 48] }
    #expect(line[0] < 40 && abs(line[1] - 128) < 12 && abs(line[2] - 128) < 12, "\(line)")
    #expect(Samples(picture, 2).values[48 * 96 + 16] > 180)
  }

  @Test func aSmallFaceIsDrawnMoreFinely() throws {
    let still = try Photograph.load(.y444, width: 200, height: 200, colorimetry: .bt709)
    func distance(faceWidth: Double?) -> Double {
      let picture = OwnedPicture(still.video)
      still.withPicture { picture.copy($0) }
      let effect = PhotoEffect()
      effect.configure(still.video)
      var settings = LookSettings()
      settings.look = .cartoon
      picture.withPicture {
        effect.process($0, settings, faceWidth: faceWidth, runner: SerialRunner())
      }
      // The face in the middle of the photograph's upper half.
      var sum = 0.0
      let (old, new) = (Samples.luma(still), Samples.luma(picture))
      for y in 25..<75 {
        for x in 65..<115 {
          sum += Double(abs(old.values[y * 200 + x] - new.values[y * 200 + x]))
        }
      }
      return sum / 2500
    }
    let (fine, coarse) = (distance(faceWidth: 40), distance(faceWidth: 300))
    #expect(fine < 0.8 * coarse, "\(fine) \(coarse)")
    #expect(distance(faceWidth: nil) == coarse)
  }
}
