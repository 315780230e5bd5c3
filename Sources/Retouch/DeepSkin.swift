import Pixels

/// Luma and chroma of a picture of more than 8 bits, changed by coefficients that were measured in
/// its 8-bit copy, without dither: no bits are dropped.
///
/// The copy is kept up to date, because the next face is measured in it. Borrows the picture.
struct DeepSkin {
  private let components: (DeepComponent, DeepComponent, DeepComponent)
  private let scale: Float

  init(_ picture: borrowing Picture) {
    components = (picture.deepComponent(0), picture.deepComponent(1), picture.deepComponent(2))
    scale = Float(1 << (picture.format.bitDepth - 8))
  }

  /// Fills the picture with a grey, in 8-bit codes.
  func fill(_ luma: Float, _ scratch: Row<UInt16>) {
    func fill(_ component: DeepComponent, _ code: Float) {
      let row = scratch[..<component.width]
      row.fill(UInt16(code * scale))
      for y in 0..<component.height { component.scatter(row: y, row) }
    }
    fill(components.0, luma)
    fill(components.1, 128)
    fill(components.2, 128)
  }

  /// Changes luma of row `y` from column `x` on: by `attenuation`, in 1/16384 of it, and `offset`,
  /// in 1/32 of an 8-bit code.
  func changeLuma(
    row y: Int, from x: Int, _ attenuation: Row<Int16>, _ offset: Row<Int16>, copy: Component,
    _ scratch: Row<UInt16>
  ) {
    let codes = scratch[..<attenuation.count]
    components.0.gather(row: y, from: x, into: codes)
    Self.changeLuma(codes, attenuation, offset, scale, Float(components.0.maximum))
    store(components.0, row: y, from: x, codes, copy)
  }

  /// Changes Cb, of index 1, or Cr: by `gain`, in 1/32768 of its distance from grey, and `shift`,
  /// in 1/64 of an 8-bit code.
  func changeChroma(
    _ index: Int, row y: Int, from x: Int, _ gain: Row<Int16>, _ shift: Row<Int16>,
    copy: Component, _ scratch: Row<UInt16>
  ) {
    let component = index == 1 ? components.1 : components.2
    let codes = scratch[..<gain.count]
    component.gather(row: y, from: x, into: codes)
    Self.changeChroma(codes, gain, shift, scale, Float(component.maximum))
    store(component, row: y, from: x, codes, copy)
  }

  private func store(
    _ component: DeepComponent, row y: Int, from x: Int, _ codes: Row<UInt16>, _ copy: Component
  ) {
    component.scatter(row: y, from: x, codes)
    guard let bytes = copy.row(y, from: x, count: codes.count) else { return }
    component.gatherBytes(row: y, from: x, into: bytes)
  }

  @inline(never)
  private static func changeLuma(
    _ codes: Row<UInt16>, _ attenuation: Row<Int16>, _ offset: Row<Int16>, _ scale: Float,
    _ maximum: Float
  ) {
    let n = codes.count
    let (attenuation, offset) = (attenuation[..<n], offset[..<n])
    let (unit, highest) = (scale * (1 / 32), Int32(maximum))
    for x in 0..<n {
      let value = Float(codes[x])
      let removed = value * (Float(attenuation[x]) * (1 / 16384)) - Float(offset[x]) * unit
      codes[x] = nearestCode(value - removed, highest)
    }
  }

  @inline(never)
  private static func changeChroma(
    _ codes: Row<UInt16>, _ gain: Row<Int16>, _ shift: Row<Int16>, _ scale: Float,
    _ maximum: Float
  ) {
    let n = codes.count
    let (gain, shift) = (gain[..<n], shift[..<n])
    let (unit, grey, highest) = (scale * (1 / 64), 128 * scale, Int32(maximum))
    for x in 0..<n {
      let value = Float(codes[x])
      let growth = (value - grey) * (Float(gain[x]) * (1 / 32768)) + Float(shift[x]) * unit
      codes[x] = nearestCode(value + growth, highest)
    }
  }
}
