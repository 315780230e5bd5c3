package import Pixels
package import Threads

/// Takes people out of the room they are in: alpha out, or a background in the room's place.
///
/// It is told where people are, coarsely; here the edge follows the picture's colours, and the
/// room's colour is taken off it. A pixel that is all somebody keeps its samples bit for bit; one
/// that is all room has alpha 0, or the background's samples bit for bit.
///
/// Call `configure` before the first frame and when the format changes, then `process` for each
/// frame. One frame at a time; slices of it run on the `SliceRunner`'s threads.
package final class PersonKey {
  /// Made valid (see `PersonKeySettings.clamped`) when set; takes effect with the next frame.
  package var settings = PersonKeySettings() {
    didSet { settings = settings.clamped }
  }

  /// What was found of people on a grid of cells of `step` pixels each way, from the upper left on.
  package struct Mask {
    let cells: PersonCells.Mask

    /// All of one size: planes of a value for each cell.
    ///
    /// `presence` is how surely each cell shows somebody; `stillness` says how far it is as it was
    /// in the frame before, 0 where there was none; both 0...1. `colors` are the means of the
    /// frame's components, as planes of Y444.
    package init(
      step: Int, presence: Grid<Float>, stillness: Grid<Float>, colors: OwnedPicture
    ) {
      precondition(step > 0 && colors.format == .y444)
      precondition(presence.width == colors.width && presence.height == colors.height)
      precondition(stillness.width == colors.width && stillness.height == colors.height)
      cells = PersonCells.Mask(
        step: step, presence: presence, stillness: stillness, colors: colors)
    }
  }

  /// Whether opacity is measured on the mask's grid, for `opacity`.
  package var measuresOpacity = false

  /// The opacity of the last frame's cells, 0...255, on the mask's grid; nil without a mask.
  ///
  /// To be read, before the next frame.
  package var opacity: Grid<Int16>? { isMeasured ? matte?.foreground.opacity : nil }

  private var isMeasured = false
  private var stage: MatteStage?
  private var matte: PersonMatte?
  private var blur: RoomBlur?
  private var wrap: LightWrap?

  package init() {}

  /// Prepares for pictures of a format; frames in GRAY8 are left alone.
  package func configure(_ video: VideoFormat) {
    stage = MatteStage(video)
    (matte, blur, wrap) = (nil, nil, nil)
  }

  /// Keys `source` into `destination`, as `ChromaKey.process` does.
  ///
  /// Without a mask, or with one of another size, nobody is seen: all is background.
  package func process(
    source: borrowing Picture, destination: borrowing Picture, mask: Mask?,
    background: Background? = nil, runner: any SliceRunner
  ) {
    isMeasured = false
    guard let stage else { return }
    let cells = mask?.cells
    var settings = settings
    if let cells { prepare(cells, stage.grid) } else { settings.matte.invert = false }
    stage.process(
      source: source, destination: destination, background: background, settings.matte,
      runner: runner
    ) { frame, slices in
      guard let cells, let matte else { return MatteStage.Keyed(matte: stage.nobody) }
      return key(frame, cells, matte, settings, slices)
    }
  }

  private func key(
    _ frame: KeyFrame, _ cells: PersonCells.Mask, _ matte: PersonMatte,
    _ settings: PersonKeySettings, _ slices: KeySlices
  ) -> MatteStage.Keyed {
    var keyed = MatteStage.Keyed(matte: matte.make(frame, cells, settings, slices))
    let isBlurred = frame.background == nil && settings.blur > 0
    let fuses = settings.despill > 0 || isBlurred || settings.lightWrap > 0
    if measuresOpacity || (fuses && !settings.matte.showMatte) {
      matte.foreground.measure(matte.cells, matte.filter)
      isMeasured = true
    }
    guard !settings.matte.showMatte else { return keyed }
    if settings.despill > 0 {
      matte.foreground.estimate(slices)
      keyed.colors = ForegroundColors(
        planes: matte.foreground.planes, upsampler: matte.upsampler,
        weight: Int32((settings.despill * 256).rounded()))
    }
    if isBlurred {
      let room = made(&blur, frame.grid, matte.cells, RoomBlur.init).make(
        matte.cells, opacity: matte.foreground.opacity, sigma: settings.blur / 100, matte.upsampler,
        slices)
      keyed.behind = BackgroundRows(room)
    }
    if settings.lightWrap > 0, let behind = frame.background ?? keyed.behind {
      keyed.wrap = made(&wrap, frame.grid, matte.cells, LightWrap.init).make(
        behind, opacity: matte.foreground.opacity, strength: settings.lightWrap, matte.upsampler,
        slices)
    }
    return keyed
  }

  /// What is made once it is wanted, and kept.
  private func made<Part>(
    _ part: inout Part?, _ grid: ChromaGrid, _ cells: PersonCells,
    _ make: (ChromaGrid, Int, Int, Int) -> Part
  ) -> Part {
    if let part { return part }
    let new = make(grid, cells.step, cells.columns, cells.rows)
    part = new
    return new
  }

  private func prepare(_ mask: PersonCells.Mask, _ grid: ChromaGrid) {
    let (columns, rows) = (mask.presence.width, mask.presence.height)
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
