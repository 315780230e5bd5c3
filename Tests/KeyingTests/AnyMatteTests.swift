import Pixels
import Support
import Testing
import Threads

@testable import Compose

/// Shaping and compositing by a matte that no keyer made.
@Suite(.timeLimit(.minutes(20))) struct AnyMatteTests {
  private let grid = ChromaGrid(
    VideoFormat(
      format: .i420, width: 128, height: 32, colorimetry: .bt709, chromaSite: .center))

  /// A matte that keeps the right half.
  private func rightHalf() -> GridPlane {
    let alpha = GridPlane(width: grid.gridWidth, height: grid.gridHeight)
    for y in 0..<grid.gridHeight {
      alpha.rows.row(y)[..<(grid.gridWidth / 2)].fill(0)
      alpha.rows.padAndMark(y)
    }
    return alpha
  }

  private var slices: FrameSlices {
    FrameSlices(scratch: [ComposeScratch(grid: grid, thread: 0)], runner: SerialRunner())
  }

  /// The frame's components after compositing a picture that is `code` all over.
  private func composed(
    code: UInt8 = 90, background: Background? = nil,
    _ change: (inout MatteSettings) -> Void = { _ in }
  ) -> [[UInt8]] {
    let source = OwnedPicture(grid.video)
    source.withPicture { picture in
      for index in 0..<3 {
        for y in 0..<picture.plane(index).height { picture.plane(index).row(y).fill(code) }
      }
    }
    let target = OwnedPicture(
      VideoFormat(
        format: background == nil ? .a420 : .i420, width: 128, height: 32, colorimetry: .bt709,
        chromaSite: .center))
    var settings = MatteSettings()
    change(&settings)
    let alpha = rightHalf()
    source.withPicture { source in
      target.withPicture { target in
        FrameCompositor(grid.video)?.composite(
          source: source, destination: target, background: background, settings,
          runner: SerialRunner()
        ) { _, _ in KeyedFrame(alpha: .plane(alpha)) }
      }
    }
    return target.samples
  }

  @Test func foregroundIsOpaqueAndUnchangedAndBackgroundTransparent() {
    let found = composed()
    for (at, alpha) in found[3].enumerated() where at % 128 < 60 || at % 128 > 67 {
      #expect(alpha == (at % 128 < 64 ? 0 : 255))
      if at % 128 > 67 { #expect(found[0][at] == 90) }
    }
  }

  @Test func aBackgroundReplacesTransparentPixels() {
    let background = Background(color: 0xffff_ffff, for: grid.video)
    let found = composed(background: background)
    #expect((0..<32).allSatisfy { found[0][$0 * 128] == 235 && found[0][$0 * 128 + 127] == 90 })
  }

  @Test func invertingKeepsTheOtherHalfAndCroppingCutsIt() {
    let found = composed {
      $0.invert = true
      $0.cropLeft = 0.25
    }
    for y in 0..<32 {
      #expect(found[3][y * 128 + 31] == 0)
      #expect(found[3][y * 128 + 32] == 255)
      #expect(found[3][y * 128 + 127] == 0)
    }
  }

  @Test func shrinkingMovesTheEdgeByWholePixels() {
    let shaper = MatteShaper<GridPlane>(grid: grid)
    let shaped = shaper.shape(rightHalf(), MatteShape(shrink: 4), slices)
    let row = shaped.rows.row(8)
    #expect(row[33] == 0)
    #expect(row[34] == 255)
  }
}
