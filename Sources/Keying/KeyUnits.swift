import Pixels

/// Where a packed layout of four bytes a pixel keeps its components within a unit of memory.
///
/// Whole units are read and written where single bytes four apart would take four passes.
struct KeyUnits {
  /// Shifts of the three components and of the fourth byte, alpha or filler.
  let shifts: (UInt32, UInt32, UInt32, UInt32)
  let hasAlpha: Bool

  /// Nil for any other layout.
  init?(_ format: PixelFormat) {
    let places = format.layout.components
    guard format.layout.planeCount == 1, places.count >= 3,
      places.allSatisfy({ $0.step == 4 && $0.hShift == 0 })
    else { return nil }
    let taken = places.prefix(3).map(\.offset)
    let shifts = taken.map { UInt32($0 * 8) }
    let rest = UInt32((6 - taken.reduce(0, +)) * 8)
    self.shifts = (shifts[0], shifts[1], shifts[2], rest)
    hasAlpha = format.hasAlpha
  }

  /// The bits of the fourth byte.
  var fourth: UInt32 { 0xff &<< shifts.3 }

  /// A unit of these samples.
  func unit(_ first: UInt8, _ second: UInt8, _ third: UInt8, _ fourth: UInt8) -> UInt32 {
    UInt32(first) &<< shifts.0 | UInt32(second) &<< shifts.1 | UInt32(third) &<< shifts.2
      | UInt32(fourth) &<< shifts.3
  }
}

/// The loops over whole units.
extension KeyUnits {
  typealias Bytes = UnsafeMutablePointer<UInt8>

  /// Takes units apart into three rows.
  @inline(never)
  @unsafe func split(_ a: Bytes, _ b: Bytes, _ c: Bytes, _ source: Bytes, _ n: Int) {
    let units = UnsafeRawPointer(source)
    let (first, second, third) = (shifts.0, shifts.1, shifts.2)
    for i in 0..<n {
      let unit = unsafe units.loadUnaligned(fromByteOffset: i &* 4, as: UInt32.self)
      unsafe a[i] = UInt8(truncatingIfNeeded: unit &>> first)
      unsafe b[i] = UInt8(truncatingIfNeeded: unit &>> second)
      unsafe c[i] = UInt8(truncatingIfNeeded: unit &>> third)
    }
  }

  /// The same of the second and third component alone.
  @inline(never)
  @unsafe func splitChroma(_ b: Bytes, _ c: Bytes, _ source: Bytes, _ n: Int) {
    let units = UnsafeRawPointer(source)
    let (second, third) = (shifts.1, shifts.2)
    for i in 0..<n {
      let unit = unsafe units.loadUnaligned(fromByteOffset: i &* 4, as: UInt32.self)
      unsafe b[i] = UInt8(truncatingIfNeeded: unit &>> second)
      unsafe c[i] = UInt8(truncatingIfNeeded: unit &>> third)
    }
  }

  /// Puts four rows together.
  @inline(never)
  @unsafe func join(_ out: Bytes, _ a: Bytes, _ b: Bytes, _ c: Bytes, _ d: Bytes, _ n: Int) {
    let units = UnsafeMutableRawPointer(out)
    let (first, second, third, fourth) = shifts
    for i in 0..<n {
      let color = unsafe UInt32(a[i]) &<< first | UInt32(b[i]) &<< second
      let unit = unsafe color | UInt32(c[i]) &<< third | UInt32(d[i]) &<< fourth
      unsafe units.storeBytes(of: unit, toByteOffset: i &* 4, as: UInt32.self)
    }
  }

  /// Puts three rows together, leaving the fourth byte as it is.
  @inline(never)
  @unsafe func join(_ out: Bytes, _ a: Bytes, _ b: Bytes, _ c: Bytes, _ n: Int) {
    let units = UnsafeMutableRawPointer(out)
    let (first, second, third, _) = shifts
    let kept = fourth
    for i in 0..<n {
      let old = unsafe units.loadUnaligned(fromByteOffset: i &* 4, as: UInt32.self) & kept
      let color = unsafe UInt32(a[i]) &<< first | UInt32(b[i]) &<< second
      let unit = unsafe old | color | UInt32(c[i]) &<< third
      unsafe units.storeBytes(of: unit, toByteOffset: i &* 4, as: UInt32.self)
    }
  }

  /// Writes `value` over the bits of `mask` of every unit.
  @inline(never)
  @unsafe func fill(_ out: Bytes, _ value: UInt32, mask: UInt32, _ n: Int) {
    let units = UnsafeMutableRawPointer(out)
    let kept = ~mask
    for i in 0..<n {
      let old = unsafe units.loadUnaligned(fromByteOffset: i &* 4, as: UInt32.self)
      unsafe units.storeBytes(of: old & kept | value, toByteOffset: i &* 4, as: UInt32.self)
    }
  }
}
