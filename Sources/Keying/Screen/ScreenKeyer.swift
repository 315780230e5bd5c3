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
  /// Screen shares, and spill in half codes of chroma.
  private let shares, spill: Matte

  init(grid: ChromaGrid) {
    self.grid = grid
    map = ScreenMap(gridWidth: grid.gridWidth, gridHeight: grid.gridHeight)
    shares = Matte(width: grid.gridWidth, height: grid.gridHeight)
    spill = Matte(width: grid.gridWidth, height: grid.gridHeight)
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

  /// The screen's light in the frame keyed last, valid while this lives; nil without a screen.
  var light: ScreenLight? {
    key.map { key in
      ScreenLight(
        shares: shares.rows, spill: spill.rows, spillFactors: key.spillFactors, field: map.field)
    }
  }

  /// The matte of a frame, the screen's share of every sample; valid until the next call.
  func matte(_ frame: KeyFrame, _ settings: ChromaKeySettings, _ slices: KeySlices) -> Matte {
    find(frame, settings, slices)
    if let key {
      follow(frame, key, settings, slices)
      makeMatte(frame, key, slices)
    } else {
      shares.clear()
      spill.clear()
    }
    return shares
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

  private func makeMatte(_ frame: KeyFrame, _ key: ScreenKey, _ slices: KeySlices) {
    let field = map.field
    let (shares, spill) = (shares.rows, spill.rows)
    slices.run(grid.gridHeight) { rows, scratch in
      var expanded = -1
      let repeated = (scratch.repeated(0), scratch.repeated(1), scratch.repeated(2))
      repeated.0.fill(key.cot)
      repeated.1.fill(key.gain)
      repeated.2.fill(key.spillStrength)
      for y in rows {
        if y >> 2 != expanded {
          expanded = y >> 2
          field.expand(recip: scratch.recip, along: scratch.along, y: y)
        }
        let chroma = frame.chroma(y, scratch)
        ScreenKernels.matte(
          shares.row(y), spill.row(y), cb: chroma.cb, cr: chroma.cr,
          recip: scratch.recip[ScreenField.origin...], along: scratch.along[ScreenField.origin...],
          repeated: repeated, key)
        shares.finish(y)
        spill.finish(y)
      }
    }
  }
}
