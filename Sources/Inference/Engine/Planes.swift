/// Where a map lies in the engine's memory: a plane for each channel, its rows one after another.
///
/// After each row, and between planes, are zeros for windows that reach over the edge. Where rows
/// are whole vectors, they are what vectors follow; otherwise vectors run through rows and zeros
/// alike (`isFlat`), and what falls on zeros is made 0 again. A map of one pixel is a vector: one row
/// of `width` numbers, one for each channel.
struct Planes {
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
  /// The place of the first number.
  var origin = 0
  /// 1 where vectors write numbers of the map, 0 where they meet the zeros between them.
  let mask: FloatBuffer?

  /// What has zeros round it for windows that reach so far; `other` of the same size lends its mask.
  init(_ map: Map, gap: Int, margin: Int, like other: Planes?) {
    let lanes = Vector.lanes
    isVector = map.height * map.width == 1
    (height, channels) = (map.height, isVector ? 1 : map.channels)
    width = isVector ? map.channels : map.width
    let isFlat = isVector || width % lanes != 0 || gap == 0
    let row = isFlat ? width + gap : width + Vector.count(gap) * lanes
    count = isFlat ? Vector.count(height * row) : height * width / lanes
    across = isFlat ? count : width / lanes
    if isFlat {
      // An odd number of cache lines, so that channels do not meet in one place of a cache.
      plane = (max((height + margin) * row, count * lanes) + 15) / 16 * 16 | 16
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
      for x in 0..<width { Numbers(mask)[y * pitch + x] = 1 }
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

  func isSameSize(_ other: Planes) -> Bool {
    (height, width, isVector) == (other.height, other.width, other.isVector)
  }
}

/// The vectors of a map that are computed together, so that what they need stays in a near cache.
struct Bands {
  let size: Int
  let total: Int

  var count: Int { (total + size - 1) / size }

  subscript(_ number: Int) -> Range<Int> { number * size..<min(total, (number + 1) * size) }

  /// The best number of vectors: that for which tiles are fullest and `planes` of it near.
  ///
  /// `products` are the taps of all channels; `preparing` is what each vector's preparation takes
  /// where so many rows are prepared together.
  init(
    _ map: Planes, planes: Int, width: Int, products: Double, preparing: (_ rows: Int) -> Double
  ) {
    let (unit, total) = (map.isFlat ? 1 : map.across, map.count)
    func cost(_ size: Int) -> Double {
      let bytes = size * planes * Vector.lanes * 4
      let slowness = bytes <= 49_152 ? 1 : bytes <= 98_304 ? 1.2 : 1.5
      let rest = total % size
      let cycles = Double(total / size) * Self.cycles(size, width) + Self.cycles(rest, width)
      let begins = Double((total + size - 1) / size) * 2000
      return slowness
        * (products * cycles + Double(total) * preparing(max(1, size * map.height / total)))
        + begins
    }
    self.total = total
    size =
      stride(from: unit, through: max(unit, min(total, 48)), by: unit).min { cost($0) < cost($1) }
      ?? unit
  }

  /// What a tap takes, for tiles of `width` channels that cover so many vectors.
  static func cycles(_ vectors: Int, _ width: Int) -> Double {
    var sum = 0.0
    Tiling(vectors, most: Kernels.most(width)) { _, size in
      // Two products or loads in each cycle, and eight sums to hide how long they take.
      sum += Double(max(size * width, size + width, 8)) / 2 + 1
    }
    return sum / Double(width)
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
