import Pixels
import Support
import Testing
import Threads

@testable import Compose
@testable import PersonKey

/// Exact results for masks of 0 and 1, and for random masks.
@Suite(.timeLimit(.minutes(20))) struct ExactnessTests {
  private static let formats = PixelFormat.eightBit.filter { $0 != .gray8 }

  /// A frame of noise, and a mask with the same probability everywhere.
  private func made(
    _ format: PixelFormat, _ width: Int, _ height: Int, probability: Float
  ) -> (OwnedPicture, PersonKeyer.Mask) {
    let picture = OwnedPicture.noise(
      VideoFormat(
        format: format, width: width, height: height, colorimetry: format.colorimetry(.bt709)),
      seed: 3)
    if format.hasAlpha { picture.withPicture { $0.component(3).fill { _, _ in 255 } } }
    let step = 2
    let (columns, rows) = ((width + step - 1) / step, (height + step - 1) / step)
    let mask = PersonKeyer.Mask(
      step: step, probability: Grid(width: columns, height: rows, of: probability),
      temporalWeight: Grid(width: columns, height: rows, of: 0),
      colors: OwnedPicture(
        format: .y444, width: columns, height: rows, colorimetry: .bt709))
    return (picture, mask)
  }

  private func keyed(
    _ source: OwnedPicture, _ mask: PersonKeyer.Mask?, _ background: Background? = nil,
    _ change: (inout PersonKeySettings) -> Void = { _ in }
  ) -> OwnedPicture {
    let key = PersonKeyer()
    change(&key.settings)
    key.configure(source.video)
    return keyed(source, mask, background, by: key, ThreadPool(threads: 1))
  }

  private func keyed(
    _ source: OwnedPicture, _ mask: PersonKeyer.Mask?, _ background: Background?,
    by key: PersonKeyer, _ runner: ThreadPool
  ) -> OwnedPicture {
    let target = OwnedPicture(source.video)
    source.withPicture { from in
      target.withPicture {
        key.process(
          source: from, destination: $0, mask: mask, background: background, runner: runner)
      }
    }
    return target
  }

  @Test(arguments: formats)
  func aFrameFullOfPeopleIsUnchanged(format: PixelFormat) {
    for (width, height) in [(64, 48), (37, 29), (2, 2)] {
      let (source, mask) = made(format, width, height, probability: 1)
      let background = Background(color: 0xff10_2030, for: source.video)
      for change in [
        { _ in }, { $0.blur = 5 }, { $0.lightWrap = 1 }, { $0.refine = false },
      ] as [(inout PersonKeySettings) -> Void] {
        let result = keyed(source, mask, background, change)
        #expect(result.samples == source.samples, "\(width)x\(height)")
      }
    }
  }

  @Test(arguments: formats)
  func aFrameWithoutPeopleIsTheBackground(format: PixelFormat) {
    for (width, height) in [(64, 48), (37, 29), (1, 1)] {
      let (source, mask) = made(format, width, height, probability: 0)
      let background = Background(color: 0xff50_9030, for: source.video)
      let nobody = keyed(source, mask, background)
      // Without a mask, as after a failed segmentation.
      let unknown = keyed(source, nil, background)
      #expect(nobody.samples == unknown.samples)
      let inverted = keyed(source, nil, background) { $0.matte.invert = true }
      #expect(nobody.samples == inverted.samples)
      for component in nobody.samples { #expect(Set(component).count == 1) }
    }
  }

  @Test func masksOfAnotherSizeAreAccepted() {
    let key = PersonKeyer()
    for (width, height) in [(64, 48), (37, 29), (640, 2), (3, 200)] {
      let (source, mask) = made(.nv12, width, height, probability: 1)
      key.configure(source.video)
      source.withPicture { picture in
        key.process(
          source: picture, destination: picture, mask: mask,
          background: Background(color: 0xff00_0000, for: source.video),
          runner: ThreadPool(threads: 1))
      }
    }
  }

  /// Some boxes at random positions, also across edges, some with soft values.
  private func scatter(_ mask: PersonKeyer.Mask, _ random: inout SplitMix) -> PersonKeyer.Mask {
    let (columns, rows) = (mask.cells.probability.width, mask.cells.probability.height)
    let probability = Grid(width: columns, height: rows, of: Float(0))
    let temporalWeight = Grid(width: columns, height: rows, of: Float(0))
    for _ in 0..<random.below(4) {
      let (x, y) = (random.below(columns + 8) - 4, random.below(rows + 8) - 4)
      let (w, h) = (random.below(columns) + 1, random.below(rows) + 1)
      let value = random.below(2) == 0 ? 1 : random.uniform()
      for row in 0..<rows where row >= y && row < y + h {
        for column in 0..<columns where column >= x && column < x + w {
          probability.row(row)[column] = value
          temporalWeight.row(row)[column] = random.uniform()
        }
      }
    }
    return PersonKeyer.Mask(
      step: mask.cells.step, probability: probability, temporalWeight: temporalWeight,
      colors: mask.cells.colors)
  }

  /// Random masks frame after frame: nothing traps, and the thread count has no effect.
  @Test(arguments: formats)
  func anyMaskIsKeyedTheSameForEveryNumberOfThreads(format: PixelFormat) {
    var random = SplitMix(UInt64(format.rawValue.count) + 7)
    for (width, height) in [(129, 67), (36, 50), (7, 96)] {
      let (source, mask) = made(format, width, height, probability: 0)
      let keys = [PersonKeyer(), PersonKeyer()]
      let background = Background(color: 0xff50_9030, for: source.video)
      for key in keys { key.configure(source.video) }
      for frame in 0..<6 {
        let mask = scatter(mask, &random)
        let results = zip(keys, [1, 3]).map { key, threads in
          key.settings.blur = frame % 2 == 0 ? 0 : 4
          key.settings.refine = frame != 3
          return keyed(
            source, mask, frame % 2 == 0 ? background : nil, by: key, ThreadPool(exactly: threads)
          ).samples
        }
        #expect(results[0] == results[1], "frame \(frame) of \(width)x\(height)")
      }
    }
  }
}
