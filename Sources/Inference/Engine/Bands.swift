/// How a step is blocked: the vectors of a band, whose inputs stay in the first cache, and the
/// channels that are summed together.
struct Bands {
  let vectorsPerBand, vectorCount: Int
  /// Channels that share their taps.
  let groupSize: Int

  var count: Int { (vectorCount + vectorsPerBand - 1) / vectorsPerBand }

  subscript(_ number: Int) -> Range<Int> {
    number * vectorsPerBand..<min(vectorCount, (number + 1) * vectorsPerBand)
  }

  /// The band and group sizes of the least estimated cost: full tiles, inputs in the cache, and few
  /// bands.
  ///
  /// Each vector of `map` is computed from `runs` input vectors. `prologue` is the cost of
  /// preparing those, for each vector, when bands have so many rows; 0 stands for no prologue.
  init(_ map: MapLayout, runs: Int, _ estimate: CostEstimate, prologue: (_ rows: Int) -> Double) {
    // Bands are whole rows, where these are whole vectors.
    let hasWholeRows = !map.isVector && map.width % Vector.lanes == 0
    let unit = hasWholeRows ? map.width / Vector.lanes : 1
    let total = map.vectorCount
    func cost(_ size: Int, _ groupSize: Int) -> Double {
      let bytes = size * runs * Vector.lanes * 4
      // Smaller groups load more for each product.
      let missRate = bytes <= 49_152 ? 0 : bytes <= 98_304 ? 0.13 : 0.2
      let slowdown = 1 + missRate * (groupSize == 1 ? 1 : 0.5 / Double(groupSize))
      let cycles =
        Double(total / size) * estimate.cycles(vectors: size, groupSize: groupSize)
        + estimate.cycles(vectors: total % size, groupSize: groupSize)
      let preparation = prologue(max(1, size * map.height / total))
      let overhead =
        Double((total + size - 1) / size)
        * (1000 + (preparation > 0 ? Double((map.isFlat ? 40 : 8) * runs) : 0))
      return slowdown * cycles + Double(total) * preparation + overhead
    }
    var (best, minimum) = ((size: unit, groupSize: 1), Double.infinity)
    for size in stride(from: unit, through: max(unit, min(total, 48)), by: unit) {
      for groupSize in estimate.groupSizes {
        let own = cost(size, groupSize)
        if own < minimum { (best, minimum) = ((size, groupSize), own) }
      }
    }
    vectorCount = total
    (vectorsPerBand, groupSize) = best
  }
}

/// What there is to multiply for each vector of a map.
struct CostEstimate {
  let channels: Int
  /// The group sizes that may be chosen.
  let groupSizes: [Int]
  let tapsPerChannel: Double

  /// The estimate for a filter; a residual is added to the first `residualChannels`.
  init(_ filter: FloatView, channels: Int, residualChannels: Int) {
    let zeros = (0..<filter.count).count { filter[$0] == 0 }
    // More zeros are worth a list of taps for each channel that leaves them out.
    let isSparse = Double(zeros) > 0.4 * Double(filter.count)
    self.channels = channels
    groupSizes =
      isSparse
      ? [1]
      : [1]
        + Kernels.groupSizes.filter { $0 <= channels && ($0 <= 4 || residualChannels % $0 == 0) }
    tapsPerChannel = Double(isSparse ? filter.count - zeros : filter.count) / Double(channels)
  }

  /// The estimate for one tap of each channel.
  init(channels: Int) { (self.channels, groupSizes, tapsPerChannel) = (channels, [1], 1) }

  func cycles(vectors: Int, groupSize: Int) -> Double {
    let rest = channels % groupSize
    return tapsPerChannel
      * (Double(channels - rest) * cyclesPerTap(vectors, groupSize)
        + Double(rest) * cyclesPerTap(vectors, 1))
  }

  /// The cycles of one tap of one channel.
  private func cyclesPerTap(_ vectors: Int, _ groupSize: Int) -> Double {
    var sum = 0.0
    forEachTile(vectors, maximum: Kernels.maximumTile(groupSize: groupSize)) { _, size in
      // Two products or loads a cycle; eight sums hide the latency of the additions.
      let operations = max(size * groupSize, size + groupSize, 8)
      sum += Double(operations) / 2 + 1 + Double(groupSize) / 16
    }
    return sum / Double(groupSize)
  }
}

/// Cuts vectors into tiles of nearly equal size.
@inline(__always)
func forEachTile(_ vectors: Int, maximum: Int, _ body: (_ first: Int, _ size: Int) -> Void) {
  var (first, left) = (0, (vectors + maximum - 1) / maximum)
  while left > 0 {
    let size = (vectors - first + left - 1) / left
    body(first, size)
    (first, left) = (first + size, left - 1)
  }
}
