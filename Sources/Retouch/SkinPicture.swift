import Pixels

/// Access to luma and chroma of a picture in any format; luma of RGB pictures is computed.
///
/// Borrows the picture.
struct SkinPicture {
  let width, height: Int
  let family: PixelFormat.Family
  /// The colorimetry of `luma`: full range for RGB pictures.
  let colorimetry: Colorimetry
  /// Luma, Cb, Cr or red, green, blue; for grey pictures all are luma.
  let first, second, third: Component
  /// The pixels of packed RGB pictures.
  private let packed: PackedPixels?
  /// The picture of more than 8 bits of which this is a copy, and which is changed too.
  let deep: DeepSkin?
  let chromaShifts: (h: Int, v: Int)
  /// The weights of red, green and blue in luma, in 1/256.
  private let lumaWeights: (UInt16, UInt16, UInt16)

  init(_ picture: borrowing Picture, _ deep: DeepSkin? = nil) {
    self.deep = deep
    (width, height) = (picture.width, picture.height)
    family = picture.format.family
    colorimetry =
      family == .rgb
      ? Colorimetry(matrix: picture.colorimetry.matrix, isFullRange: true) : picture.colorimetry
    first = picture.component(0)
    second = family == .gray ? first : picture.component(1)
    third = family == .gray ? first : picture.component(2)
    packed = family == .rgb ? PackedPixels(picture) : nil
    chromaShifts = picture.format.layout.chromaShifts
    let (kr, kb) = colorimetry.matrix.lumaWeights
    let red = UInt16(truncatingIfNeeded: nearest(kr * 256))
    let blue = UInt16(truncatingIfNeeded: nearest(kb * 256))
    lumaWeights = (red, 256 - red - blue, blue)
  }

  /// Fills `target` with luma of row `y` from column `start` on.
  ///
  /// `scratch` has three rows at least as long, which receive RGB components.
  func luma(row y: Int, from start: Int, into target: Row<UInt8>, scratch: PackedPixels.Rows) {
    guard family == .rgb else {
      first.gather(row: y, from: start, into: target)
      return
    }
    let n = target.count
    let rows = (scratch.0[0..<n], scratch.1[0..<n], scratch.2[0..<n])
    if let packed {
      packed.deinterleave(row: y, from: start, into: rows)
    } else {
      first.gather(row: y, from: start, into: rows.0)
      second.gather(row: y, from: start, into: rows.1)
      third.gather(row: y, from: start, into: rows.2)
    }
    computeLuma(rows, into: target)
  }

  /// Writes red, green and blue to row `y` of an RGB picture from column `start` on.
  func write(row y: Int, from start: Int, _ colors: PackedPixels.Rows) {
    if let packed { return packed.interleave(row: y, from: start, colors) }
    first.scatter(row: y, from: start, colors.0)
    second.scatter(row: y, from: start, colors.1)
    third.scatter(row: y, from: start, colors.2)
  }

  @inline(never)
  private func computeLuma(_ rows: PackedPixels.Rows, into target: Row<UInt8>) {
    let (red, green, blue) = lumaWeights
    let n = min(target.count, rows.0.count, rows.1.count, rows.2.count)
    for x in 0..<n {
      let sum =
        red &* UInt16(truncatingIfNeeded: rows.0[x])
        &+ green &* UInt16(truncatingIfNeeded: rows.1[x])
        &+ blue &* UInt16(truncatingIfNeeded: rows.2[x])
      target[x] = UInt8(truncatingIfNeeded: (sum &+ 128) &>> 8)
    }
  }

  /// Writes Cb and Cr, in quarters of a code, of the blocks of `size` pixels from column `start` on
  /// in the row of blocks that begins at row `top`.
  ///
  /// Each is the mean of two samples on the block's diagonal, which costs a fraction of a full mean
  /// and is accurate enough for skin statistics. `scratch` is a row as long.
  func blockChroma(
    top: Int, from start: Int, size: Int, cb: Row<UInt16>, cr: Row<UInt16>,
    scratch: Row<UInt16>
  ) {
    cb.fill(0)
    cr.fill(0)
    let near = size / 4
    let far = size * 3 / 4
    switch family {
    case .gray: return
    case .ycc:
      let (h, v) = (chromaShifts.h, chromaShifts.v)
      for sample in 0..<2 {
        let inset = sample == 0 ? near : far
        let y = min(top + inset, height - 1) >> v
        let x = (start + inset) >> h
        second.addSamples(row: y, from: x, every: size >> h, to: cb)
        third.addSamples(row: y, from: x, every: size >> h, to: cr)
      }
      let n = min(cb.count, cr.count)
      for x in 0..<n {
        cb[x] &*= 2
        cr[x] &*= 2
      }
    case .rgb:
      // Red in cr, blue in cb, green in scratch, each the sum of two samples.
      scratch.fill(0)
      for sample in 0..<2 {
        let inset = sample == 0 ? near : far
        let y = min(top + inset, height - 1)
        first.addSamples(row: y, from: start + inset, every: size, to: cr)
        second.addSamples(row: y, from: start + inset, every: size, to: scratch)
        third.addSamples(row: y, from: start + inset, every: size, to: cb)
      }
      let (kr, kb) = colorimetry.matrix.lumaWeights
      let (toCb, toCr) = (1 / (1 - kb), 1 / (1 - kr))
      let n = min(cb.count, cr.count, scratch.count)
      for x in 0..<n {
        let r = Float(Int32(truncatingIfNeeded: cr[x]))
        let g = Float(Int32(truncatingIfNeeded: scratch[x]))
        let b = Float(Int32(truncatingIfNeeded: cb[x]))
        let luma = kr * r + (1 - kr - kb) * g + kb * b
        let blue = 512 &+ nearest((b - luma) * toCb)
        let red = 512 &+ nearest((r - luma) * toCr)
        cb[x] = UInt16(truncatingIfNeeded: min(max(blue, 0), 1020))
        cr[x] = UInt16(truncatingIfNeeded: min(max(red, 0), 1020))
      }
    }
  }

  /// Fills the picture with black, as the background of masks; rows of `scratch` are as long.
  func fillBlack(_ scratch: RetouchScratch) {
    func fill(_ component: Component, _ code: Float) {
      let row = scratch.bytes(0, 0)[0..<component.width]
      row.fill(UInt8(code))
      for y in 0..<component.height { component.scatter(row: y, row) }
    }
    fill(first, colorimetry.lumaOffset)
    deep?.fill(colorimetry.lumaOffset, scratch.sums(0))
    guard family != .gray else { return }
    fill(second, family == .rgb ? 0 : 128)
    fill(third, family == .rgb ? 0 : 128)
  }
}
