import Pixels

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

  static let block = 16

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
    let blocks = (width + Self.block - 1) / Self.block
    let kinds = unsafe scratch.kinds
    var start = 0
    while start < blocks {
      let kind = unsafe kinds[start]
      var end = start + 1
      while end < blocks, unsafe kinds[end] == kind { end += 1 }
      let range = start * Self.block..<min(end * Self.block, width)
      let run = Run(range, y: y, kind: Kind(rawValue: kind) ?? .mixed, grid: frame.grid)
      if run.kind == .mixed { prepare(run, scratch) }
      write(run, scratch)
      writeAlpha(run, scratch)
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
    let keyed = unsafe (
      keyMatte.row(y - reach), keyMatte.row(y), keyMatte.row(y + reach)
    )
    let edge = unsafe (
      edgeMatte.row(y - reach), edgeMatte.row(y), edgeMatte.row(y + reach)
    )
    let taint = unsafe spill.row(y)
    var index = 0
    var x = 0
    while x < grid.gridWidth {
      let left = x << grid.hShift
      let right = min((x + Self.block) << grid.hShift, grid.width)
      var kind = Kind.screen
      if !isOutside, left < columns.upperBound, right > columns.lowerBound {
        let shares = unsafe Self.look(edge.0 + x, edge.1 + x, edge.2 + x)
        if shares.isAll {
          kind = .screen
        } else if shares.isNone {
          kind = .subject
          if isUnmixing {
            let isClean = unsafe Self.look(taint + x, taint + x, taint + x).isNone
            // A matte shaped afterwards says nothing of where the screen's colour is.
            let isBare =
              unsafe !isShaped
              || Self.look(keyed.0 + x, keyed.1 + x, keyed.2 + x).isNone
            if !isClean || !isBare { kind = .mixed }
          }
        } else {
          kind = .mixed
        }
        let isPartial = isCut || left < columns.lowerBound || right > columns.upperBound
        if isPartial, !(kind == .screen) { kind = .mixed }
        if kind == .subject, blendsOwnAlpha { kind = .mixed }
      }
      unsafe kinds[index] = kind.rawValue
      index += 1
      x += Self.block
    }
  }

  /// Whether a block of three rows, with a column on either side, is all 0 or all 255.
  ///
  /// Columns past the picture's edge are replicated in the planes, so whole blocks are read.
  @inline(__always)
  @unsafe private static func look(
    _ a: UnsafeMutablePointer<UInt8>, _ b: UnsafeMutablePointer<UInt8>,
    _ c: UnsafeMutablePointer<UInt8>
  ) -> (isNone: Bool, isAll: Bool) {
    // 18 bytes as three words that overlap.
    var any: UInt64 = 0
    var all = UInt64.max
    func add(_ row: UnsafeMutablePointer<UInt8>) {
      let bytes = unsafe UnsafeRawPointer(row - 1)
      let first = unsafe bytes.loadUnaligned(as: UInt64.self)
      let second = unsafe bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self)
      let third = unsafe bytes.loadUnaligned(fromByteOffset: 10, as: UInt64.self)
      any |= first | second | third
      all &= first & second & third
    }
    unsafe add(a)
    unsafe add(b)
    unsafe add(c)
    return (any == 0, all == .max)
  }
}
