/// The weights of a layer, in the order in which they are used.
///
/// A sum has a tap for each number that goes into it: where that lies, in bytes from the first, and
/// its weight. Taps of weight 0 are left out where they are many: then every channel has taps of its
/// own; otherwise a few channels share them.
struct PackedWeights {
  /// Channels that are summed together.
  struct Group {
    var channel: Int32
    var firstTap: Int32
    var count: Int32
    var firstFactor: Int32
  }

  let width: Int
  private(set) var groups: [Group] = []
  /// How many of them have `width` channels; the others have one.
  private(set) var wideCount = 0
  private(set) var taps: [Int32] = []
  private(set) var factors: [Float] = []
  let bias: FloatBuffer
  /// The least tap and the largest.
  let reach: Range<Int>

  /// More zeros than this share are worth leaving out.
  static let sparse = 0.4

  /// `weights` has a row for each output channel, in the order of `taps`.
  init(_ weights: FloatView, taps: [Int], bias: FloatBuffer, width: Int) {
    (self.bias, self.width) = (bias, width)
    let count = taps.count
    let channels = bias.count
    reach = (taps.min() ?? 0)..<(taps.max() ?? 0)
    wideCount = width > 1 ? channels / width : 0
    if width > 1 { self.taps = taps.map { Int32($0) } }
    var channel = 0
    while channel < channels {
      let isWide = groups.count < wideCount
      let (first, firstFactor) = (width > 1 ? 0 : self.taps.count, factors.count)
      for tap in 0..<count {
        for next in channel..<channel + (isWide ? width : 1) {
          let weight = weights[next * count + tap]
          if width == 1, weight == 0 { continue }
          factors.append(weight)
          if width == 1 { self.taps.append(Int32(taps[tap])) }
        }
      }
      append(channel, first, width > 1 ? count : self.taps.count - first, firstFactor)
      channel += isWide ? width : 1
    }
    // So that there is something to point to.
    if factors.isEmpty { (self.taps, factors) = ([0], [0]) }
  }

  /// Each tap as it is, for a channel of its own.
  init(taps: [Int], bias: FloatBuffer) {
    (self.bias, width) = (bias, 1)
    reach = (taps.min() ?? 0)..<(taps.max() ?? 0)
    (self.taps, factors) = (taps.map { Int32($0) }, taps.map { _ in 1 })
    for channel in taps.indices { append(channel, channel, 1, channel) }
  }

  /// A matrix whose columns lie `pitch` numbers apart, times a vector.
  init(columns: Int, pitch: Int) {
    (bias, width) = (FloatBuffer(count: 1), 1)
    taps = (0..<columns).map { Int32($0 * pitch * 4) }
    reach = 0..<(columns - 1) * pitch * 4
    factors = [0]
    append(0, 0, columns, 0)
  }

  private mutating func append(_ channel: Int, _ tap: Int, _ count: Int, _ factor: Int) {
    groups.append(
      Group(
        channel: Int32(channel), firstTap: Int32(tap), count: Int32(count),
        firstFactor: Int32(factor)))
  }
}

/// What there is to multiply for each vector of a map.
struct CostEstimate {
  let channels: Int
  /// How many channels may be summed together.
  let widths: [Int]
  /// Taps of a channel.
  let taps: Double

  /// The first `added` channels have something added to them.
  init(_ weights: FloatView, channels: Int, added: Int) {
    var zeros = 0
    for index in 0..<weights.count where weights[index] == 0 { zeros += 1 }
    let isSparse = Double(zeros) > PackedWeights.sparse * Double(weights.count)
    self.channels = channels
    widths =
      isSparse
      ? [1] : [1] + Kernels.widths.filter { $0 <= channels && ($0 <= 4 || added % $0 == 0) }
    taps = Double(isSparse ? weights.count - zeros : weights.count) / Double(channels)
  }

  /// A tap of its own for each channel.
  init(channels: Int) { (self.channels, widths, taps) = (channels, [1], 1) }

  /// What a band of so many vectors takes where so many channels are summed together.
  func cycles(_ vectors: Int, _ width: Int) -> Double {
    let rest = channels % width
    return taps
      * (Double(channels - rest) * tap(vectors, width) + Double(rest) * tap(vectors, 1))
  }

  /// A tap of one channel.
  private func tap(_ vectors: Int, _ width: Int) -> Double {
    var sum = 0.0
    Tiling(vectors, most: Kernels.most(width)) { _, size in
      // Two products or loads in each cycle, and eight sums to hide how long they take.
      sum += Double(max(size * width, size + width, 8)) / 2 + 1 + Double(width) / 16
    }
    return sum / Double(width)
  }
}
