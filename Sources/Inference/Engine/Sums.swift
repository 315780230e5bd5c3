/// Which of a layer's groups of channels are computed: those of `Sums.width`, and single ones.
struct Groups {
  var wide = 0..<0
  var single = 0..<0

  func isWithin(_ count: Int) -> Bool {
    wide.lowerBound >= 0 && single.lowerBound >= 0 && wide.upperBound <= count
      && single.upperBound <= count
  }
}

/// The weights of a layer, in the order in which they are used.
///
/// A sum has a tap for each number that goes into it: where that lies, in bytes from the first, and
/// its weight. Taps of weight 0 are left out where they are many: then every channel has taps of its
/// own; otherwise a few channels share them.
struct Sums {
  /// Channels that are summed together.
  struct Group {
    var channel: Int32
    var firstTap: Int32
    var count: Int32
    var firstFactor: Int32
  }

  let width: Int
  private(set) var groups: [Group] = []
  private(set) var taps: [Int32] = []
  private(set) var factors: [Float] = []
  let bias: FloatBuffer
  private(set) var all = Groups()
  /// The least tap and the largest.
  private(set) var reach = 0..<0

  /// More zeros than this share are worth leaving out.
  private static let sparse = 0.4

  /// `weights` has a row for each output channel, in the order of `taps`.
  init(_ weights: Numbers, taps: [Int], bias: FloatBuffer, width: Int) {
    (self.bias, self.width) = (bias, width)
    let count = taps.count
    let channels = bias.count
    func weight(_ channel: Int, _ tap: Int) -> Float { weights[channel * count + tap] }
    reach = (taps.min() ?? 0)..<(taps.max() ?? 0)
    if width == 1 {
      for channel in 0..<channels {
        let first = self.taps.count
        for tap in 0..<count where weight(channel, tap) != 0 {
          self.taps.append(Int32(taps[tap]))
          factors.append(weight(channel, tap))
        }
        append(channel, first, self.taps.count - first, first)
      }
      all.single = 0..<groups.count
    } else {
      self.taps = taps.map { Int32($0) }
      var channel = 0
      while channel < channels {
        let together = channel + width <= channels ? width : 1
        append(channel, 0, count, factors.count)
        for tap in 0..<count {
          for next in 0..<together { factors.append(weight(channel + next, tap)) }
        }
        channel += together
      }
      all.wide = 0..<channels / width
      all.single = channels / width..<groups.count
    }
    // So that there is something to point to.
    if self.taps.isEmpty { (self.taps, factors) = ([0], [0]) }
  }

  /// One filter for each channel, with the same taps: weights are [tap, channel].
  init(depthwise weights: Numbers, taps: [Int], bias: FloatBuffer) {
    (self.bias, width) = (bias, 1)
    reach = (taps.min() ?? 0)..<(taps.max() ?? 0)
    self.taps = taps.map { Int32($0) }
    for channel in 0..<bias.count {
      append(channel, 0, taps.count, factors.count)
      for tap in taps.indices { factors.append(weights[tap * bias.count + channel]) }
    }
  }

  /// A matrix whose columns' pieces lie at `starts`, each column of `count` a step after the last: a
  /// group for each tile, with taps that say where its columns lie.
  init(matrix starts: [(place: Int, step: Int)], tiles: Tiling, count: Int) {
    (bias, width) = (FloatBuffer(count: 1), 1)
    for (start, tile) in zip(starts, tiles.list) {
      append(0, taps.count, count, 0)
      taps += (0..<count).map { Int32((start.place + $0 * start.step) * 4) - tile.input }
    }
    reach = 0..<Int(taps.max() ?? 0)
  }

  private mutating func append(_ channel: Int, _ tap: Int, _ count: Int, _ factor: Int) {
    groups.append(
      Group(
        channel: Int32(channel), firstTap: Int32(tap), count: Int32(count),
        firstFactor: Int32(factor)))
  }

  /// Whether so many of the weights are 0 that they are better left out.
  static func isSparse(_ weights: Numbers) -> Bool {
    var zeros = 0
    for index in 0..<weights.count where weights[index] == 0 { zeros += 1 }
    return Double(zeros) > sparse * Double(weights.count)
  }
}
