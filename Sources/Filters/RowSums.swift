package import Pixels

extension Row<Int32> {
  /// Sets each element to the sum of `span` elements of `columns`, from its own index on; sums
  /// wrap.
  ///
  /// `scratch` is as long as `columns` and overlaps neither row.
  package func sumWindows(of columns: Row<Int32>, span: Int, scratch: Row<Int32>) {
    let n = count
    precondition(span > 0 && columns.count >= n + span - 1 && scratch.count >= n + span - 1)
    if span == 9 { return RowSums.sumNine(self, columns) }
    // Doubles the window length; the powers of two that `span` consists of are added.
    var (sums, length, start) = (columns, 1, 0)
    while true {
      if span & length != 0 {
        let window = sums[from: start, count: n]
        if start == 0 { copy(window) } else { RowSums.add(self, window, self) }
        start += length
      }
      guard start < span else { return }
      let remaining = n + span - 2 * length
      RowSums.add(sums[..<remaining], sums[from: length, count: remaining], scratch[..<remaining])
      sums = scratch
      length *= 2
    }
  }
}

/// Sums of neighbours along a row.
enum RowSums {
  /// Writes the sums of two rows; `out` may be `b`, or begin with elements that were read.
  @inline(never)
  static func add(_ a: Row<Int32>, _ b: Row<Int32>, _ out: Row<Int32>) {
    let n = out.count
    let (a, b) = (a[..<n], b[..<n])
    var x = 0
    while x &+ 8 <= n {
      out.setLanes(a.lanes(at: x) &+ b.lanes(at: x), at: x)
      x &+= 8
    }
    while x < n {
      out[x] = a[x] &+ b[x]
      x &+= 1
    }
  }

  /// Sums of nine neighbours, with fewer additions than by doubling.
  @inline(never)
  static func sumNine(_ out: Row<Int32>, _ source: Row<Int32>) { sumNine(out, source, &+) }

  @inline(never)
  static func sumNine(_ out: Row<Float>, _ source: Row<Float>) { sumNine(out, source, +) }

  /// `source` has eight elements more than `out`.
  @inline(__always)
  private static func sumNine<Sum>(
    _ out: Row<Sum>, _ source: Row<Sum>, _ add: (Sum, Sum) -> Sum
  ) {
    let n = out.count
    let (a, b, c) = (source[..<n], source[from: 1, count: n], source[from: 2, count: n])
    let (d, e, f) = (
      source[from: 3, count: n], source[from: 4, count: n], source[from: 5, count: n]
    )
    let (g, h, k) = (
      source[from: 6, count: n], source[from: 7, count: n], source[from: 8, count: n]
    )
    for x in 0..<n {
      let four = (add(add(a[x], b[x]), add(c[x], d[x])), add(add(e[x], f[x]), add(g[x], h[x])))
      out[x] = add(add(four.0, four.1), k[x])
    }
  }
}
