import Pixels
import Threads

/// From mattes to pictures.
extension ChromaKey {
  func compose(_ frame: KeyFrame, _ runner: any SliceRunner) {
    let composer = KeyComposer(
      frame: frame, key: key, field: map.field, settings: settings, keyMatte: keyMatte.rows,
      edgeMatte: needsEdgePlanes ? edgeMatte.rows : keyMatte.rows, spill: spill.rows)
    runSlices(frame.grid.gridHeight, runner) { rows, scratch in
      for y in rows { composer.compose(y, scratch) }
    }
  }
}

/// Writes the output rows of one frame, grid row by grid row.
///
/// Blocks of 16 chroma samples are sorted first: all subject, which is left alone; all screen,
/// which is filled; and the rest, where the arithmetic is. Neighbours of one kind are taken in
/// one run.
struct KeyComposer {
  enum Kind: UInt8 { case subject, screen, mixed }

  static let block = MatteRows.block

  let frame: KeyFrame
  let field: ScreenField
  let keyMatte: MatteRows
  let edgeMatte: MatteRows
  let spill: MatteRows
  let spillFactors: (Int16, Int16, Int16)
  /// Whether the screen's colour is subtracted.
  let isUnmixing: Bool
  /// Whether the final matte is another than the keyed one.
  let isShaped: Bool
  let showsMatte: Bool
  /// The part of the picture inside the garbage matte.
  let columns: Range<Int>
  let lines: Range<Int>

  init(
    frame: KeyFrame, key: KeyTable?, field: ScreenField, settings: ChromaKeySettings,
    keyMatte: MatteRows, edgeMatte: MatteRows, spill: MatteRows
  ) {
    self.frame = frame
    self.field = field
    self.keyMatte = keyMatte
    self.edgeMatte = edgeMatte
    self.spill = spill
    spillFactors = key?.spillFactors ?? (0, 0, 0)
    isUnmixing = key != nil && !settings.invert
    isShaped = !keyMatte.isSame(edgeMatte)
    showsMatte = settings.showMatte
    func kept(_ size: Int, _ before: Double, _ after: Double) -> Range<Int> {
      let start = Int((Double(size) * before).rounded())
      let end = size - Int((Double(size) * after).rounded())
      return start..<max(start, end)
    }
    columns = kept(frame.grid.width, settings.cropLeft, settings.cropRight)
    lines = kept(frame.grid.height, settings.cropTop, settings.cropBottom)
  }

  /// A stretch of one grid row.
  struct Run {
    let x: Int
    let count: Int
    let y: Int
    let kind: Kind
    /// Pixels, from `pixel` on, and picture rows.
    let pixel: Int
    let pixels: Int
    let lines: Range<Int>

    @inline(__always)
    init(_ range: Range<Int>, y: Int, kind: Kind, grid: KeyGrid) {
      x = range.lowerBound
      count = range.count
      self.y = y
      self.kind = kind
      pixel = range.lowerBound << grid.hShift
      pixels = min(range.upperBound << grid.hShift, grid.width) - pixel
      let top = y << grid.vShift
      lines = top..<min(top + 1 << grid.vShift, grid.height)
    }
  }

  func compose(_ y: Int, _ scratch: KeyLines) {
    if showsMatte {
      show(y, scratch)
      return
    }
    classify(y, scratch)
    let width = frame.grid.gridWidth
    let blocks = edgeMatte.blocks
    let kinds = unsafe scratch.kinds
    var start = 0
    while start < blocks {
      let kind = unsafe kinds[start]
      var end = start + 1
      while end < blocks, unsafe kinds[end] == kind { end += 1 }
      let range = start * Self.block..<min(end * Self.block, width)
      let run = Run(range, y: y, kind: Kind(rawValue: kind) ?? .mixed, grid: frame.grid)
      if run.kind == .mixed { prepare(run, scratch) }
      if let units = frame.destinationUnits, frame.grid.hShift == 0 {
        write(run, packed: units, scratch)
      } else {
        write(run, scratch)
        writeAlpha(run, scratch)
      }
      start = end
    }
    if frame.widensChroma { widenChroma(y, scratch) }
  }

  /// Sorts the blocks of a grid row.
  private func classify(_ y: Int, _ scratch: KeyLines) {
    let grid = frame.grid
    let kinds = unsafe scratch.kinds
    let top = y << grid.vShift
    let bottom = min(top + 1 << grid.vShift, grid.height)
    let isOutside = top >= lines.upperBound || bottom <= lines.lowerBound
    let isCut = top < lines.lowerBound || bottom > lines.upperBound
    let blendsOwnAlpha = frame.source.alpha != nil && frame.background != nil
    let reach = grid.vShift
    let edge = unsafe (
      edgeMatte.marks(y - reach), edgeMatte.marks(y), edgeMatte.marks(y + reach)
    )
    let keyed = unsafe (
      keyMatte.marks(y - reach), keyMatte.marks(y), keyMatte.marks(y + reach)
    )
    let taint = unsafe spill.marks(y)
    for block in 0..<edgeMatte.blocks {
      let left = block &* Self.block &<< grid.hShift
      let right = min((block &+ 1) &* Self.block &<< grid.hShift, grid.width)
      guard !isOutside, left < columns.upperBound, right > columns.lowerBound else {
        unsafe kinds[block] = Kind.screen.rawValue
        continue
      }
      let marks = unsafe edge.0[block] & edge.1[block] & edge.2[block]
      var kind = Kind.mixed
      if marks & MatteRows.all != 0 {
        kind = .screen
      } else if marks & MatteRows.none != 0 {
        // A matte shaped afterwards says nothing of where the screen's colour is.
        let bare = unsafe keyed.0[block] & keyed.1[block] & keyed.2[block] & taint[block]
        kind = isUnmixing && bare & MatteRows.none == 0 ? .mixed : .subject
        let isPartial = isCut || left < columns.lowerBound || right > columns.upperBound
        if isPartial || blendsOwnAlpha { kind = .mixed }
      }
      unsafe kinds[block] = kind.rawValue
    }
  }
}
