import Pixels

/// From mattes to pictures.
extension ChromaKey {
  func compose(_ frame: KeyFrame, _ runner: any SliceRunner) {
    let composer = KeyComposer(
      frame: frame, key: key, map: map, settings: settings, keyMatte: keyMatte,
      edgeMatte: needsEdgePlanes ? edgeMatte : keyMatte, spill: spill)
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
  let map: ScreenMap
  let keyMatte: MattePlane
  let edgeMatte: MattePlane
  let spill: MattePlane
  let spillFactors: (Float, Float, Float)
  /// Whether the screen's colour is subtracted.
  let isUnmixing: Bool
  let showsMatte: Bool
  /// The part of the picture inside the garbage matte.
  let columns: Range<Int>
  let lines: Range<Int>

  init(
    frame: KeyFrame, key: KeyTable?, map: ScreenMap, settings: ChromaKeySettings,
    keyMatte: MattePlane, edgeMatte: MattePlane, spill: MattePlane
  ) {
    self.frame = frame
    self.map = map
    self.keyMatte = keyMatte
    self.edgeMatte = edgeMatte
    self.spill = spill
    spillFactors = key?.spillFactors ?? (0, 0, 0)
    isUnmixing = key != nil && !settings.invert
    showsMatte = settings.showMatte
    func kept(_ size: Int, _ before: Double, _ after: Double) -> Range<Int> {
      let start = Int((Double(size) * before).rounded())
      let end = size - Int((Double(size) * after).rounded())
      return start..<max(start, end)
    }
    columns = kept(frame.grid.width, settings.cropLeft, settings.cropRight)
    lines = kept(frame.grid.height, settings.cropTop, settings.cropBottom)
  }

  func compose(_ y: Int, _ scratch: KeyScratch) {
    let grid = frame.grid
    if showsMatte {
      show(y, scratch)
      return
    }
    classify(y, scratch)
    let blocks = (grid.gridWidth + Self.block - 1) / Self.block
    let classes = unsafe scratch.classes.base
    var start = 0
    while start < blocks {
      let kind = unsafe classes[start]
      var end = start + 1
      while end < blocks, unsafe classes[end] == kind { end += 1 }
      let range = start * Self.block..<min(end * Self.block, grid.gridWidth)
      let run = Run(range: range, y: y, kind: Kind(rawValue: kind) ?? .mixed, grid: grid)
      if run.kind == .mixed { prepare(run, scratch) }
      write(run, scratch)
      writeAlpha(run, scratch)
      start = end
    }
    if frame.widensChroma { widenChroma(y, scratch) }
  }

  /// A stretch of one grid row.
  struct Run {
    let range: Range<Int>
    let y: Int
    let kind: Kind
    /// Pixels, from `pixel` on, and picture rows.
    let pixel: Int
    let pixels: Int
    let lines: Range<Int>

    init(range: Range<Int>, y: Int, kind: Kind, grid: KeyGrid) {
      self.range = range
      self.y = y
      self.kind = kind
      pixel = range.lowerBound << grid.hShift
      pixels = min(range.upperBound << grid.hShift, grid.width) - pixel
      let top = y << grid.vShift
      lines = top..<min(top + 1 << grid.vShift, grid.height)
    }
  }

  private func classify(_ y: Int, _ scratch: KeyScratch) {
    let grid = frame.grid
    let classes = unsafe scratch.classes.base
    let top = y << grid.vShift
    let rows = top..<min(top + 1 << grid.vShift, grid.height)
    let isOutside = rows.lowerBound >= lines.upperBound || rows.upperBound <= lines.lowerBound
    let isCut = rows.lowerBound < lines.lowerBound || rows.upperBound > lines.upperBound
    let blendsOwnAlpha = frame.sourceHasAlpha && frame.background != nil
    var index = 0
    var x = 0
    while x < grid.gridWidth {
      let end = min(x + Self.block, grid.gridWidth)
      let left = x << grid.hShift
      let right = min(end << grid.hShift, grid.width)
      var kind: Kind
      if isOutside || left >= columns.upperBound || right <= columns.lowerBound {
        kind = .screen
      } else {
        kind = unsafe sort(x, y)
        let isPartial = isCut || left < columns.lowerBound || right > columns.upperBound
        if kind == .subject, isPartial || blendsOwnAlpha { kind = .mixed }
      }
      unsafe classes[index] = kind.rawValue
      index += 1
      x = end
    }
  }

  /// The kind of a block by its mattes, with what upsampling reaches of its neighbours.
  ///
  /// Columns past the picture's edge are replicated in the planes, so whole blocks are read.
  @unsafe private func sort(_ x: Int, _ y: Int) -> Kind {
    let reach = frame.grid.vShift
    var any: UInt64 = 0
    var all = UInt64.max
    for row in y - reach...y + reach {
      let edge = unsafe UnsafeRawPointer(edgeMatte.row(row) + x)
      let low = unsafe edge.loadUnaligned(as: UInt64.self)
      let high = unsafe edge.loadUnaligned(fromByteOffset: 8, as: UInt64.self)
      any |= low | high
      all &= low & high
      if frame.grid.hShift > 0 {
        let before = unsafe edge.load(fromByteOffset: -1, as: UInt8.self)
        let after = unsafe edge.load(fromByteOffset: 16, as: UInt8.self)
        any |= UInt64(before | after)
        all &= UInt64(before & after) | ~255
      }
    }
    if all == .max { return .screen }
    guard any == 0 else { return .mixed }
    guard isUnmixing else { return .subject }
    let taint = unsafe UnsafeRawPointer(spill.row(y) + x)
    any |= unsafe taint.loadUnaligned(as: UInt64.self)
    any |= unsafe taint.loadUnaligned(fromByteOffset: 8, as: UInt64.self)
    guard any == 0, edgeMatte !== keyMatte else { return any == 0 ? .subject : .mixed }
    // A matte that was shaped afterwards says nothing of where the screen's colour is.
    for row in y - reach...y + reach {
      let shares = unsafe UnsafeRawPointer(keyMatte.row(row) + x)
      any |= unsafe shares.loadUnaligned(as: UInt64.self)
      any |= unsafe shares.loadUnaligned(fromByteOffset: 8, as: UInt64.self)
      any |= unsafe UInt64(
        shares.load(fromByteOffset: -1, as: UInt8.self)
          | shares.load(fromByteOffset: 16, as: UInt8.self))
    }
    return any == 0 ? .subject : .mixed
  }
}
