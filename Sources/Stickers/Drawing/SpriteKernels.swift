/// The loops over rows of taps and bytes; pure arithmetic, written to be vectorised.
///
/// Pointers must be valid for the counts given; the compositor, which alone calls these, has
/// them from checked rows and from its own scratch.
enum SpriteKernels {
  typealias Taps = UnsafeMutablePointer<UInt16>
  typealias Bytes = UnsafeMutablePointer<UInt8>

  /// Upper half of the product.
  @inline(__always)
  private static func high(_ a: UInt16, _ b: UInt16) -> UInt16 {
    UInt16(truncatingIfNeeded: (UInt32(a) &* UInt32(b)) &>> 16)
  }

  /// bytes = tap + bytes (1 - alpha) for one component of an opaque picture, rounded.
  ///
  /// 257/65536 is 1/255 but for 2^-16; the error is under 1/100 code. Chroma, which lies round
  /// 128, has that share of 128 taken off again, as its tap brings all of its own 128 along.
  static func over(_ bytes: Bytes, _ tap: Taps, _ alpha: Taps, isChroma: Bool, count: Int) {
    let bias: UInt16 = isChroma ? 128 * 257 : 0
    for i in 0..<count {
      let rest = unsafe 65280 &- alpha[i]
      let below = unsafe high(rest, UInt16(bytes[i]) &* 257)
      let sum = unsafe tap[i] &+ below &- high(rest, bias) &+ 128
      unsafe bytes[i] = UInt8(truncatingIfNeeded: sum &>> 8)
    }
  }

  /// As `over`, for chroma that lies in pairs of bytes: Cb and Cr, or the other way round.
  static func overPairs(_ pairs: Bytes, _ first: Taps, _ second: Taps, _ alpha: Taps, count: Int) {
    let bias: UInt16 = 128 * 257
    let raw = UnsafeMutableRawPointer(pairs)
    for i in 0..<count {
      let rest = unsafe 65280 &- alpha[i]
      let pair = unsafe raw.loadUnaligned(fromByteOffset: 2 &* i, as: UInt16.self)
      let share = 128 &- high(rest, bias)
      let one = unsafe first[i] &+ high(rest, (pair & 255) &* 257) &+ share
      let other = unsafe second[i] &+ high(rest, (pair &>> 8) &* 257) &+ share
      let sum = (one &>> 8) | (other & 0xFF00)
      unsafe raw.storeBytes(of: sum, toByteOffset: 2 &* i, as: UInt16.self)
    }
  }

  /// Makes a row of taps more transparent; `centre` is the value that means nothing.
  static func fade(_ tap: Taps, by alpha: UInt16, centre: UInt16, count: Int) {
    let rest = centre &- high(centre, alpha)
    for i in 0..<count { unsafe tap[i] = high(tap[i], alpha) &+ rest }
  }

  /// a = (a + b) / 2.
  static func halve(_ a: Taps, _ b: Taps, into sum: Taps, count: Int) {
    for i in 0..<count { unsafe sum[i] = (a[i] &>> 1) &+ (b[i] &>> 1) }
  }

  /// sum = (before + 2 a + b) / 4.
  static func spread(_ before: Taps, _ a: Taps, _ b: Taps, into sum: Taps, count: Int) {
    for i in 0..<count {
      unsafe sum[i] = (before[i] &>> 2) &+ (a[i] &>> 1) &+ (b[i] &>> 2)
    }
  }

  /// Averages a row's columns to where chroma lies.
  ///
  /// Sample i comes from row[2i], row[2i + 1] and row[2i + 2], of which the middle one is the
  /// even column. `result` is other memory than `row`.
  static func averageColumns(_ row: Taps, into result: Taps, cosited: Bool, count: Int) {
    let pairs = UnsafeRawPointer(row)
    for i in 0..<count {
      let first = unsafe pairs.loadUnaligned(fromByteOffset: 4 &* i, as: UInt32.self)
      let second = unsafe pairs.loadUnaligned(fromByteOffset: 4 &* i &+ 4, as: UInt32.self)
      let before = UInt16(truncatingIfNeeded: first)
      let even = UInt16(truncatingIfNeeded: first &>> 16)
      let odd = UInt16(truncatingIfNeeded: second)
      unsafe result[i] =
        cosited
        ? (before &>> 2) &+ (even &>> 1) &+ (odd &>> 2) : (even &>> 1) &+ (odd &>> 1)
    }
  }

  /// Whether all of `count` bytes, `step` apart, are 255.
  static func isOpaque(_ bytes: Bytes, step: Int, count: Int) -> Bool {
    var all: UInt8 = 255
    if step == 1 {
      for i in 0..<count { unsafe all &= bytes[i] }
    } else {
      for i in 0..<count { unsafe all &= bytes[i &* step] }
    }
    return all == 255
  }

  /// Gathers byte `offset` of each of `count` cells, `step` bytes long.
  static func gather(_ cells: Bytes, step: Int, offset: Int, into bytes: Bytes, count: Int) {
    let raw = UnsafeRawPointer(cells)
    let shift = UInt32(8 * offset)
    switch step {
    case 2:
      for i in 0..<count {
        let cell = unsafe raw.loadUnaligned(fromByteOffset: 2 &* i, as: UInt16.self)
        unsafe bytes[i] = UInt8(truncatingIfNeeded: cell &>> UInt16(shift))
      }
    case 4:
      for i in 0..<count {
        let cell = unsafe raw.loadUnaligned(fromByteOffset: 4 &* i, as: UInt32.self)
        unsafe bytes[i] = UInt8(truncatingIfNeeded: cell &>> shift)
      }
    default:
      for i in 0..<count { unsafe bytes[i] = cells[i &* step &+ offset] }
    }
  }

  /// Puts bytes back where `gather` took them; the cells' other bytes stay.
  static func scatter(_ bytes: Bytes, into cells: Bytes, step: Int, offset: Int, count: Int) {
    let raw = UnsafeMutableRawPointer(cells)
    let shift = UInt32(8 * offset)
    switch step {
    case 2:
      let keep = ~(UInt16(255) &<< UInt16(shift))
      for i in 0..<count {
        let cell = unsafe raw.loadUnaligned(fromByteOffset: 2 &* i, as: UInt16.self)
        let value = unsafe UInt16(bytes[i]) &<< UInt16(shift)
        unsafe raw.storeBytes(of: cell & keep | value, toByteOffset: 2 &* i, as: UInt16.self)
      }
    case 4:
      let keep = ~(UInt32(255) &<< shift)
      for i in 0..<count {
        let cell = unsafe raw.loadUnaligned(fromByteOffset: 4 &* i, as: UInt32.self)
        let value = unsafe UInt32(bytes[i]) &<< shift
        unsafe raw.storeBytes(of: cell & keep | value, toByteOffset: 4 &* i, as: UInt32.self)
      }
    default:
      for i in 0..<count { unsafe cells[i &* step &+ offset] = bytes[i] }
    }
  }
}
