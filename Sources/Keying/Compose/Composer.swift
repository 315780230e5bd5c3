import Pixels

/// Writes the output rows of one frame, grid row by grid row, through any matte.
///
/// Blocks of 16 chroma samples are sorted first: all subject, which is left alone; all backdrop,
/// which is filled; and the rest, where the arithmetic is. Neighbours of one kind are taken in
/// one run.
struct Composer {
  /// None, or one bit.
  enum Kind: UInt8 { case subject, screen, mixed }

  static let block = MatteRows.block

  let frame: KeyFrame
  /// Shares of what is to go.
  private(set) var matte: MatteRows
  /// The part of the picture that may stay.
  let crop: MatteCrop
  /// Light of a screen to be taken out of the subject, where the matte is one's.
  private(set) var light: ScreenLight?
  /// What makes the matte and the light, row by row as they are needed.
  private let screen: SeenScreen?
  /// The subject's own colours, where its edges are mixed with what was behind it.
  let colors: ForegroundColors?
  /// Light of the background that falls on the subject.
  let wrap: EdgeLight?
  /// Whether the matte is another than the one the light goes by.
  let isShaped: Bool
  /// Whether the matte itself is written, as a grey picture.
  let showsMatte: Bool

  // Asked for every run, where looking at the values themselves would copy them.
  let hasBackground, hasLight, hasColors, hasWrap: Bool

  init(
    frame: KeyFrame, matte: MatteRows, crop: MatteCrop, keyed: MatteStage.Keyed, shape: MatteShape,
    showsMatte: Bool
  ) {
    (self.frame, self.matte, self.crop, self.showsMatte) = (frame, matte, crop, showsMatte)
    screen = keyed.screen
    light = shape.isInverted ? nil : keyed.light
    colors = shape.isInverted ? nil : keyed.colors
    wrap = shape.isInverted ? nil : keyed.wrap
    isShaped = !shape.isPlain
    hasBackground = frame.background != nil
    hasLight = light != nil || screen != nil
    (hasColors, hasWrap) = (colors != nil, wrap != nil)
  }

  /// A stretch of one grid row.
  struct Run {
    let x, count, y: Int
    let kind: Kind
    /// Pixels, from `pixel` on, and picture rows.
    let pixel, pixels: Int
    let lines: Range<Int>

    @inline(__always)
    init(_ range: Range<Int>, y: Int, kind: Kind, grid: ChromaGrid) {
      (x, count) = (range.lowerBound, range.count)
      (self.y, self.kind) = (y, kind)
      pixel = range.lowerBound << grid.hShift
      pixels = min(range.upperBound << grid.hShift, grid.width) - pixel
      let top = y << grid.vShift
      lines = top..<min(top + 1 << grid.vShift, grid.height)
    }
  }

  /// Writes the whole picture.
  func compose(_ slices: KeySlices) {
    slices.run(frame.grid.gridHeight) { rows, scratch in
      guard let screen else {
        for y in rows { write(y, scratch) }
        return
      }
      let light = screen.light(shares: scratch.light.shares, spill: scratch.light.spill)
      var composer = self
      (composer.matte, composer.light) = (light.shares, light)
      var maker = ScreenRows(screen, scratch)
      for y in rows {
        maker.make(y, of: frame, light)
        if frame.grid.hShift == 0, !showsMatte {
          composer.classify(y, scratch)
          composer.composeBlocks(y, light, scratch)
        } else {
          composer.write(y, scratch)
        }
      }
    }
  }

  private func write(_ y: Int, _ scratch: KeyRows) {
    showsMatte ? show(y, scratch) : compose(y, scratch)
  }

  private func compose(_ y: Int, _ scratch: KeyRows) {
    classify(y, scratch)
    let width = frame.grid.gridWidth
    let kinds = scratch.kinds[..<matte.blocks]
    var start = 0
    while start < kinds.count {
      let kind = kinds[start]
      var end = start + 1
      while end < kinds.count, kinds[end] == kind { end += 1 }
      let range = start * Self.block..<min(end * Self.block, width)
      let run = Run(range, y: y, kind: Kind(rawValue: kind) ?? .mixed, grid: frame.grid)
      if run.kind == .mixed { prepare(run, scratch) }
      if let pixels = frame.destination.packed, frame.grid.hShift == 0 {
        write(run, to: pixels, scratch)
      } else {
        write(run, scratch)
        writeAlpha(run, scratch)
      }
      start = end
    }
    if frame.widensChroma { widenChroma(y, scratch) }
  }

  /// Sorts the blocks of a grid row.
  func classify(_ y: Int, _ scratch: KeyRows) {
    let grid = frame.grid
    let kinds = scratch.kinds[..<matte.blocks]
    func marks(_ matte: MatteRows) -> (Row<UInt8>, Row<UInt8>, Row<UInt8>) {
      (matte.marks(y - grid.vShift), matte.marks(y), matte.marks(y + grid.vShift))
    }
    ComposeKernels.kinds(kinds, marks(matte))
    // A matte shaped afterwards says nothing of where the screen's colour is.
    if let light { ComposeKernels.mixLit(kinds, marks(light.shares), light.spill.marks(y)) }
    let top = y << grid.vShift
    let bottom = min(top + 1 << grid.vShift, grid.height)
    let (columns, lines) = (crop.columns, crop.lines)
    let size = Self.block << grid.hShift
    let first = columns.lowerBound < grid.width ? columns.lowerBound / size : kinds.count
    let end = min((columns.upperBound + size - 1) / size, kinds.count)
    guard top < lines.upperBound, bottom > lines.lowerBound, first < end else {
      kinds.fill(Kind.screen.rawValue)
      return
    }
    kinds[..<first].fill(Kind.screen.rawValue)
    kinds[end...].fill(Kind.screen.rawValue)
    /// Makes mixed what is all subject.
    func mix(_ block: Int) {
      if kinds[block] == Kind.subject.rawValue { kinds[block] = Kind.mixed.rawValue }
    }
    let isCut = top < lines.lowerBound || bottom > lines.upperBound
    if isCut || hasWrap || (frame.source.alpha != nil && hasBackground) {
      for block in first..<end { mix(block) }
    }
    if columns.lowerBound > first * size { mix(first) }
    if columns.upperBound < min(end * size, grid.width) { mix(end - 1) }
  }
}
