extension Row<Int32> {
  /// Sets each element to the sum of as many neighbours in `columns` as `span` says, from the one
  /// of its own number on; sums wrap.
  @inline(never)
  package func sumWindows(of columns: Row<Int32>, span: Int) {
    precondition(span > 0 && columns.count >= count &+ span &- 1)
    if span == 9 { return sumNines(of: columns) }
    var sum: Int32 = 0
    for x in 0..<(span - 1) { sum &+= columns[x] }
    let n = count
    let (entering, leaving) = (columns[from: span - 1, count: n], columns[..<n])
    for x in 0..<n {
      sum &+= entering[x]
      self[x] = sum
      sum &-= leaving[x]
    }
  }

  /// Nine are fewer additions than one that waits for the last.
  @inline(__always)
  private func sumNines(of columns: Row<Int32>) {
    let n = count
    let (a, b, c) = (columns[..<n], columns[from: 1, count: n], columns[from: 2, count: n])
    let (d, e, f) = (
      columns[from: 3, count: n], columns[from: 4, count: n], columns[from: 5, count: n]
    )
    let (g, h, k) = (
      columns[from: 6, count: n], columns[from: 7, count: n], columns[from: 8, count: n]
    )
    for x in 0..<n {
      let left = (a[x] &+ b[x]) &+ (c[x] &+ d[x])
      self[x] = left &+ ((e[x] &+ f[x]) &+ (g[x] &+ h[x])) &+ k[x]
    }
  }
}
