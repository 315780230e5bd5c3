import Pixels

/// The loops over pixels: the only unsafe code of the module.
///
/// Each checks its sizes first.
enum ReshapeKernels {
  typealias Floats = Row<Float>
  typealias Numbers = Row<Int32>
  private typealias Lanes = SIMD8<Float>

  /// Padding elements after each row: eight are read and written at once.
  static let padding = 8

  // MARK: Displacements

  /// Adds the linear interpolation of `nodes` to `row`.
  ///
  /// Nodes are `interval` elements apart, a power of two; the first element of `row` lies `offset`
  /// elements after a node.
  @inline(never)
  static func addInterpolated(_ row: Floats, _ nodes: Floats, interval: Int, offset: Float) {
    let intervals = row.count / interval
    guard intervals > 0 else { return }
    precondition(interval > 0 && row.count % interval == 0 && nodes.count > intervals)
    let (row, nodes) = unsafe (row.base, nodes.base)
    let inverseInterval = 1 / Float(interval)
    for j in 0..<intervals {
      let (node, slope) = unsafe (nodes[j], (nodes[j &+ 1] - nodes[j]) * inverseInterval)
      let cell = unsafe row + j &* interval
      for i in 0..<interval { unsafe cell[i] += node + slope * (Float(i) + offset) }
    }
  }

  /// The result of `addInterpolated` for a row of zeros, split as by `splitWholeAndFraction`; `interval` is a multiple
  /// of 8.
  @inline(never)
  static func splitInterpolated(
    _ wholes: Numbers, _ fractions: Floats, _ nodes: Floats, interval: Int, offset: Float
  ) {
    let intervals = fractions.count / interval
    guard intervals > 0 else { return }
    precondition(interval >= 8 && fractions.count % interval == 0 && interval % 8 == 0)
    precondition(nodes.count > intervals && wholes.count >= fractions.count)
    let (wholes, fractions, nodes) = unsafe (wholes.base, fractions.base, nodes.base)
    let inverseInterval = 1 / Float(interval)
    let steps = Lanes(0, 1, 2, 3, 4, 5, 6, 7) + offset
    for j in 0..<intervals {
      let (node, slope) = unsafe (nodes[j], (nodes[j &+ 1] - nodes[j]) * inverseInterval)
      for i in stride(from: 0, to: interval, by: 8) {
        let value = (steps + Float(i)) * slope + node
        // As `nearest`: the low bits hold the integer part.
        let biased = value - 0.5 + 12_582_912
        let bits = unsafe unsafeBitCast(biased, to: SIMD8<Int32>.self) &- 0x4B40_0000
        let index = j &* interval &+ i
        unsafe store(value - (biased - 12_582_912), fractions + index)
        unsafe UnsafeMutableRawPointer(wholes + index).storeBytes(
          of: bits, as: SIMD8<Int32>.self)
      }
    }
  }

  /// Splits displacements into integers, rounded down, and fractions 0...1.
  @inline(never)
  static func splitWholeAndFraction(_ wholes: Numbers, _ fractions: Floats) {
    let n = fractions.count
    precondition(wholes.count >= n)
    let (wholes, fractions) = unsafe (wholes.base, fractions.base)
    for i in 0..<n {
      let value = unsafe fractions[i]
      let floor = nearest(value - 0.5)
      unsafe wholes[i] = floor
      unsafe fractions[i] = value - Float(floor)
    }
  }

  /// Sets 1 for each element whose successor has another integer displacement.
  @inline(never)
  static func markRunEnds(_ ends: Row<UInt8>, _ x: Numbers, _ y: Numbers) {
    let n = ends.count
    precondition(x.count >= n && y.count >= n && n > 0)
    let (ends, x, y) = unsafe (ends.base, x.base, y.base)
    for i in 0..<(n &- 1) {
      let differs = unsafe (x[i] ^ x[i &+ 1]) | (y[i] ^ y[i &+ 1])
      unsafe ends[i] = differs == 0 ? 0 : 1
    }
    unsafe ends[n &- 1] = 1
  }

  // MARK: Sampling

  /// The window of source samples of a row: a copy with `stride` samples from row to row.
  struct SourceWindow {
    /// Index in the copy of the first of the 4 x 4 samples for element 0 without displacement.
    let first: Int
    let stride: Int
    /// Limits of integer displacements relative to element 0.
    let columns: ClosedRange<Int>
    let rows: ClosedRange<Int>
  }

  /// The displacements of a row: integers, fractions, and the marks of `markRunEnds`.
  struct Steps {
    let wholeX, wholeY: Numbers
    let x, y: Floats
    let ends: Row<UInt8>
  }

  /// Interpolates `out` from the 4 x 4 samples around the displaced positions, with the Catmull-Rom
  /// cubic ("A class of local interpolating splines", 1974), which passes through the samples and
  /// keeps edges sharp.
  ///
  /// Up to eight adjacent elements with equal integer displacements are interpolated together. All
  /// rows are followed by `padding` elements.
  @inline(never)
  static func sampleCatmullRom(
    _ out: Floats, _ source: Floats, _ window: SourceWindow, _ steps: Steps
  ) {
    let n = out.count
    precondition(steps.x.count >= n && steps.y.count >= n && steps.ends.count >= n)
    precondition(steps.wholeX.count >= n && steps.wholeY.count >= n)
    let (left, right) = (window.columns.lowerBound, window.columns.upperBound)
    let (low, high) = (window.rows.lowerBound, window.rows.upperBound)
    let stride = window.stride
    // Displacements are clamped, so nothing else is read.
    precondition(stride > 0 && window.first + low * stride + left >= 0)
    precondition(window.first + (high + 3) * stride + right + 3 + padding <= source.count)
    let (out, origin) = unsafe (out.base, source.base + window.first)
    let (x, y) = unsafe (steps.x.base, steps.y.base)
    let (wholeX, wholeY) = unsafe (steps.wholeX.base, steps.wholeY.base)
    let ends = unsafe UnsafeRawPointer(steps.ends.base)
    var i = 0
    while i < n {
      let column = unsafe min(max(Int(wholeX[i]) &+ i, left), right)
      let row = unsafe min(max(Int(wholeY[i]), low), high)
      let word = unsafe ends.loadUnaligned(fromByteOffset: i, as: UInt64.self)
      let a = unsafe origin + (row &* stride &+ column)
      let across = unsafe catmullRomWeights(load(x + i))
      let down = unsafe catmullRomWeights(load(y + i))
      let upper =
        unsafe interpolateRow(a, across) * down.0 + interpolateRow(a + stride, across) * down.1
      let lower =
        unsafe interpolateRow(a + 2 &* stride, across) * down.2 + interpolateRow(
          a + 3 &* stride, across) * down.3
      unsafe store(upper + lower, out + i)
      i &+= min(word.littleEndian.trailingZeroBitCount &>> 3, 7) &+ 1
    }
  }

  @inline(__always)
  @unsafe private static func interpolateRow(
    _ p: UnsafeMutablePointer<Float>, _ w: (Lanes, Lanes, Lanes, Lanes)
  ) -> Lanes {
    unsafe (load(p) * w.0 + load(p + 1) * w.1) + (load(p + 2) * w.2 + load(p + 3) * w.3)
  }

  /// The weights of the four samples around a position at fraction `f` from the second to the
  /// third.
  @inline(__always)
  private static func catmullRomWeights(_ f: Lanes) -> (Lanes, Lanes, Lanes, Lanes) {
    let square = f * f
    let cube = square * f
    let first = square - 0.5 * (cube + f)
    let last = 0.5 * (cube - square)
    let second = 1.5 * cube - 2.5 * square + 1
    return (first, second, 1 - first - second - last, last)
  }

  /// Converts bytes to floats.
  @inline(never)
  static func convertToFloat(_ values: Floats, _ bytes: Row<UInt8>) {
    let n = values.count
    precondition(bytes.count >= n)
    let (values, bytes) = unsafe (values.base, bytes.base)
    for i in 0..<n { unsafe values[i] = Float(bytes[i]) }
  }

  /// Rounds to bytes, clamped to 0...255.
  @inline(never)
  static func roundToBytes(_ bytes: Row<UInt8>, _ values: Floats) {
    let n = bytes.count
    precondition(values.count >= n)
    let (bytes, values) = unsafe (bytes.base, values.base)
    for i in 0..<n {
      let value = unsafe values[i]
      let limited = value < 0 ? 0 : value > 255 ? 255 : value
      unsafe bytes[i] = UInt8(truncatingIfNeeded: nearest(limited))
    }
  }

  /// Converts 16-bit codes to floats.
  @inline(never)
  static func convertToFloat(_ values: Floats, _ codes: Row<UInt16>) {
    let n = values.count
    let codes = codes[..<n]
    for i in 0..<n { values[i] = Float(codes[i]) }
  }

  /// Rounds to codes, clamped to 0...`maximum`.
  @inline(never)
  static func roundToWords(_ codes: Row<UInt16>, _ values: Floats, maximum: Float) {
    let n = codes.count
    let values = values[..<n]
    for i in 0..<n {
      let value = values[i]
      let limited = value < 0 ? 0 : value > maximum ? maximum : value
      codes[i] = UInt16(truncatingIfNeeded: nearest(limited))
    }
  }

  @inline(__always)
  @unsafe private static func load(_ p: UnsafeMutablePointer<Float>) -> Lanes {
    unsafe UnsafeRawPointer(p).loadUnaligned(as: Lanes.self)
  }

  @inline(__always)
  @unsafe private static func store(_ value: Lanes, _ p: UnsafeMutablePointer<Float>) {
    unsafe UnsafeMutableRawPointer(p).storeBytes(of: value, as: Lanes.self)
  }
}
