package import Pixels

extension GuidedFilter {
  /// Slopes for a colour's three components, and the offset.
  typealias Planes = InlineArray<4, Row<Float>>

  /// The filter's loops over whole blocks of cells; rows are padded to whole blocks.
  enum Kernels {
    /// The number of cells of a block.
    static let block = 16
    private static let lanes = 8
    private typealias Lanes = SIMD8<Float>

    /// Cells rounded up to whole blocks.
    static func paddedCount(_ cells: Int) -> Int { (cells + block - 1) / block * block }

    /// Classifies blocks by their window sums of a mask in 1/4096; a window has `high` rows and
    /// `counts` columns, 0 beyond the grid.
    @inline(never)
    static func classifyBlocks(
      _ kinds: Row<UInt8>, _ sums: Row<Int32>, _ counts: Row<Int32>, high: Int32
    ) {
      let full = 4096 &* high
      for index in 0..<kinds.count {
        let cells = sums[from: index &* block, count: block]
        let counts = counts[from: index &* block, count: block]
        var (present, missing): (Int32, Int32) = (0, 0)
        for i in 0..<block {
          let maximum = counts[i] &* full
          present |= min(cells[i], maximum)
          missing |= max(maximum &- cells[i], 0)
        }
        kinds[index] =
          present == 0
          ? Kind.none : missing == 0 ? Kind.all : Kind.mixed
      }
    }

    /// Solves the least-squares fits of windows from the sums of the mask, of three colours, of
    /// their products with the mask and of products of colours.
    ///
    /// An LDL elimination, accurate also where all colours lie on a line. Windows whose mask is all
    /// 0 or all 1 get exactly that.
    @inline(never)
    static func solveFits(
      _ out: Planes, _ sums: InlineArray<13, Row<Int32>>, _ counts: Row<Int32>, high: Int32,
      epsilon: Float
    ) {
      let n = out[0].count
      let (out0, out1, out2, out3) = (out[0], out[1][..<n], out[2][..<n], out[3][..<n])
      let counts = counts[..<n]
      let sums = InlineArray<13, Row<Int32>> { sums[$0][..<n] }
      for x in stride(from: 0, to: n, by: lanes) {
        @inline(__always)
        func sum(_ index: Int) -> Lanes { sums[index].floats(at: x) }
        let cells = counts.floats(at: x) * Float(high)
        let total = sum(0)
        let inverse = 1 / cells.replacing(with: 1, where: cells .== 0)
        let fine = inverse * (1 / 4096)
        let p = total * fine
        let (m0, m1, m2) = (sum(1) * inverse, sum(2) * inverse, sum(3) * inverse)
        let c0 = sum(4) * fine - m0 * p
        let c1 = sum(5) * fine - m1 * p
        let c2 = sum(6) * fine - m2 * p
        let d0 = larger(sum(7) * inverse - m0 * m0, 0) + epsilon
        let w01 = sum(8) * inverse - m0 * m1
        let w02 = sum(9) * inverse - m0 * m2
        let (l1, l2) = (w01 / d0, w02 / d0)
        let d1 = larger(sum(10) * inverse - m1 * m1 + epsilon - l1 * w01, epsilon * 0.5)
        let w12 = sum(11) * inverse - m1 * m2 - l1 * w02
        let l3 = w12 / d1
        let d2 = larger(
          sum(12) * inverse - m2 * m2 + epsilon - l2 * w02 - l3 * w12, epsilon * 0.5)
        let r1 = c1 - l1 * c0
        let a2 = (c2 - l2 * c0 - l3 * r1) / d2
        let a1 = r1 / d1 - l3 * a2
        let a0 = c0 / d0 - l1 * a1 - l2 * a2
        let isNone = (total .== 0) .| (cells .== 0)
        let isAll = (total .== cells * 4096) .& .!isNone
        let isFlat = isNone .| isAll
        let offset = p - a0 * m0 - a1 * m1 - a2 * m2
        out0.setLanes(a0.replacing(with: 0, where: isFlat), at: x)
        out1.setLanes(a1.replacing(with: 0, where: isFlat), at: x)
        out2.setLanes(a2.replacing(with: 0, where: isFlat), at: x)
        let whole = offset.replacing(with: 1, where: isAll)
        out3.setLanes(whole.replacing(with: 0, where: isNone), at: x)
      }
    }

    /// Sums `rows` of a plane in whole lanes, from column `start` on.
    @inline(never)
    static func sumRows(
      _ out: Row<Float>, _ plane: Grid<Float>.Rows, _ rows: ClosedRange<Int>, from start: Int
    ) {
      let n = out.count
      for x in stride(from: 0, to: n, by: lanes) {
        var sum = Lanes.zero
        for y in rows { sum += plane.row(y).lanes(at: start &+ x) }
        out.setLanes(sum, at: x)
      }
    }

    /// Turns sums of fits over `high` rows and `counts` columns into coefficients, and sets the
    /// kinds of the cells.
    ///
    /// The result is `scale` times the fit, minus `offset`. Fits are for colours centred on 0,
    /// coefficients for codes.
    @inline(never)
    static func writeCoefficients(
      _ planes: Planes, _ kinds: Row<UInt8>, _ counts: Row<Int32>, high: Int32, offset: Float,
      scale: Float
    ) {
      let n = kinds.count
      let (slope0, slope1) = (planes[0][..<n], planes[1][..<n])
      let (slope2, constant, counts) = (planes[2][..<n], planes[3][..<n], counts[..<n])
      for x in stride(from: 0, to: n, by: lanes) {
        let cells = counts.floats(at: x) * Float(high)
        let (a0, a1) = (slope0.lanes(at: x), slope1.lanes(at: x))
        let (a2, b) = (slope2.lanes(at: x), constant.lanes(at: x))
        let isFlat = (a0 .== 0) .& (a1 .== 0) .& (a2 .== 0)
        let isNone = isFlat .& (b .== 0)
        let isAll = isFlat .& (b .== cells) .& .!isNone
        let inverse = scale / cells.replacing(with: 1, where: cells .== 0)
        let (m0, m1, m2) = (a0 * inverse, a1 * inverse, a2 * inverse)
        let mixed = b * inverse - offset - 128 * (m0 + m1 + m2)
        slope0.setLanes(m0, at: x)
        slope1.setLanes(m1, at: x)
        slope2.setLanes(m2, at: x)
        let whole = mixed.replacing(with: scale - offset, where: isAll)
        constant.setLanes(whole.replacing(with: -offset, where: isNone), at: x)
        var kind = SIMD8<Int32>(repeating: Int32(Kind.mixed))
        kind.replace(with: Int32(Kind.all), where: isAll)
        kind.replace(with: Int32(Kind.none), where: isNone)
        kinds.setLanes(truncating: kind, at: x)
      }
    }

    @inline(__always)
    private static func larger(_ a: Lanes, _ b: Float) -> Lanes {
      a.replacing(with: b, where: a .< b)
    }
  }
}

extension Row<UInt8> {
  /// Sets each element to the bitwise OR of two rows' elements.
  @inline(never)
  package func setUnion(_ a: Row<UInt8>, _ b: Row<UInt8>) {
    let n = count
    let (a, b) = (a[..<n], b[..<n])
    for i in 0..<n { self[i] = a[i] | b[i] }
  }
}
