package import Compose
import Filters
package import Pixels
package import Threads

/// Keys people by a coarse mask from a segmentation network: writes alpha, or composites a
/// background.
///
/// A guided filter fits the mask's edges to the picture's colours; at edges the foreground's own
/// colours are estimated. Opaque pixels keep their samples bit for bit; transparent ones have alpha
/// 0, or the background's samples bit for bit.
///
/// Call `configure` before the first frame and when the format changes, then `process` for each
/// frame. One frame at a time; slices of it run on the `SliceRunner`'s threads.
package final class PersonKeyer {
  /// Clamped when set; takes effect with the next frame.
  package var settings = PersonKeySettings() {
    didSet { settings = settings.clamped }
  }

  /// What a segmenter found on a grid of cells of `step` pixels each way, from the upper left on.
  package struct Mask {
    let cells: PersonCells.Mask

    /// Planes of equal size with a value for each cell.
    ///
    /// `probability`, 0...1, is that of a person; `temporalWeight`, 0...1, is the degree to which
    /// the cell is unchanged since the last frame, 0 without one. `colors` are the means of the
    /// frame's components, as planes of Y444.
    package init(
      step: Int, probability: Grid<Float>, temporalWeight: Grid<Float>, colors: OwnedPicture
    ) {
      precondition(step > 0 && colors.format == .y444)
      precondition(probability.width == colors.width && probability.height == colors.height)
      precondition(temporalWeight.width == colors.width && temporalWeight.height == colors.height)
      cells = PersonCells.Mask(
        step: step, probability: probability, temporalWeight: temporalWeight, colors: colors)
    }
  }

  /// Whether opacity is computed on the mask's grid, for `opacity`.
  package var measuresOpacity = false

  /// The opacity of the last frame's cells, 0...255, on the mask's grid; nil without a mask.
  ///
  /// Valid until the next frame.
  package var opacity: Grid<Int16>? { isMeasured ? matte?.foreground.opacity : nil }

  private var isMeasured = false
  private var compositor: FrameCompositor?
  private var matte: PersonMatte?
  private var blur: BackgroundBlur?
  private var wrap: LightWrap?
  /// What corrects colours, one for each thread.
  private var threads: [PersonEdges] = []
  private var edges: [any EdgeColors] = []
  private var deepEdges: [any DeepEdgeColors] = []
  /// Whether `eightBitCopy` was called for the frame.
  private var isCopied = false
  /// A matte of alpha 0.
  private var transparent: GridPlane?

  package init() {}

  /// Prepares for pictures of a format; frames in GRAY8 stay as they are.
  package func configure(_ video: VideoFormat) {
    compositor = FrameCompositor(video)
    (matte, blur, wrap, transparent) = (nil, nil, nil, nil)
    (threads, edges, deepEdges) = ([], [], [])
  }

  /// The source in 8 bits, for a segmenter; nil for formats of 8 bits.
  ///
  /// Valid until the next frame.
  package func eightBitCopy(
    of source: borrowing Picture, runner: any SliceRunner
  ) -> OwnedPicture? {
    guard let copy = compositor?.deep?.eightBit else { return nil }
    copy.update(source, runner: runner)
    isCopied = true
    return copy.picture
  }

  /// Keys `source` into `destination`; see `FrameCompositor.composite`.
  ///
  /// Without a mask all is background. Of a picture of more than 8 bits alpha and colours have its
  /// own bits. Fields of interlaced frames are processed one after the other, by a keyer that is
  /// configured for their format; `background` is that of the frame.
  package func process(
    source: borrowing Picture, destination: borrowing Picture, mask: Mask?,
    background: Background? = nil, field: Int = 0, runner: any SliceRunner
  ) {
    isMeasured = false
    guard let compositor else { return }
    let cells = mask?.cells
    var settings = settings
    if let cells { prepareMatte(cells, compositor.grid) } else { settings.matte.invert = false }
    if let deep = compositor.deep {
      defer { isCopied = false }
      return compositor.compositeDeep(
        source: source, destination: destination, background: background, field: field,
        settings.matte, isCopied: isCopied, runner: runner
      ) { frame, slices in
        guard let cells, let matte else {
          return DeepKeyedFrame(alpha: .bytes(transparentPlane(frame.grid)))
        }
        let alpha = matte.makeMatte(frame, cells, settings, deep.codes, slices)
        let made = keyFrame(frame.eightBit, matte, settings, deep.codes, slices)
        return DeepKeyedFrame(
          alpha: .plane(alpha), edges: made.isEdited ? deepEdges : [],
          background: made.blurred == nil
            ? nil : blur.map { DeepBackground($0.deepBackground(matte.positions, deep.codes)) })
      }
    }
    compositor.composite(
      source: source, destination: destination, background: background, field: field,
      settings.matte, runner: runner
    ) { frame, slices in
      guard let cells, let matte else {
        return KeyedFrame(alpha: .plane(transparentPlane(frame.grid)))
      }
      let alpha = matte.makeMatte(frame, cells, settings, slices)
      let made = keyFrame(frame, matte, settings, nil, slices)
      return KeyedFrame(
        alpha: .plane(alpha), edges: made.isEdited ? edges : [], background: made.blurred)
    }
  }

  /// A frame's own background, blurred, and whether `edges` correct its colours.
  private typealias Colors = (blurred: BackgroundRows?, isEdited: Bool)

  /// Makes what corrects the colours of a frame's edges, whose matte is made; `codes` are those of
  /// samples of more than 8 bits.
  private func keyFrame(
    _ frame: ComposeFrame, _ matte: PersonMatte, _ settings: PersonKeySettings,
    _ codes: DeepCodes?, _ slices: FrameSlices
  ) -> Colors {
    let isBlurred = frame.background == nil && settings.blur > 0
    let needsOpacity = settings.despill > 0 || isBlurred || settings.lightWrap > 0
    if measuresOpacity || (needsOpacity && !settings.matte.showMatte) {
      matte.foreground.computeOpacity(matte.cells, matte.filter)
      isMeasured = true
    }
    guard !settings.matte.showMatte else { return (nil, false) }
    let (opacity, despills) = (matte.foreground.opacity, settings.despill > 0)
    if despills { matte.foreground.estimateColors(slices) }
    var blurred: BackgroundRows?
    if isBlurred {
      let blur = cached(&blur, frame.grid, matte.cells, BackgroundBlur.init)
      blurred = BackgroundRows(
        blur.blurBackground(
          matte.cells, opacity: opacity, sigma: settings.blur / 100, matte.upsampler, slices))
    }
    var light: LightWrap?
    if settings.lightWrap > 0, let background = frame.background ?? blurred {
      light = cached(&wrap, frame.grid, matte.cells, LightWrap.init)
      light?.compute(background, opacity: opacity, strength: settings.lightWrap, slices)
    }
    guard despills || light != nil else { return (blurred, false) }
    while threads.count < slices.threadCount {
      let thread = PersonEdges(grid: frame.grid, codes: codes)
      threads.append(thread)
      edges.append(thread)
      deepEdges.append(thread)
    }
    for thread in threads {
      thread.beginFrame(
        matte.upsampler, despill: settings.despill,
        colors: despills ? matte.foreground.planes : nil, light: light?.planes)
    }
    return (blurred, true)
  }

  /// The filter, made by the first call and kept.
  private func cached<Filter>(
    _ filter: inout Filter?, _ grid: ChromaGrid, _ cells: PersonCells,
    _ make: (ChromaGrid, Int, Int, Int) -> Filter
  ) -> Filter {
    if let filter { return filter }
    let new = make(grid, cells.step, cells.columns, cells.rows)
    filter = new
    return new
  }

  private func transparentPlane(_ grid: ChromaGrid) -> GridPlane {
    if let transparent { return transparent }
    let plane = GridPlane(width: grid.gridWidth, height: grid.gridHeight, of: 0)
    transparent = plane
    return plane
  }

  /// Makes the filters again if the grid of the mask has changed.
  private func prepareMatte(_ mask: PersonCells.Mask, _ grid: ChromaGrid) {
    let (columns, rows) = (mask.probability.width, mask.probability.height)
    if let cells = matte?.cells, cells.step == mask.step, cells.columns == columns,
      cells.rows == rows
    {
      return
    }
    (blur, wrap) = (nil, nil)
    matte = PersonMatte(
      grid: grid, cells: PersonCells(step: mask.step, columns: columns, rows: rows))
  }
}
