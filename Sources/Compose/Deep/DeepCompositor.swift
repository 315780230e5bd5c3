package import Filters
package import Pixels
package import Threads

/// What `FrameCompositor` needs for pictures of more than 8 bits.
///
/// A copy in 8 bits is what mattes are decided by; samples are composited in their own bits.
package final class DeepCompositor {
  let video: VideoFormat
  package let codes: DeepCodes
  package let eightBit: EightBitCopy
  fileprivate let shaper: MatteShaper<DeepPlane>
  fileprivate var scratch: [DeepScratch] = []
  /// A keyer's matte of 8 bits, widened; nil until there is one.
  fileprivate var widened: DeepPlane?

  /// Nil for formats of 8 bits.
  init?(_ video: VideoFormat) {
    guard let codes = DeepCodes(video), let copy = EightBitCopy(video) else { return nil }
    (self.video, self.codes, eightBit) = (video, codes, copy)
    shaper = MatteShaper(grid: ChromaGrid(video.eightBit))
  }

  /// Copies those rows of the grid of a source in 8 bits that a keyer reads; nil for all.
  package func copy(
    _ source: borrowing Picture, rows: Range<Int>?, runner: any SliceRunner
  ) {
    eightBit.update(source, rows: rows, runner: runner)
  }

  /// Copies all of a frame's source.
  package func copy(_ frame: DeepFrame, runner: any SliceRunner) {
    eightBit.update((frame.source[0], frame.source[1], frame.source[2]), runner: runner)
  }
}

extension FrameCompositor {
  /// As `composite`, for a format of more than 8 bits: nothing happens for others.
  ///
  /// `isCopied` tells that `deep.eightBit` already holds the source.
  package func compositeDeep(
    source: borrowing Picture, destination: borrowing Picture, background: Background?,
    field: Int = 0, _ settings: MatteSettings, isCopied: Bool = false, runner: any SliceRunner,
    key: (DeepFrame, FrameSlices) -> DeepKeyedFrame
  ) {
    guard let deep, matchesFormat(source, deep),
      matchesFormat(destination, deep, isDestination: true)
    else { return }
    while deep.scratch.count < max(1, runner.threadCount) {
      deep.scratch.append(DeepScratch(grid: grid))
    }
    if !isCopied { deep.eightBit.update(source, runner: runner) }
    let slices = makeSlices(runner)
    let background = background?.grid.video.field == deep.video ? background : nil
    // Pictures cannot be captured: their components can.
    let view = deep.eightBit.picture.withPicture {
      ComposeFrame(
        source: $0, destination: $0, background: background?.rows(field: field), grid: grid)
    }
    withExtendedLifetime((background, self)) {
      let frame = DeepFrame(
        eightBit: view, source: source, destination: destination,
        background: background?.deepRows(field: field))
      compositeDeepRows(frame, key(frame, slices), deep, settings, slices)
    }
  }

  private func compositeDeepRows(
    _ frame: DeepFrame, _ keyed: DeepKeyedFrame, _ deep: DeepCompositor,
    _ settings: MatteSettings, _ slices: FrameSlices
  ) {
    let (shape, crop) = (settings.shape, MatteCrop(grid.video, settings))
    let plane: DeepPlane
    switch keyed.alpha {
    case .plane(let own): plane = own
    case .bytes(let bytes):
      plane = deep.widened ?? DeepPlane(width: grid.gridWidth, height: grid.gridHeight)
      deep.widened = plane
      plane.copy(bytes.rows, slices)
    }
    let matte = deep.shaper.shape(plane, shape, slices)
    let background = frame.background ?? keyed.background
    slices.run(grid.gridHeight) { range, scratch in
      let compositor = DeepRowCompositor(
        frame: frame, codes: deep.codes, matte: matte.rows,
        keyedAlpha: shape.isPlain ? nil : plane.rows, crop: crop,
        edges: shape.isInverted || keyed.edges.isEmpty ? nil : keyed.edges[scratch.thread],
        showsMatte: settings.showMatte, background: background)
      for y in range { compositor.composite(y, deep.scratch[scratch.thread].rows) }
    }
  }

  private func matchesFormat(
    _ picture: borrowing Picture, _ deep: DeepCompositor, isDestination: Bool = false
  ) -> Bool {
    guard picture.width == grid.width, picture.height == grid.height else { return false }
    return picture.format == deep.video.format
      || (isDestination && picture.format == Self.formatWithAlpha(for: deep.video.format))
  }
}
