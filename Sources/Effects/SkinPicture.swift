import Pixels

/// A picture's samples as luma and two colour values, whatever its format.
///
/// Rows are read and written as luma; of RGB pictures luma is computed. Borrows the picture.
struct SkinPicture {
  let width: Int
  let height: Int
  let family: PixelFormat.Family
  let colorimetry: Colorimetry
  /// Luma, Cb, Cr or red, green, blue; of grey pictures all are luma.
  let first: Component
  let second: Component
  let third: Component
  let chromaShifts: (h: Int, v: Int)
  /// Shares of red, green and blue in luma, in 1/32768.
  private let shares: (Int32, Int32, Int32)

  init(_ picture: borrowing Picture) {
    width = picture.width
    height = picture.height
    family = picture.format.family
    colorimetry = picture.colorimetry
    first = picture.component(0)
    second = family == .gray ? first : picture.component(1)
    third = family == .gray ? first : picture.component(2)
    chromaShifts = picture.format.layout.chromaShifts
    let red = nearest(colorimetry.matrix.kr * 32768)
    let blue = nearest(colorimetry.matrix.kb * 32768)
    shares = (red, 32768 - red - blue, blue)
  }

  /// Code of black in luma as `luma` gives it.
  var lumaOffset: Float { family == .rgb ? 0 : colorimetry.lumaOffset }
  /// Codes between black and white.
  var lumaScale: Float { family == .rgb ? 255 : colorimetry.lumaScale }

  /// Copies luma of row `y` from column `start` on into `target`, filling it.
  ///
  /// `scratch` has three rows at least as long; RGB leaves its components there.
  func luma(
    row y: Int, from start: Int, into target: CellRow<UInt8>,
    scratch: (CellRow<UInt8>, CellRow<UInt8>, CellRow<UInt8>)
  ) {
    let n = target.count
    guard family == .rgb else {
      first.gather(row: y, from: start, into: target)
      return
    }
    let r = scratch.0[0..<n]
    let g = scratch.1[0..<n]
    let b = scratch.2[0..<n]
    first.gather(row: y, from: start, into: r)
    second.gather(row: y, from: start, into: g)
    third.gather(row: y, from: start, into: b)
    let (red, green, blue) = shares
    for x in 0..<n {
      let sum =
        red &* Int32(truncatingIfNeeded: r[x]) &+ green &* Int32(truncatingIfNeeded: g[x])
        &+ blue &* Int32(truncatingIfNeeded: b[x])
      target[x] = UInt8(truncatingIfNeeded: (sum &+ 16384) &>> 15)
    }
  }

  /// Cb and Cr, in quarters of a code, about the middle of a block of `size` pixels.
  ///
  /// The mean of two samples on a diagonal: enough for a colour that is only weighed, at a
  /// fraction of the cost of all of them.
  func chroma(x: Int, y: Int, size: Int) -> (cb: UInt16, cr: UInt16) {
    let x0 = min(x + size / 4, width - 1)
    let y0 = min(y + size / 4, height - 1)
    let x1 = min(x + size * 3 / 4, width - 1)
    let y1 = min(y + size * 3 / 4, height - 1)
    switch family {
    case .gray: return (512, 512)
    case .ycc:
      let h = chromaShifts.h
      let v = chromaShifts.v
      let cb = UInt16(second[x0 &>> h, y0 &>> v]) + UInt16(second[x1 &>> h, y1 &>> v])
      let cr = UInt16(third[x0 &>> h, y0 &>> v]) + UInt16(third[x1 &>> h, y1 &>> v])
      return (cb * 2, cr * 2)
    case .rgb:
      let r = Float(first[x0, y0]) + Float(first[x1, y1])
      let g = Float(second[x0, y0]) + Float(second[x1, y1])
      let b = Float(third[x0, y0]) + Float(third[x1, y1])
      let kr = colorimetry.matrix.kr
      let kb = colorimetry.matrix.kb
      let luma = kr * r + (1 - kr - kb) * g + kb * b
      let cb = 512 + nearest((b - luma) / (1 - kb))
      let cr = 512 + nearest((r - luma) / (1 - kr))
      return (
        UInt16(truncatingIfNeeded: min(max(cb, 0), 1020)),
        UInt16(truncatingIfNeeded: min(max(cr, 0), 1020))
      )
    }
  }
}
