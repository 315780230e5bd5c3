package import Pixels
package import Threads

/// Composites frames of one format: makes alpha of each, shapes it, and blends by it.
///
/// One frame at a time; keeps the memory that threads work in, so that frames allocate nothing.
package final class FrameCompositor {
  /// That of the format, or of its 8-bit counterpart.
  package let grid: ChromaGrid
  private let shaper: MatteShaper<GridPlane>
  private var scratch: [ComposeScratch] = []
  /// What pictures of more than 8 bits need; nil for 8 bits.
  package let deep: DeepCompositor?

  /// Nil for GRAY8, which has no colour, and for no pixels.
  package init?(_ video: VideoFormat) {
    guard video.format != .gray8, video.width > 0, video.height > 0 else { return nil }
    grid = ChromaGrid(video.eightBit)
    shaper = MatteShaper(grid: grid)
    deep = video.format.bitDepth > 8 ? DeepCompositor(video) : nil
  }

  /// The format for frames of `format` with alpha.
  ///
  /// The same layout with alpha if it exists (for NV21 AV12, with exchanged Cb and Cr); 4:2:2 and
  /// 4:4:4 become AYUV, with 4:2:2 chroma interpolated, and in 10 bits planes with alpha. Nil for
  /// GRAY8, and for 12 bits, of which GStreamer 1.22 has no format with alpha.
  package static func formatWithAlpha(for format: PixelFormat) -> PixelFormat? {
    switch format {
    case .i420, .yv12, .a420: .a420
    case .nv12, .nv21, .av12: .av12
    case .yuy2, .uyvy, .yvyu, .vyuy, .y42b, .nv16, .nv61, .y444, .nv24, .ayuv: .ayuv
    case .rgb, .rgbx, .rgba: .rgba
    case .bgr, .bgrx, .bgra: .bgra
    case .xrgb, .argb: .argb
    case .xbgr, .abgr: .abgr
    case .gbr, .gbra: .gbra
    case .p010, .i420Ten, .a420Ten: .a420Ten
    case .y42bTen, .y210, .v210, .a422Ten: .a422Ten
    case .y444Ten, .a444Ten: .a444Ten
    case .gray8, .p012, .i420Twelve, .y42bTwelve, .y444Twelve: nil
    }
  }

  /// Whether a row of the picture needs one row of alpha only, so that no plane of it has to be
  /// kept.
  package func compositesRowByRow(_ settings: MatteSettings) -> Bool {
    grid.vShift == 0 && settings.shape.isPlain
  }

  /// Composites `source` into `destination` by the alpha that `key` makes.
  ///
  /// Both have the compositor's size, colorimetry and siting, `source` its format; `destination`
  /// has the same format, or `formatWithAlpha(for:)`'s. The destination's components may lie in the
  /// source's memory; otherwise the two must not overlap. NV21 to AV12 needs other memory for
  /// chroma.
  ///
  /// Without a background the destination gets straight alpha, times the source's own; where the
  /// format has none, transparent pixels turn black. With a background made for this format and
  /// size, alpha where there is any is 255. Pictures that do not fit are left alone. The compositor
  /// of a field's format takes the background of the frame, and the number of the field.
  package func composite(
    source: borrowing Picture, destination: borrowing Picture, background: Background?,
    field: Int = 0, _ settings: MatteSettings, runner: any SliceRunner,
    key: (ComposeFrame, FrameSlices) -> KeyedFrame
  ) {
    guard matchesFormat(source), matchesFormat(destination, isDestination: true) else { return }
    let slices = makeSlices(runner)
    let background = background?.grid.video.field == grid.video ? background : nil
    withExtendedLifetime((background, self)) {
      var frame = ComposeFrame(
        source: source, destination: destination, background: background?.rows(field: field),
        grid: grid)
      let keyed = key(frame, slices)
      if background == nil { frame.background = keyed.background }
      compositeRows(frame, keyed, settings, slices)
    }
  }

  /// The threads of a frame.
  func makeSlices(_ runner: any SliceRunner) -> FrameSlices {
    while scratch.count < max(1, runner.threadCount) {
      scratch.append(ComposeScratch(grid: grid, thread: scratch.count))
    }
    return FrameSlices(scratch: scratch, runner: runner)
  }

  private func compositeRows(
    _ frame: ComposeFrame, _ keyed: KeyedFrame, _ settings: MatteSettings, _ slices: FrameSlices
  ) {
    let (shape, crop) = (settings.shape, MatteCrop(grid.video, settings))
    /// A compositor of rows for one thread.
    func makeRowCompositor(_ matte: GridPlane.Rows, keyed alpha: GridPlane.Rows, thread: Int)
      -> RowCompositor
    {
      RowCompositor(
        frame: frame, matte: matte, keyedAlpha: shape.isPlain ? nil : alpha, crop: crop,
        edges: shape.isInverted || keyed.edges.isEmpty ? nil : keyed.edges[thread],
        showsMatte: settings.showMatte, hasBackground: frame.background != nil)
    }
    switch keyed.alpha {
    case .plane(let plane):
      let matte = shaper.shape(plane, shape, slices).rows
      slices.run(grid.gridHeight) { range, scratch in
        let compositor = makeRowCompositor(matte, keyed: plane.rows, thread: scratch.thread)
        for y in range { compositor.composite(y, scratch) }
      }
    case .rows(let makers):
      slices.run(grid.gridHeight) { range, scratch in
        let maker = makers[scratch.thread]
        let compositor = makeRowCompositor(
          maker.alphaRow, keyed: maker.alphaRow, thread: scratch.thread)
        for y in range { compositor.composite(y, madeBy: maker, scratch) }
      }
    }
  }

  private func matchesFormat(_ picture: borrowing Picture, isDestination: Bool = false) -> Bool {
    guard picture.width == grid.width, picture.height == grid.height else { return false }
    let format = grid.video.format
    return picture.format == format
      || (isDestination && picture.format == Self.formatWithAlpha(for: format))
  }
}
