import Pixels

/// A screen as one frame shows it; valid while the keyer's map lives.
struct SeenScreen {
  /// What its colour means to the kernels.
  let key: ScreenKey
  let field: ScreenField

  /// Its light in a frame whose shares and spill are made here.
  func light(shares: MatteRows, spill: MatteRows) -> ScreenLight {
    ScreenLight(shares: shares, spill: spill, spillFactors: key.spillFactors, field: field)
  }
}

/// Makes rows of a screen's matte, one after another, in the scratch rows of a slice.
struct ScreenRows {
  private let key: ScreenKey
  private let field: ScreenField
  private let scratch: KeyRows
  /// The four rows whose field is in the scratch rows.
  private var expanded = -1

  init(_ screen: SeenScreen, _ scratch: KeyRows) {
    (key, field, self.scratch) = (screen.key, screen.field, scratch)
    scratch.repeated(0).fill(key.cot)
    scratch.repeated(1).fill(key.gain)
    scratch.repeated(2).fill(key.spillStrength)
  }

  /// Writes grid row `y` of the light's shares and spill.
  ///
  /// The scratch rows then hold the field in the middles of blocks, and the components of a layout
  /// that keeps pixels whole.
  mutating func make(_ y: Int, of frame: KeyFrame, _ light: ScreenLight) {
    if y >> 2 != expanded {
      expanded = y >> 2
      for channel in 0..<ScreenField.channels {
        field.mix(channel, y, into: scratch.field(channel)[..<field.values])
      }
      // In 1/256 of a code, from `ScreenField.origin` on.
      KeyKernels.slopes(
        scratch.recip, scratch.field(0)[..<field.values], ramp: scratch.ramp)
      KeyKernels.slopes(
        scratch.along, scratch.field(1)[..<field.values], ramp: scratch.ramp)
    }
    let chroma = frame.chroma(y, scratch)
    ScreenKernels.matte(
      light.shares.row(y), light.spill.row(y), cb: chroma.cb, cr: chroma.cr,
      recip: scratch.recip[ScreenField.origin...], along: scratch.along[ScreenField.origin...],
      repeated: (scratch.repeated(0), scratch.repeated(1), scratch.repeated(2)), key)
    light.shares.finish(y)
    light.spill.finish(y)
  }
}
