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
    #expect(boiling < noise, "\(boiling) of \(noise)")
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
}
