package import Pixels
package import Threads

/// Takes a screen of one colour out of pictures: alpha out, or a background in its place.
///
/// The key is a projection on the screen's hue, on the stream's own chroma grid, against a map
/// of the screen; the alpha is brought to full size with the stream's chroma siting; the
/// screen's share and its spill are subtracted from the subject. A pixel that is all subject
/// keeps its samples bit for bit; one that is all screen has alpha 0, or the background's
/// samples bit for bit.
///
/// Call `configure` before the first frame and when the format changes, then `process` for each
/// frame. One frame at a time; slices of it run on the `SliceRunner`'s threads.
package final class ChromaKey {
  /// Made valid (see `ChromaKeySettings.clamped`) when set; takes effect with the next frame.
  package var settings: ChromaKeySettings {
    get { current }
    set { change(to: newValue.clamped) }
  }

  /// The screen colour in use as 0xffRRGGBB; nil while none was found.
  package var screenColor: UInt32? {
    guard let key, let grid else { return nil }
    return grid.argb(key.components)
  }

  private var current = ChromaKeySettings()
  private var finder = ScreenFinder()
  private var isStale = true
  private var needsField = true
  private(set) var grid: KeyGrid?
  private(set) var key: KeyTable?
  private(set) var map = ScreenMap(gridWidth: 1, gridHeight: 1)
  /// Screen shares as keyed, and as the edge settings left them (the same without any).
  var keyMatte = MattePlane(width: 1, height: 1)
  var edgeMatte = MattePlane(width: 1, height: 1)
  var spareMatte = MattePlane(width: 1, height: 1)
  private(set) var spill = MattePlane(width: 1, height: 1)
  private(set) var scratch: [KeyScratch] = []

  package init() {}

  /// The format that chromakey turns `format` into when it has to carry alpha.
  ///
  /// The same layout with alpha where there is one (NV21 gets AV12's order of Cb and Cr); 4:2:2
  /// and 4:4:4 become AYUV, with 4:2:2 chroma interpolated. Nil for GRAY8.
  package static func formatWithAlpha(for format: PixelFormat) -> PixelFormat? {
    switch format {
    case .i420, .yv12, .a420: .a420
    case .nv12, .nv21, .av12: .av12
    case .yuy2, .uyvy, .y42b, .y444, .ayuv: .ayuv
    case .rgb, .rgbx, .rgba: .rgba
    case .bgr, .bgrx, .bgra: .bgra
    case .xrgb, .argb: .argb
    case .xbgr, .abgr: .abgr
    case .gray8: nil
    }
  }

  /// The mean colour, 0xffRRGGBB, of the 5 x 5 pixels about a point, for picking the screen's
  /// colour by a click.
  ///
  /// Means are taken of the picture's own codes. Points outside count as the nearest inside.
  package static func pickColor(_ picture: borrowing Picture, x: Double, y: Double) -> UInt32 {
    func place(_ value: Double, _ size: Int) -> Int {
      value.isNaN ? 0 : Int(min(max(value, 0), Double(size - 1)))
    }
    guard picture.width > 0, picture.height > 0 else { return 0xff00_0000 }
    let column = place(x, picture.width)
    let row = place(y, picture.height)
    var means: [Float] = []
    for (index, part) in picture.format.layout.components.prefix(3).enumerated() {
      let component = picture.component(index)
      let rows = PixelLayout.subsampled(picture.height, by: part.vShift)
      let left = max(column - 2, 0) >> part.hShift
      let right = min((column + 2) >> part.hShift, component.width - 1)
      let top = max(row - 2, 0) >> part.vShift
      let bottom = min((row + 2) >> part.vShift, rows - 1)
      var sum = 0
      for y in top...bottom {
        for x in left...right { sum += Int(component[x, y]) }
      }
      means.append(Float(sum) / Float((right - left + 1) * (bottom - top + 1)))
    }
    guard means.count == 3 else {
      return KeyGrid.grey(means[0])
    }
    let grid = KeyGrid(
      format: picture.format, width: picture.width, height: picture.height,
      colorimetry: picture.colorimetry, chromaSite: picture.chromaSite)
    return grid.argb((means[0], means[1], means[2]))
  }

  /// Prepares for pictures of one format and size; what was found of the screen is forgotten.
  ///
  /// GRAY8 has no colour to key: its frames are left alone.
  package func configure(
    format: PixelFormat, width: Int, height: Int, colorimetry: Colorimetry,
    chromaSite: ChromaSite
  ) {
    guard format != .gray8, width > 0, height > 0 else {
      grid = nil
      return
    }
    let grid = KeyGrid(
      format: format, width: width, height: height, colorimetry: colorimetry,
      chromaSite: chromaSite)
    self.grid = grid
    map = ScreenMap(gridWidth: grid.gridWidth, gridHeight: grid.gridHeight)
    keyMatte = MattePlane(width: grid.gridWidth, height: grid.gridHeight)
    spill = MattePlane(width: grid.gridWidth, height: grid.gridHeight)
    edgeMatte = MattePlane(width: 1, height: 1)
    spareMatte = MattePlane(width: 1, height: 1)
    scratch = []
    reset()
  }

  /// Forgets the screen: the next frame is looked at like the first.
  package func reset() {
    finder.reset()
    map.reset()
    key = nil
    isStale = true
    needsField = true
  }

  private func change(to new: ChromaKeySettings) {
    guard new != current else { return }
    if new.method != current.method || (new.method == .custom && new.color != current.color) {
      reset()
    }
    current = new
    isStale = true
    needsField = true
  }

  /// Keys `source` into `destination`.
  ///
  /// Both have the configured size, colorimetry and siting, `source` the configured format.
  /// `destination` has the same format, or `formatWithAlpha(for:)`'s. Its components may be the
  /// very memory of the source's (a plane for alpha added, or the same picture); otherwise the
  /// two must not overlap. NV21 to AV12 needs other memory for chroma.
  ///
  /// Without `background` the destination gets straight alpha, times the source's own; where
  /// the format has none, screen turns black. With one, made for this format and size, it is
  /// composited, and alpha where there is any is 255. Anything that does not fit the
  /// configuration is left alone.
  package func process(
    source: borrowing Picture, destination: borrowing Picture, background: Background? = nil,
    runner: any SliceRunner
  ) {
    guard let grid, fits(source, grid), fits(destination, grid, isDestination: true) else { return }
    let behind = background?.fits(grid) == true ? background : nil
    prepare(runner)
    let frame = KeyFrame(
      source: source, destination: destination, background: behind?.addresses, grid: grid)
    withExtendedLifetime(behind) {
      find(frame)
      follow(frame, runner)
      makeMatte(frame, runner)
      shapeEdge(runner)
      compose(frame, runner)
    }
  }

  private func fits(
    _ picture: borrowing Picture, _ grid: KeyGrid, isDestination: Bool = false
  ) -> Bool {
    guard picture.width == grid.width, picture.height == grid.height else { return false }
    if picture.format == grid.format { return true }
    return isDestination && picture.format == Self.formatWithAlpha(for: grid.format)
  }

  private func prepare(_ runner: any SliceRunner) {
    guard let grid else { return }
    while scratch.count < max(1, runner.threadCount) {
      scratch.append(KeyScratch(grid: grid, expandedCount: map.expandedCount))
    }
    guard needsEdgePlanes, edgeMatte.width != grid.gridWidth || edgeMatte.height != grid.gridHeight
    else { return }
    edgeMatte = MattePlane(width: grid.gridWidth, height: grid.gridHeight)
    spareMatte = MattePlane(width: grid.gridWidth, height: grid.gridHeight)
  }

  /// Whether the final matte differs from the keyed one.
  var needsEdgePlanes: Bool {
    current.shrink != 0 || current.soften != 0 || current.invert
  }

  /// Finds the screen colour where the method asks for it, and makes the key's table.
  private func find(_ frame: KeyFrame) {
    guard let grid else { return }
    if current.method != .custom, !finder.isSettled {
      sample(frame, into: &finder)
      // 1/6 leaves the bars of a test picture alone; a named hue is wanted, so less will do.
      switch current.method {
      case .green: finder.finishFrame([.green], leastShare: 0.01, grid: grid)
      case .blue: finder.finishFrame([.blue], leastShare: 0.01, grid: grid)
      case .magenta: finder.finishFrame([.magenta], leastShare: 0.01, grid: grid)
      case .auto, .custom: finder.finishFrame([.green, .blue], leastShare: 1 / 6, grid: grid)
      }
      isStale = true
    }
    guard isStale else { return }
    isStale = false
    needsField = true
    let components: (Float, Float, Float)? =
      switch current.method {
      case .auto: finder.components
      case .green: finder.components ?? grid.components(argb: 0xff00_ff00)
      case .blue: finder.components ?? grid.components(argb: 0xff00_00ff)
      case .magenta: finder.components ?? grid.components(argb: 0xffff_00ff)
      case .custom: grid.components(argb: current.color)
      }
    key = components.flatMap { KeyTable(components: $0, grid: grid, settings: current) }
  }

  /// Measures the screen, and rebuilds the field once a sweep.
  private func follow(_ frame: KeyFrame, _ runner: any SliceRunner) {
    guard let grid, let key else { return }
    if current.screenAdapt > 0 {
      if map.isFresh {
        survey(frame, runner)
      } else {
        let range = map.rowsToMeasure()
        measure(frame, rows: range, runner)
        if map.take(rows: range) {
          survey(frame, runner)
        } else if range.upperBound == map.rows {
          needsField = true
        }
      }
    }
    guard needsField else { return }
    needsField = false
    map.build(key: key, grid: grid, adapt: Float(current.screenAdapt))
  }

  /// Measures a screen that nothing is known of, three times: what is surely screen, then by
  /// what that makes one expect round it.
  private func survey(_ frame: KeyFrame, _ runner: any SliceRunner) {
    for round in 0..<3 {
      if round > 0 { map.expect() }
      let range = map.rowsToMeasure()
      measure(frame, rows: range, runner)
      _ = map.take(rows: range)
    }
    needsField = true
  }
}
