extension Row<Int32> {
  /// Sets each element to the sum of as many neighbours in `columns` as `span` says, from the one
  /// of its own number on; sums wrap.
  ///
  /// `room` is as long as `columns`, and none of both.
  package func sumWindows(of columns: Row<Int32>, span: Int, room: Row<Int32>) {
    let n = count
    precondition(span > 0 && columns.count >= n + span - 1 && room.count >= n + span - 1)
    if span == 9 { return sumNines(of: columns) }
    // Sums of 2, 4, 8... neighbours, of which those that `span` is made of follow each other.
    var (sums, length, start) = (columns, 1, 0)
    while true {
      if span & length != 0 {
        let part = sums[from: start, count: n]
        if start == 0 { copy(part) } else { Self.add(self, part, self) }
        start += length
      }
      guard start < span else { return }
      let rest = n + span - 2 * length
      Self.add(sums[..<rest], sums[from: length, count: rest], room[..<rest])
      sums = room
      length *= 2
    }
  }

  /// Writes sums of two rows, of which the second may lie further on in `out`, over what was read.
  @inline(never)
  private static func add(_ a: Row<Int32>, _ b: Row<Int32>, _ out: Row<Int32>) {
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

  /// Nine are fewer additions than one that waits for the last.
  @inline(never)
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
