/// What a step of the engine works on: all maps of the network, and scratch for the caller alone.
struct Memory {
  let maps: Numbers
  let scratch: Numbers
}

/// Something the engine does between two points at which all threads wait for each other.
protocol EngineStep {
  /// Pieces that may be done in any order and at the same time.
  var units: Int { get }
  /// Multiplications or so.
  var cost: Int { get }
  /// Numbers of scratch.
  var scratch: Int { get }

  func run(_ units: Range<Int>, _ memory: Memory)
}

/// The rows of results that are computed together, so that what they need stays in the first cache.
struct Bands {
  let rows: Int
  let height: Int
  let cost: Double

  var count: Int { (height + rows - 1) / rows }

  func rows(_ band: Int) -> Int { min(rows, height - band * rows) }

  /// The best number of rows: that for which tiles are fullest, and `bytes` a row fit.
  init(height: Int, bytes: Int, _ cost: (_ rows: Int) -> Double) {
    func whole(_ rows: Int) -> Double {
      let rest = height % rows
      return Double(height / rows) * cost(rows) + (rest > 0 ? cost(rest) : 0)
    }
    func slowed(_ rows: Int) -> Double {
      whole(rows) * (rows * bytes > 32_768 ? 1.1 : 1) * (rows * bytes > 262_144 ? 1.5 : 1)
    }
    self.height = height
    rows = (1...min(12, height)).min { slowed($0) < slowed($1) } ?? 1
    self.cost = slowed(rows)
  }
}

extension Rows {
  /// Bends a band of sums that was stored as it is, adds what comes after that, and makes zeros of
  /// what lies beyond the rows' ends.
  func complete(
    _ numbers: Numbers, row first: Int, rows: Int, _ curve: Curve,
    added: (numbers: Numbers, rows: Rows, row: Int)? = nil
  ) {
    let mask = Kernels.mask(lastLanes)
    for row in 0..<rows {
      for channel in 0..<channels {
        let place = index(row: first + row, channel: channel)
        let slope = Vector(curve.slope(channel))
        var more: Int?
        if let added, channel < added.rows.channels {
          more = added.rows.index(row: added.row + row, channel: channel)
        }
        for v in 0..<vectors {
          var x = curve.bend(numbers.vector(place + v * Vector.lanes), slope: slope)
          if let added, let more { x += added.numbers.vector(more + v * Vector.lanes) }
          if v == vectors - 1 { x = Kernels.masked(x, mask) }
          numbers.put(x, place + v * Vector.lanes)
        }
      }
    }
  }
}

extension Finish {
  /// Does what tiles have left to do.
  func complete(_ map: Rows, _ maps: Numbers, row: Int, rows: Int, _ added: Rows?) {
    guard !rest.isNone || addsLast else { return }
    map.complete(
      maps, row: row, rows: rows, rest, added: addsLast ? added.map { (maps, $0, row) } : nil)
  }
}
