import Pixels

/// Finds a screen of one colour in pictures of one format, follows its light, makes a matte of it.
final class ScreenKeyer {
  let grid: ChromaGrid
  let map: ScreenMap
  /// What the screen's colour means to the kernels; nil while none was found.
  private(set) var key: ScreenKey?
  private var finder = ScreenFinder()
  private var isStale = true
  private var needsField = true
  /// Screen shares, and spill in half codes of chroma; none until a whole matte is wanted.
  private var planes: (shares: Matte, spill: Matte)?

  init(grid: ChromaGrid) {
    self.grid = grid
    map = ScreenMap(gridWidth: grid.gridWidth, gridHeight: grid.gridHeight)
  }

  /// Forgets the screen: the next frame is looked at like the first.
  func reset() {
    finder.reset()
    map.reset()
    key = nil
    settingsChanged()
  }

  /// Makes what depends on the settings anew with the next frame.
  func settingsChanged() {
    isStale = true
    needsField = true
  }

  /// The screen as it is in a frame, valid while this lives; nil where none was found.
  func look(
    at frame: KeyFrame, _ settings: ChromaKeySettings, _ slices: KeySlices
  ) -> SeenScreen? {
    find(frame, settings, slices)
    guard let key else { return nil }
    follow(frame, key, settings, slices)
    return SeenScreen(key: key, field: map.field)
  }

  /// The matte of the frame in which `screen` was seen, and its light; valid until the next call.
  ///
  /// The matte is the screen's share of every sample; without a screen nothing is to go.
  func matte(_ frame: KeyFrame, _ screen: SeenScreen?, _ slices: KeySlices) -> MatteStage.Keyed {
    func plane() -> Matte { Matte(width: grid.gridWidth, height: grid.gridHeight) }
    let (shares, spill) = planes ?? (plane(), plane())
    planes = (shares, spill)
    guard let screen else {
      shares.clear()
      return MatteStage.Keyed(matte: shares)
    }
    let light = screen.light(shares: shares.rows, spill: spill.rows)
    slices.run(grid.gridHeight) { rows, scratch in
      var maker = ScreenRows(screen, scratch)
      for y in rows { maker.make(y, of: frame, light) }
    }
    return MatteStage.Keyed(matte: shares, light: light)
  }

  /// Finds the screen colour where the method asks for it, and makes the key.
  private func find(_ frame: KeyFrame, _ settings: ChromaKeySettings, _ slices: KeySlices) {
    let hue: ScreenFinder.Hue? =
      switch settings.method {
      case .green: .green
      case .blue: .blue
      case .magenta: .magenta
      case .auto, .custom: nil
      }
    if settings.method != .custom, !finder.isSettled, let scratch = slices.scratch.first {
      sample(frame, into: &finder, scratch.rows)
      // 1/6 leaves the bars of a test picture alone; a named hue is wanted, so less will do.
      finder.finishFrame(
        hue.map { [$0] } ?? [.green, .blue], leastShare: hue == nil ? 1 / 6 : 0.01, grid: grid)
      isStale = true
    }
    guard isStale else { return }
    isStale = false
    needsField = true
    let given = settings.method == .custom ? settings.color : hue?.rawValue
    let components = finder.components ?? given.map { grid.components(argb: $0) }
    key = components.flatMap {
      var settings = settings
      settings.angle = angle(of: $0, settings)
      return ScreenKey(components: $0, grid: grid, settings: settings)
    }
  }

  /// The half width of the wedge about a screen that was found; that of the settings unless both
  /// method and angle were left to the keyer.
  ///
  /// Skin and grey cloth lie far from blue and from yellowish green, so a narrow wedge leaves more of
  /// a subject whole; before a pure green it would cut into what the screen shines on.
  private func angle(
    of components: (Float, Float, Float), _ settings: ChromaKeySettings
  ) -> Double {
    guard settings.method == .auto, settings.angle == ChromaKeySettings().angle else {
      return settings.angle
    }
    let chroma = grid.chroma(components)
    let (r, g, b) = grid.hue(cb: chroma.cb, cr: chroma.cr)
    let isBlue = b > g && b > r
    let isLime = g > b && r - b > 0.25 * (g - b)
    return isBlue || isLime ? 45 : settings.angle
  }

  /// Measures the screen, and rebuilds the field once a sweep.
  private func follow(
    _ frame: KeyFrame, _ key: ScreenKey, _ settings: ChromaKeySettings, _ slices: KeySlices
  ) {
    if settings.screenAdapt > 0 {
      if map.isFresh {
        survey(frame, key, slices)
      } else {
        let range = map.rowsToMeasure()
        measure(frame, rows: range, key, slices)
        if map.take(rows: range) {
          survey(frame, key, slices)
        } else if range.upperBound == map.rows {
          needsField = true
        }
      }
    }
    guard needsField else { return }
    needsField = false
    map.build(key: key, grid: grid, adapt: Float(settings.screenAdapt))
  }

  /// Measures a screen that nothing is known of, three times: what is surely screen, then by
  /// what that makes one expect round it.
  private func survey(_ frame: KeyFrame, _ key: ScreenKey, _ slices: KeySlices) {
    for round in 0..<3 {
      if round > 0 { map.expect() }
      let range = map.rowsToMeasure()
      measure(frame, rows: range, key, slices)
      _ = map.take(rows: range)
    }
    needsField = true
  }
}
