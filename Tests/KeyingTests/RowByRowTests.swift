import Pixels
import Support
import Testing
import Threads

@testable import Compose
@testable import ScreenKey

/// A matte whose rows are made just before they are composited gives the same bits as a whole plane.
@Suite(.timeLimit(.minutes(20))) struct RowByRowTests {
  static let formats = PixelFormat.eightBit.filter {
    $0 != .gray8 && $0.layout.chromaShifts.v == 0
  }

  /// A screen with noise in it, so that kinds of blocks change often, and a subject with holes.
  private func scene(_ format: PixelFormat, _ width: Int, _ height: Int) -> OwnedPicture {
    let picture = plain(
      format, width, height, rgb: (62, 172, 84),
      colorimetry: format.colorimetry(.bt709))
    roughen(picture, seed: 9, amount: 31)
    for column in stride(from: width / 3, to: width * 4 / 5, by: 37) {
      let end = min(column + 30, width)
      paint(picture, rgb: (150, 90, 60), columns: column..<end)
      paint(picture, rgb: (106, 131, 72), columns: end..<min(end + 2, width))
    }
    return picture
  }

  /// Settings by which a matte passes through the shaper unchanged.
  private func shaped(_ settings: ChromaKeySettings) -> ChromaKeySettings {
    var settings = settings
    settings.matte.shrink = 1e-4
    return settings
  }

  @Test(arguments: formats)
  func rowByRowKeyingEqualsWholeFrameKeying(format: PixelFormat) {
    for (width, height) in [(1, 1), (16, 2), (17, 3), (129, 35), (400, 37)] {
      let picture = scene(format, width, height)
      if format.hasAlpha {
        // Some of it was transparent before.
        picture.withPicture { picture in
          for x in 0..<width / 4 { picture.component(3)[x, height / 2] = UInt8(x * 9 & 255) }
        }
      }
      let image = plain(.rgba, 40, 30, rgb: (20, 80, 250), colorimetry: .rgb)
      roughen(image, seed: 3, amount: 127)
      let behind = image.withPicture { Background(image: $0, color: 0, for: picture.video) }
      var cropped = ChromaKeySettings()
      (cropped.matte.cropLeft, cropped.matte.cropTop, cropped.matte.cropRight) = (0.1, 0.2, 0.03)
      for (settings, background) in product([ChromaKeySettings(), cropped], [nil, behind]) {
        let rows = ChromaKeyer(settings, for: picture)
        let whole = ChromaKeyer(shaped(settings), for: picture)
        let pool = ThreadPool(exactly: 3)
        for _ in 0..<2 {
          let found = rows.keyed(picture, background: background, runner: pool).samples
          let wanted = whole.keyed(picture, background: background).samples
          #expect(found == wanted, "\(width)x\(height)")
        }
      }
    }
  }

  @Test(arguments: formats.filter { FrameCompositor.formatWithAlpha(for: $0) == $0 })
  func keyingInPlaceEqualsKeyingIntoACopy(format: PixelFormat) {
    let picture = scene(format, 129, 35)
    let wanted = ChromaKeyer(for: picture).keyed(picture).samples
    let keyer = ChromaKeyer(for: picture)
    picture.withPicture {
      keyer.process(source: $0, destination: $0, runner: SerialRunner())
    }
    #expect(picture.samples == wanted)
  }

  @Test func fillerBytesDoNotChange() {
    let picture = scene(.rgbx, 129, 35)
    let before = picture.tightBytes
    let keyer = ChromaKeyer(for: picture)
    let background = Background(color: 0xff20_40c0, for: picture.video)
    picture.withPicture {
      keyer.process(
        source: $0, destination: $0, background: background, runner: SerialRunner())
    }
    let after = picture.tightBytes
    #expect(after != before)
    #expect(stride(from: 3, to: after.count, by: 4).allSatisfy { after[$0] == before[$0] })
  }

  @Test func blocksAreGatheredAndScatteredBack() {
    let row = Grid<UInt8>(width: 16 * 5 + 3, height: 1, of: 0)
    for x in 0..<row.width { row.row(0)[x] = UInt8(x) }
    let kinds = Grid<UInt8>(width: 21, height: 1, of: 0)
    for block in [1, 5, 8, 15, 16, 20] {
      kinds.row(0)[block] = RowCompositor.Kind.mixed.rawValue
      if block > 1 { kinds.row(0)[block - 2] = RowCompositor.Kind.background.rawValue }
    }
    #expect(BlockKernels.nonForegroundRange(kinds.row(0)) == 1..<21)
    let memory = Grid<UInt16>(width: 21, height: 1, of: 0)
    let found = Array(BlockKernels.blockIndices(of: .mixed, kinds.row(0), into: memory.row(0)))
    #expect(found == [1, 5, 8, 15, 16, 20])
    // The first mixed block of the row, and the last, of which there are three samples.
    let blocks = BlockKernels.blockIndices(of: .mixed, kinds.row(0)[..<6], into: memory.row(0))
    let side = Grid<UInt8>(width: 32, height: 1, of: 99)
    BlockKernels.gatherBlocks(side.row(0), row.row(0), blocks)
    let wanted = Array(16..<32) + [80, 81, 82] + Array(repeating: UInt8(99), count: 13)
    #expect(Array(side.row(0)) == wanted)
    for x in 0..<32 { side.row(0)[x] &+= 100 }
    let back = Grid<UInt8>(width: 83, height: 1, of: 0)
    BlockKernels.scatterBlocks(back.row(0), side.row(0), blocks, size: 16)
    #expect(Array(back.row(0)[16..<32]) == Array(116..<132))
    #expect(Array(back.row(0)[80...]) == [180, 181, 182])
    #expect(Array(back.row(0)[..<16]).allSatisfy { $0 == 0 })
  }

  @Test func neighbouringMixedBlocksAreOneRun() {
    let memory = Grid<UInt16>(width: 4, height: 1, of: 0)
    for (index, number) in [0, 2, 3, 5].enumerated() { memory.row(0)[index] = UInt16(number) }
    let blocks = MixedBlocks(numbers: memory.row(0), y: 0, gridWidth: 83)
    var runs: [(Range<Int>, Int)] = []
    blocks.forEachRun { runs.append(($0, $1)) }
    #expect(runs.map { $0.0 } == [0..<16, 32..<64, 80..<83])
    #expect(runs.map { $0.1 } == [0, 16, 48])
  }

  @Test func theFieldIsInterpolatedBetweenTheMiddlesOfBlocks() {
    // Up to the brightest, beyond which rounding would leave a byte.
    let values: [UInt16] = [160, 160, 4095, 16, 2048, 4090, 4095]
    let row = Grid<UInt16>(width: values.count, height: 1, of: 0)
    for (index, value) in values.enumerated() { row.row(0)[index] = value }
    let ramp = Grid<UInt16>(width: 16, height: 1, of: 0)
    for index in 0..<16 { ramp.row(0)[index] = UInt16(index) }
    let count = (values.count - 1) * 16
    let words = Grid<UInt16>(width: count, height: 1, of: 0)
    FieldKernels.upsample16x(words.row(0), row.row(0), ramp: ramp.row(0))
    func value(_ x: Int) -> Int {
      let (from, to) = (Int(values[x / 16]), Int(values[x / 16 + 1]))
      return from * 16 + (to - from) * (x % 16)
    }
    for x in 0..<count { #expect(Int(words.row(0)[x]) == value(x)) }
    // Every block, which begins half a block after its value.
    let numbers = Grid<UInt16>(width: values.count - 2, height: 1, of: 0)
    for block in 0..<numbers.width { numbers.row(0)[block] = UInt16(block) }
    let bytes = Grid<UInt8>(width: 16 * numbers.width, height: 1, of: 0)
    FieldKernels.upsampleBlocks(
      bytes.row(0), row.row(0), ramp: ramp.row(0), blocks: numbers.row(0))
    for x in 0..<bytes.width {
      #expect(Int(bytes.row(0)[x]) == min((value(x + 8) + 128) / 256, 255))
    }
    let some = Grid<UInt8>(width: 32, height: 1, of: 0)
    (numbers.row(0)[0], numbers.row(0)[1]) = (1, 4)
    FieldKernels.upsampleBlocks(
      some.row(0), row.row(0), ramp: ramp.row(0), blocks: numbers.row(0)[..<2])
    #expect(Array(some.row(0)[..<16]) == Array(bytes.row(0)[from: 16, count: 16]))
    #expect(Array(some.row(0)[16...]) == Array(bytes.row(0)[from: 64, count: 16]))
  }

  @Test func columnsOutsideAreClamped() {
    let rows = Grid<UInt16>(width: 11, height: 2, of: 0)
    for x in 0..<11 {
      rows.row(0)[x] = UInt16(x * 300)
      rows.row(1)[x] = UInt16(4095 - x * 200)
    }
    for (first, count) in [(-1, 13), (0, 11), (-3, 2), (9, 9), (12, 3), (4, 3)] {
      let out = Grid<UInt16>(width: count, height: 1, of: 0)
      FieldKernels.blendRows(
        out.row(0), rows.row(0), rows.row(1), weight: 5, from: first)
      for i in 0..<count {
        let x = min(max(first + i, 0), 10)
        let wanted = (Int(rows.row(0)[x]) * 11 + Int(rows.row(1)[x]) * 5) / 16
        #expect(Int(out.row(0)[i]) == wanted, "\(first + i)")
      }
    }
  }
}
