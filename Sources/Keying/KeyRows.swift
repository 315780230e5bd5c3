import Pixels

/// Moves single components between a layout's rows and contiguous ones.
enum KeyRows {
  typealias Bytes = UnsafeMutablePointer<UInt8>

  /// Copies `n` samples that lie `step` (1 to 4, or 8) bytes apart, the first at `source`.
  ///
  /// Steps of 2 and 4 are read as whole units of memory, which start `offset` bytes before the
  /// first sample, as the layout's rows hold them whole.
  @inline(never)
  @unsafe static func gather(_ out: Bytes, _ source: Bytes, step: Int, offset: Int, _ n: Int) {
    switch step {
    case 1: unsafe out.update(from: source, count: n)
    case 2:
      let units = unsafe UnsafeRawPointer(source - offset)
      let shift = UInt16(truncatingIfNeeded: offset * 8)
      for i in 0..<n {
        let unit = unsafe units.loadUnaligned(fromByteOffset: i &* 2, as: UInt16.self)
        unsafe out[i] = UInt8(truncatingIfNeeded: unit &>> shift)
      }
    case 4:
      let units = unsafe UnsafeRawPointer(source - offset)
      let shift = UInt32(truncatingIfNeeded: offset * 8)
      for i in 0..<n {
        let unit = unsafe units.loadUnaligned(fromByteOffset: i &* 4, as: UInt32.self)
        unsafe out[i] = UInt8(truncatingIfNeeded: unit &>> shift)
      }
    default:
      for i in 0..<n { unsafe out[i] = source[i &* step] }
    }
  }

  /// Writes `n` samples `step` bytes apart, leaving the bytes between as they are.
  @inline(never)
  @unsafe static func scatter(_ out: Bytes, _ source: Bytes, step: Int, offset: Int, _ n: Int) {
    switch step {
    case 1:
      if unsafe out != source { unsafe out.update(from: source, count: n) }
    case 2:
      let units = unsafe UnsafeMutableRawPointer(out - offset)
      let shift = UInt16(truncatingIfNeeded: offset * 8)
      let mask = ~(0xff as UInt16 &<< shift)
      for i in 0..<n {
        let unit = unsafe units.loadUnaligned(fromByteOffset: i &* 2, as: UInt16.self)
        let sample = unsafe UInt16(source[i]) &<< shift
        unsafe units.storeBytes(of: unit & mask | sample, toByteOffset: i &* 2, as: UInt16.self)
      }
    case 4:
      let units = unsafe UnsafeMutableRawPointer(out - offset)
      let shift = UInt32(truncatingIfNeeded: offset * 8)
      let mask = ~(0xff as UInt32 &<< shift)
      for i in 0..<n {
        let unit = unsafe units.loadUnaligned(fromByteOffset: i &* 4, as: UInt32.self)
        let sample = unsafe UInt32(source[i]) &<< shift
        unsafe units.storeBytes(of: unit & mask | sample, toByteOffset: i &* 4, as: UInt32.self)
      }
    default:
      for i in 0..<n { unsafe out[i &* step] = source[i] }
    }
  }

  /// Cb or Cr of red, green and blue by one row of the grid's matrix.
  @inline(never)
  @unsafe static func chroma(
    _ out: Bytes, _ r: Bytes, _ g: Bytes, _ b: Bytes, _ row: (Int16, Int16, Int16), _ n: Int
  ) {
    let (first, second, third) = row
    for i in 0..<n {
      let sum = unsafe Int16(r[i]) &* first &+ Int16(g[i]) &* second &+ Int16(b[i]) &* third
      // 128 * 127 + 64 is the most that still rounds to 255.
      unsafe out[i] = UInt8(truncatingIfNeeded: ((min(sum, 16256) &+ 64) &>> 7) &+ 128)
    }
  }
}
