import Pixels

/// Applies the luma and chroma changes to RGB pixels.
extension Retoucher {
  /// Changes row `y`, which lies at `position` among the cells as in `rowInterpolation`.
  func retouchRGBRow(_ y: Int, position: Int, _ slice: Int) {
    let step = region.step
    guard let at = rowInterpolation(position, columns: step, width: picture.width) else { return }
    let (start, count) = (at.start, at.count)
    let attenuation = interpolateRow(coefficients.attenuation, at, columns: step, slice, 0)
    let offset = interpolateRow(coefficients.offset, at, columns: step, slice, 2)
    let luma = scratch.bytes(slice, 0)[0..<count]
    let components = scratch.components(slice)
    let colors = (components.0[0..<count], components.1[0..<count], components.2[0..<count])
    picture.luma(row: y, from: start, into: luma, scratch: components)
    // In place: `attenuation` and `offset` are not needed after.
    let change = offset[0..<count]
    Self.computeLumaChange(luma, attenuation, change)
    let gain: Row<Int16>
    if changesChroma {
      gain = interpolateRow(coefficients.gain, at, columns: step, slice, 4)[0..<count]
    } else {
      gain = scratch.words(slice, 4)[0..<count]
      gain.fill(0)
    }
    if evensSkin {
      let cb = interpolateRow(coefficients.cbShift, at, columns: step, slice, 6)[0..<count]
      let cr = interpolateRow(coefficients.crShift, at, columns: step, slice, 8)[0..<count]
      let green = scratch.words(slice, 0)[0..<count]
      convertToRGBChanges(cb, cr, green, by: change)
      Self.addChanges(colors, luma, (cr, green, cb), gain, ceiling)
    } else {
      Self.addChanges(colors, luma, (change, change, change), gain, ceiling)
    }
    picture.write(row: y, from: start, colors)
  }

  /// Replaces `offset` by the change of luma, in 1/32 of a code.
  @inline(never)
  private static func computeLumaChange(
    _ luma: Row<UInt8>, _ attenuation: Row<Int16>, _ offset: Row<Int16>
  ) {
    let n = min(luma.count, attenuation.count, offset.count)
    for x in 0..<n {
      let product =
        (Int32(attenuation[x]) &* Int32(Int16(truncatingIfNeeded: luma[x]) &<< 7)) &>> 16
      offset[x] = offset[x] &- Int16(truncatingIfNeeded: product)
    }
  }

  /// Replaces shifts of Cb and Cr by changes of blue and red and sets that of green, each including
  /// the change of luma; in 1/32 of a code.
  @inline(never)
  private func convertToRGBChanges(
    _ cb: Row<Int16>, _ cr: Row<Int16>, _ green: Row<Int16>,
    by change: Row<Int16>
  ) {
    let (kr, kb) = picture.colorimetry.matrix.lumaWeights
    // In 1/4096; shifts count 1/64 and stay under 1024.
    func coefficient(_ value: Float) -> Int16 { Int16(truncatingIfNeeded: nearest(value * 4096)) }
    let (redPerCr, bluePerCb) = (coefficient(2 * (1 - kr)), coefficient(2 * (1 - kb)))
    let greenPerCr = coefficient(-2 * (1 - kr) * kr / (1 - kr - kb))
    let greenPerCb = coefficient(-2 * (1 - kb) * kb / (1 - kr - kb))
    func scaled(_ shift: Int16, by factor: Int16) -> Int16 {
      Int16(truncatingIfNeeded: (Int32(shift &<< 3) &* Int32(factor)) &>> 16)
    }
    let n = min(min(cb.count, cr.count), min(green.count, change.count))
    for x in 0..<n {
      let b = cb[x]
      let r = cr[x]
      let lumaChange = change[x]
      green[x] = lumaChange &+ scaled(r, by: greenPerCr) &+ scaled(b, by: greenPerCb)
      cr[x] = lumaChange &+ scaled(r, by: redPerCr)
      cb[x] = lumaChange &+ scaled(b, by: bluePerCb)
    }
  }

  /// Adds each component's change (1/32 of a code) and scales its distance from luma by the gain.
  ///
  /// If the largest would exceed `ceiling`, or its own value if higher, all are lowered by the
  /// excess, so that clipping loses neither hue nor detail.
  @inline(never)
  private static func addChanges(
    _ colors: PackedPixels.Rows, _ luma: Row<UInt8>,
    _ change: (red: Row<Int16>, green: Row<Int16>, blue: Row<Int16>),
    _ gain: Row<Int16>, _ ceiling: Int16
  ) {
    let n = min(
      min(colors.0.count, colors.1.count, colors.2.count),
      min(change.red.count, change.green.count, change.blue.count),
      min(luma.count, gain.count))
    func changed(_ value: Int16, _ luma: Int16, _ change: Int16, _ gain: Int16) -> Int16 {
      let growth = (Int32(gain) &* Int32((value &- luma) &<< 6)) &>> 16
      return value &<< 5 &+ change &+ Int16(truncatingIfNeeded: growth) &+ 16
    }
    for x in 0..<n {
      let r = Int16(truncatingIfNeeded: colors.0[x])
      let g = Int16(truncatingIfNeeded: colors.1[x])
      let b = Int16(truncatingIfNeeded: colors.2[x])
      let y = Int16(truncatingIfNeeded: luma[x])
      let k = gain[x]
      let red = changed(r, y, change.red[x], k)
      let green = changed(g, y, change.green[x], k)
      let blue = changed(b, y, change.blue[x], k)
      let limit = max(r, max(g, max(b, ceiling))) &<< 5 &+ 31
      let over = max(0, max(red, max(green, blue)) &- limit)
      colors.0[x] = UInt8(truncatingIfNeeded: max(0, min(255, (red &- over) &>> 5)))
      colors.1[x] = UInt8(truncatingIfNeeded: max(0, min(255, (green &- over) &>> 5)))
      colors.2[x] = UInt8(truncatingIfNeeded: max(0, min(255, (blue &- over) &>> 5)))
    }
  }
}
