import Pixels
import Support
import Testing
import Threads

@testable import Keying

/// Shaping and composing, with a matte that no screen made.
@Suite(.timeLimit(.minutes(10))) struct AnyMatteTests {
  private let grid = ChromaGrid(
    VideoFormat(
      format: .i420, width: 128, height: 32, colorimetry: .bt709, chromaSite: .center))

  /// A matte that keeps the right half.
  private func rightHalf() -> Matte {
    let matte = Matte(width: grid.gridWidth, height: grid.gridHeight)
    for y in 0..<grid.gridHeight {
      matte.rows.row(y)[..<(grid.gridWidth / 2)].fill(255)
      matte.rows.finish(y)
    }
    return matte
  }

  private var slices: KeySlices {
    KeySlices(scratch: [KeyScratch(grid: grid)], runner: SerialRunner())
  }

  /// The frame's components after composing a picture that is `code` all over.
  private func composed(
    _ matte: Matte, code: UInt8 = 90, cropLeft: Double = 0, background: Background? = nil
  ) -> [[UInt8]] {
    let source = OwnedPicture(format: .i420, width: 128, height: 32, colorimetry: .bt709)
    source.withPicture { picture in
      for index in 0..<3 {
        for y in 0..<picture.plane(index).height { picture.plane(index).row(y).fill(code) }
      }
    }
    let target = OwnedPicture(
      format: background == nil ? .a420 : .i420, width: 128, height: 32, colorimetry: .bt709)
    source.withPicture { source in
      target.withPicture { target in
        let frame = KeyFrame(
          source: source, destination: target, background: background?.rows, grid: grid)
        var settings = MatteSettings()
        settings.cropLeft = cropLeft
        let crop = MatteCrop(grid.video, settings)
        Composer(
          frame: frame, matte: matte.rows, crop: crop, keyed: MatteStage.Keyed(matte: matte),
          shape: MatteShape(), showsMatte: false
        ).compose(slices)
      }
    }
    return samples(target)
  }

  @Test func whatAMatteKeepsIsOpaqueAndUnchangedAndTheRestIsGone() {
    let found = composed(rightHalf())
    for (at, alpha) in found[3].enumerated() where at % 128 < 60 || at % 128 > 67 {
      #expect(alpha == (at % 128 < 64 ? 0 : 255))
      if at % 128 > 67 { #expect(found[0][at] == 90) }
    }
  }

  @Test func aBackgroundComesInItsPlace() {
    let background = Background(color: 0xffff_ffff, for: grid.video)
    let found = composed(rightHalf(), background: background)
    #expect((0..<32).allSatisfy { found[0][$0 * 128] == 235 && found[0][$0 * 128 + 127] == 90 })
  }

  @Test func invertingKeepsTheOtherHalfAndCroppingCutsIt() {
    let shaper = MatteShaper(grid: grid)
    let other = shaper.shape(rightHalf(), MatteShape(isInverted: true), slices)
    let found = composed(other, cropLeft: 0.25)
    for y in 0..<32 {
      #expect(found[3][y * 128 + 31] == 0)
      #expect(found[3][y * 128 + 32] == 255)
      #expect(found[3][y * 128 + 127] == 0)
    }
  }

  @Test func shrinkingMovesTheEdgeByWholePixels() {
    let shaper = MatteShaper(grid: grid)
    let shaped = shaper.shape(rightHalf(), MatteShape(shrink: 4), slices)
    let row = shaped.rows.row(8)
    #expect(row[33] == 255)
    #expect(row[34] == 0)
  }
}
