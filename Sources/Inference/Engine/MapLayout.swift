/// Where a map lies in the engine's memory: a plane for each channel, its rows one after another.
///
/// Where windows reach over the edge, zeros are after each row and between planes. Where such rows
/// are whole vectors, they are what vectors follow; otherwise vectors run through a plane (`isFlat`),
/// and what falls on zeros is made 0 again. Windows that mask what lies beyond a row's ends need no
/// zeros there. A map of one pixel is a vector: one row of `width` numbers,
/// one for each channel.
struct MapLayout {
  let height: Int
  let width: Int
  let channels: Int
  let isVector: Bool
  /// Numbers from a row to the next, and from a plane to the next.
  let pitch: Int
  let plane: Int
  /// Vectors side by side before the next row begins, and all of a plane.
  let across: Int
  let count: Int
  let size: Int
  /// Columns and rows of zeros round it.
  let reach: Halo
  /// The place of the first number.
  var origin = 0
  /// 1 where vectors write numbers of the map, 0 where they meet the zeros between them.
  let mask: FloatBuffer?

  /// What has zeros round it for windows that reach so far; `other` of the same size and reach lends
  /// its mask.
  init(_ map: MapShape, _ reach: Halo, like other: MapLayout?) {
    let lanes = Vector.lanes
    let gap = map.width % lanes == 0 ? max(reach.gap, reach.masked) : reach.gap
    self.reach = Halo(gap: gap, margin: reach.margin)
    isVector = map.height * map.width == 1
    (height, channels) = (map.height, isVector ? 1 : map.channels)
    width = isVector ? map.channels : map.width
    let isFlat = isVector || width % lanes != 0 || gap == 0
    let row = isFlat ? width + gap : width + Vector.count(gap) * lanes
    count = isFlat ? Vector.count(height * row) : height * width / lanes
    across = isFlat ? count : width / lanes
    if isFlat {
      // An odd number of cache lines, so that channels do not meet in one place of a cache.
      plane = (max((height + reach.margin) * row, count * lanes) + 15) / 16 * 16 | 16
      pitch = row
    } else {
      (plane, pitch) = (row, row * channels)
    }
    size = isFlat ? channels * plane : height * pitch
    guard isFlat, gap > 0 || height * pitch < count * lanes else {
      mask = nil
      return
    }
    if let other, !isVector {
      mask = other.mask
      return
    }
    let mask = FloatBuffer(count: count * lanes)
    for y in 0..<height {
      for x in 0..<width { FloatView(mask)[y * pitch + x] = 1 }
    }
    self.mask = mask
  }

  var isFlat: Bool { across == count }

  /// Numbers from a row to the next where a band's vectors follow each other.
  var line: Int { isFlat ? pitch : width }

  /// The place of a vector's first number in the first plane.
  func place(_ vector: Int) -> Int {
    origin + vector / across * pitch + vector % across * Vector.lanes
  }

  /// The rows that a band of vectors meets.
  func rows(_ band: Range<Int>) -> Range<Int> {
    let lanes = Vector.lanes
    return band.lowerBound * lanes / line..<min(height, (band.upperBound * lanes - 1) / line + 1)
  }

  /// The most rows that so many vectors meet.
  func rows(in vectors: Int) -> Int { min(height, (vectors * Vector.lanes - 2) / line + 2) }

  /// Whether a band of vectors can be computed alone: bands are whole rows, where these are vectors.
  static func unit(_ width: Int) -> Int { width % Vector.lanes == 0 ? width / Vector.lanes : 1 }

  func isSameSize(_ other: MapLayout) -> Bool {
    (height, width, isVector) == (other.height, other.width, other.isVector)
  }

  /// Whether the numbers and the zeros of both lie alike.
  func isSameLayout(_ other: MapLayout) -> Bool {
    isSameSize(other) && channels == other.channels && reach.gap == other.reach.gap
      && reach.margin == other.reach.margin
  }
}

/// How a step is cut: vectors of a map that are computed together, so that what they need stays in a
/// near cache, and channels that are summed together.
struct Bands {
  let size: Int
  let total: Int
  /// Channels that share their taps.
  let width: Int

  var count: Int { (total + size - 1) / size }

  subscript(_ number: Int) -> Range<Int> { number * size..<min(total, (number + 1) * size) }

  /// The best number of vectors, and of channels: those for which tiles are fullest, what is read is
  /// near, and beginning anew is rare.
  ///
  /// A vector's numbers are `planes` runs; `preparing` is what each vector's preparation takes where
  /// so many rows are prepared together, 0 where there is none.
  init(
    _ map: MapLayout, planes: Int, _ load: CostEstimate, preparing: (_ rows: Int) -> Double
  ) {
    let (unit, total) = (map.isVector ? 1 : MapLayout.unit(map.width), map.count)
    func cost(_ size: Int, _ width: Int) -> Double {
      let bytes = size * planes * Vector.lanes * 4
      // The fewer channels a tile has, the more it reads for each product.
      let far = bytes <= 49_152 ? 0 : bytes <= 98_304 ? 0.13 : 0.2
      let slowness = 1 + far * (width == 1 ? 1 : 0.5 / Double(width))
      let cycles =
        Double(total / size) * load.cycles(size, width) + load.cycles(total % size, width)
      let rows = preparing(max(1, size * map.height / total))
      let begins =
        Double((total + size - 1) / size)
        * (1000 + (rows > 0 ? Double((map.isFlat ? 40 : 8) * planes) : 0))
      return slowness * cycles + Double(total) * rows + begins
    }
    var (best, least) = ((size: unit, width: 1), Double.infinity)
    for size in stride(from: unit, through: max(unit, min(total, 48)), by: unit) {
      for width in load.widths {
        let own = cost(size, width)
        if own < least { (best, least) = ((size, width), own) }
      }
    }
    self.total = total
    (size, width) = best
  }
}

/// Cuts vectors into tiles, as equal as can be.
struct Tiling {
  @discardableResult
  @inline(__always)
  init(_ vectors: Int, most: Int, _ body: (_ first: Int, _ size: Int) -> Void) {
    var (first, left) = (0, (vectors + most - 1) / most)
    while left > 0 {
      let size = (vectors - first + left - 1) / left
      body(first, size)
      (first, left) = (first + size, left - 1)
    }
  }
}

/// Columns and rows of zeros round a map.
struct Halo {
  var gap = 0, margin = 0
  /// Columns that windows need only where rows are whole vectors; elsewhere they mask.
  var masked = 0

  mutating func form(max other: Halo) {
    (gap, margin) = (max(gap, other.gap), max(margin, other.margin))
    masked = max(masked, other.masked)
  }
}
