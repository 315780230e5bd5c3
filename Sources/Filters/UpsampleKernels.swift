import Pixels

/// The loops of `UpsamplePositions`, mostly for samples at the same positions between all cells:
/// between two neighbours one sample for each of `weights`, those of the second cell in 1/128.
enum UpsampleKernels {
  /// The maximum number of samples between two cells of a regular grid.
  static let maximumSamples = 4
  /// The number of cells whose samples are computed at once.
  private static let block = 8

  /// Samples of `segments` between cells at irregular positions: see `UpsamplePositions`.
  ///
  /// Writes whole blocks, so `out` is a block longer.
  @inline(never)
  static func upsampleBilinear(
    _ out: Row<Float>, _ cells: Row<Float>, _ segments: Range<Int>, _ starts: Row<Int32>,
    _ weights: Row<UInt16>
  ) {
    let last = cells.count - 1
    for segment in segments {
      let (start, end) = (Int(starts[segment]), Int(starts[segment + 1]))
      guard start < end else { continue }
      let (left, right) = (max(segment - 1, 0), min(segment, last))
      let value = cells[left]
      let change = cells[right] - value
      for x in stride(from: start, to: end, by: block) {
        out.setLanes(value + change * (weights.floats(at: x) * (1 / 128)), at: x)
      }
    }
  }

  @inline(never)
  static func upsampleBilinear(_ out: Row<Float>, _ cells: Row<Float>, _ weights: Row<UInt16>) {
    interpolate(
      FloatInterpolation(out: out), cells, weights.count,
      SIMD4<Float>(paddedWeights(weights)) * (1 / 128))
  }

  /// Bytes from 16-bit cells.
  @inline(never)
  static func upsampleBilinear(_ out: Row<UInt8>, _ cells: Row<UInt16>, _ weights: Row<UInt16>) {
    interpolate(ByteInterpolation(out: out), cells, weights.count, paddedWeights(weights))
  }

  private static func paddedWeights(_ weights: Row<UInt16>) -> SIMD4<UInt16> {
    var result = SIMD4<UInt16>()
    for i in 0..<min(weights.count, maximumSamples) { result[i] = weights[i] }
    return result
  }

  @inline(__always)
  private static func interpolate<Target: Interpolation>(
    _ target: Target, _ cells: Row<Target.Cell>, _ count: Int, _ weights: SIMD4<Target.Cell>
  ) {
    let n = cells.count - 1
    guard n >= block else {
      for i in 0..<max(n, 0) {
        for k in 0..<count {
          target.writeBlend(cells[i], cells[i &+ 1], weights[k], at: i &* count &+ k)
        }
      }
      return
    }
    // Constant counts let the compiler emit constant shuffles.
    switch count {
    case 1: interpolate(target, cells, n, 1, weights)
    case 2: interpolate(target, cells, n, 2, weights)
    case 3: interpolate(target, cells, n, 3, weights)
    default: interpolate(target, cells, n, 4, weights)
    }
  }

  @inline(__always)
  private static func interpolate<Target: Interpolation>(
    _ target: Target, _ cells: Row<Target.Cell>, _ n: Int, _ count: Int,
    _ weights: SIMD4<Target.Cell>
  ) {
    func weightVector(_ vector: Int) -> SIMD8<Target.Cell> {
      func sampleWeight(_ lane: Int) -> Target.Cell { weights[(8 &* vector &+ lane) % count] }
      return SIMD8(
        sampleWeight(0), sampleWeight(1), sampleWeight(2), sampleWeight(3), sampleWeight(4),
        sampleWeight(5), sampleWeight(6), sampleWeight(7))
    }
    let all = (weightVector(0), weightVector(1), weightVector(2), weightVector(3))
    forBlocks(of: block, 0..<n) { i in
      let (a, b) = (cells.lanes(at: i), cells.lanes(at: i &+ 1))
      let x = i &* count
      target.writeBlend(repeated(a, count, 0), repeated(b, count, 0), all.0, at: x)
      if count > 1 {
        target.writeBlend(repeated(a, count, 1), repeated(b, count, 1), all.1, at: x &+ 8)
      }
      if count > 2 {
        target.writeBlend(repeated(a, count, 2), repeated(b, count, 2), all.2, at: x &+ 16)
      }
      if count > 3 {
        target.writeBlend(repeated(a, count, 3), repeated(b, count, 3), all.3, at: x &+ 24)
      }
    }
  }

  /// Eight lanes, from 8 `vector` on, of the vector in which each lane is repeated `count` times.
  @inline(__always)
  private static func repeated<Cell: SIMDScalar>(
    _ lanes: SIMD8<Cell>, _ count: Int, _ vector: Int
  ) -> SIMD8<Cell> {
    let x = 8 &* vector
    return SIMD8(
      lanes[x / count], lanes[(x &+ 1) / count], lanes[(x &+ 2) / count],
      lanes[(x &+ 3) / count], lanes[(x &+ 4) / count], lanes[(x &+ 5) / count],
      lanes[(x &+ 6) / count], lanes[(x &+ 7) / count])
  }
}

/// Writes samples interpolated between two cells.
private protocol Interpolation {
  associatedtype Cell: SIMDScalar & BitwiseCopyable
  func writeBlend(_ a: SIMD8<Cell>, _ b: SIMD8<Cell>, _ weight: SIMD8<Cell>, at x: Int)
  func writeBlend(_ a: Cell, _ b: Cell, _ weight: Cell, at x: Int)
}

private struct FloatInterpolation: Interpolation {
  let out: Row<Float>

  @inline(__always)
  func writeBlend(_ a: SIMD8<Float>, _ b: SIMD8<Float>, _ weight: SIMD8<Float>, at x: Int) {
    out.setLanes(a + (b - a) * weight, at: x)
  }

  @inline(__always)
  func writeBlend(_ a: Float, _ b: Float, _ weight: Float, at x: Int) {
    out[x] = a + (b - a) * weight
  }
}

private struct ByteInterpolation: Interpolation {
  let out: Row<UInt8>

  @inline(__always)
  func writeBlend(_ a: SIMD8<UInt16>, _ b: SIMD8<UInt16>, _ weight: SIMD8<UInt16>, at x: Int) {
    out.setLanes(truncating: (a &* (128 &- weight) &+ b &* weight &+ 64) &>> 7, at: x)
  }

  @inline(__always)
  func writeBlend(_ a: UInt16, _ b: UInt16, _ weight: UInt16, at x: Int) {
    out[x] = UInt8(truncatingIfNeeded: (a &* (128 &- weight) &+ b &* weight &+ 64) &>> 7)
  }
}
