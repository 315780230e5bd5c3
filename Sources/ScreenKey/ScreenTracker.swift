import Compose

/// Finds a screen of one colour in pictures of one format, and follows its light from frame to
/// frame.
final class ScreenTracker {
  let grid: ChromaGrid
  let map: ScreenMap
  /// The screen's colour; nil while none was found.
  private(set) var color: ScreenColor?
  private var finder = ScreenFinder()
  private var isStale = true
  private var needsField = true
  /// Alpha and spill of a frame; nil until a whole plane is requested.
  private var planes: SpillPlanes?
  /// One for each thread, by its index.
  private(set) var threads: [ScreenSlice] = []
  private var rowMakers: [any AlphaRowMaker] = []
  private var edges: [any EdgeColors] = []
  /// The same for frames of more than 8 bits.
  private var deep: DeepScreen?

  init(grid: ChromaGrid) {
    self.grid = grid
    map = ScreenMap(gridWidth: grid.gridWidth, gridHeight: grid.gridHeight)
  }

  /// Forgets the screen: the next frame is treated like the first.
  func reset() {
    finder.reset()
    map.reset()
    color = nil
    settingsChanged()
  }

  /// Derives the colour and the field from new settings with the next frame.
  func settingsChanged() {
    isStale = true
    needsField = true
  }

  /// The rows of the grid that the next `track` reads; nil for all.
  func rowsToRead(_ settings: ChromaKeySettings) -> Range<Int>? {
    guard settings.method == .custom || finder.isSettled, !map.isFresh else { return nil }
    guard settings.screenAdapt > 0 else { return 0..<0 }
    let rows = map.rowsToMeasure()
    // With the lattice rows above and below.
    return max(rows.lowerBound * ScreenMap.block - 2, 0)..<rows.upperBound * ScreenMap.block + 2
  }

  /// Finds or follows the screen in a frame; nil where none was found.
  ///
  /// Valid while the tracker lives. `readAll` is called where the frame shows another scene, before
  /// rows other than `rowsToRead` are read.
  func track(
    _ frame: ComposeFrame, _ settings: ChromaKeySettings, _ slices: FrameSlices,
    readAll: () -> Void = {}
  ) -> Screen? {
    while threads.count < slices.threadCount {
      let thread = ScreenSlice(grid: grid)
      threads.append(thread)
      rowMakers.append(thread)
      edges.append(thread)
    }
    findColor(frame, settings)
    guard let color else { return nil }
    updateMap(frame, color, settings, slices, readAll)
    return Screen(color: color, field: map.field)
  }

  /// The matte of the frame in which `screen` was tracked; all opaque without a screen.
  ///
  /// With `isRowByRow` its rows are made only when they are composited. Valid until the next call.
  func makeMatte(
    _ frame: ComposeFrame, _ screen: Screen?, isRowByRow: Bool, _ slices: FrameSlices
  ) -> KeyedFrame {
    if let screen, isRowByRow {
      for thread in threads { thread.beginFrame(screen, nil) }
      return KeyedFrame(alpha: .rows(rowMakers), edges: edges)
    }
    let planes = planes ?? SpillPlanes(width: grid.gridWidth, height: grid.gridHeight)
    self.planes = planes
    guard let screen else {
      planes.alpha.fill(255)
      return KeyedFrame(alpha: .plane(planes.alpha))
    }
    for thread in threads { thread.beginFrame(screen, planes) }
    slices.run(grid.gridHeight) { rows, scratch in
      let thread = threads[scratch.thread]
      for y in rows { thread.makeRow(y, thread.scratch.keyChroma(row: y, of: frame)) }
    }
    return KeyedFrame(alpha: .plane(planes.alpha), edges: edges)
  }

  /// As above for a frame of more than 8 bits, which was tracked in 8.
  func makeMatte(
    _ frame: DeepFrame, _ screen: Screen?, _ codes: DeepCodes, _ slices: FrameSlices
  ) -> DeepKeyedFrame {
    let deep = deep ?? DeepScreen(grid: grid, codes: codes)
    self.deep = deep
    return deep.makeMatte(frame, screen, threads, slices)
  }

  /// Finds the screen colour where the method asks for it.
  private func findColor(_ frame: ComposeFrame, _ settings: ChromaKeySettings) {
    let hue: ScreenFinder.Hue? =
      switch settings.method {
      case .green: .green
      case .blue: .blue
      case .magenta: .magenta
      case .auto, .custom: nil
      }
    if settings.method != .custom, !finder.isSettled, let thread = threads.first {
      addSamples(of: frame, into: &finder, thread.scratch)
      // Without a named hue the bars of a test picture, 1/7 of it each, must not count.
      finder.finishFrame(
        hue.map { [$0] } ?? [.green, .blue], minimumCoverage: hue == nil ? 1 / 6 : 0.01, grid: grid)
      isStale = true
    }
    guard isStale else { return }
    isStale = false
    needsField = true
    let given = settings.method == .custom ? settings.color : hue?.rawValue
    let components = finder.components ?? given.map { grid.components(argb: $0) }
    color = components.flatMap {
      var settings = settings
      settings.angle = wedgeAngle(of: $0, settings)
      return ScreenColor(components: $0, grid: grid, settings: settings)
    }
  }

  /// The half width of the wedge about a screen, in degrees; that of the settings unless both
  /// method and angle have their defaults.
  ///
  /// The hues of skin and grey cloth are far from blue and from yellowish green, so that a narrow
  /// wedge keeps more of the foreground. With a pure green it would leave the screen's light on it.
  private func wedgeAngle(
    of components: (Float, Float, Float), _ settings: ChromaKeySettings
  ) -> Double {
    guard settings.method == .auto, settings.angle == ChromaKeySettings().angle else {
      return settings.angle
    }
    let chroma = grid.keyChroma(of: components)
    let (r, g, b) = grid.pureColor(cb: chroma.cb, cr: chroma.cr)
    let isBlue = b > g && b > r
    let isLime = g > b && r - b > 0.25 * (g - b)
    return isBlue || isLime ? 45 : settings.angle
  }

  /// Measures the screen, and rebuilds the field once a sweep.
  private func updateMap(
    _ frame: ComposeFrame, _ color: ScreenColor, _ settings: ChromaKeySettings,
    _ slices: FrameSlices, _ readAll: () -> Void
  ) {
    if settings.screenAdapt > 0 {
      if map.isFresh {
        measureUnknownScreen(frame, color, slices)
      } else {
        let range = map.rowsToMeasure()
        measureBlockRows(frame, rows: range, color, slices)
        if map.mergeMeasures(rows: range) {
          readAll()
          measureUnknownScreen(frame, color, slices)
        } else if range.upperBound == map.rows {
          needsField = true
        }
      }
    }
    guard needsField else { return }
    needsField = false
    map.buildField(color: color, grid: grid, adapt: Float(settings.screenAdapt))
  }

  /// Measures an unknown screen three times: first with the thresholds of its colour, then with
  /// those expected at each position from the last measures.
  private func measureUnknownScreen(
    _ frame: ComposeFrame, _ color: ScreenColor, _ slices: FrameSlices
  ) {
    for round in 0..<3 {
      if round > 0 { map.adoptExpectations() }
      let range = map.rowsToMeasure()
      measureBlockRows(frame, rows: range, color, slices)
      _ = map.mergeMeasures(rows: range)
    }
    needsField = true
  }
}
