/// The weights of a convolution, packed in the order in which the kernels read them.
///
/// Each sum has a *tap* for each number that goes into it: the offset of that number in bytes, and
/// its weight. Where many weights are 0 these taps are left out, and every channel has a list of
/// its own; otherwise a group of channels shares one list of offsets.
struct PackedWeights {
  /// Channels that are summed together.
  struct Group {
    var channel, firstTap, tapCount, firstWeight: Int32
  }

  let groupSize: Int
  /// How many groups have `groupSize` channels; the others, which come last, have one.
  let fullGroupCount: Int
  let groups: AlignedBuffer<Group>
  let tapOffsets: AlignedBuffer<Int32>
  let weights: FloatBuffer
  let bias: FloatBuffer
  /// The smallest offset up to the largest.
  let offsetRange: Range<Int>

  /// Packs a filter that has a row for each output channel, in the order of `taps`.
  init(_ filter: FloatView, taps: [Int], bias: FloatBuffer, groupSize: Int) {
    let (channels, isShared) = (bias.count, groupSize > 1)
    let fullGroupCount = isShared ? channels / groupSize : 0
    var (groups, weights): ([Group], [Float]) = ([], [])
    var offsets = isShared ? taps.map { Int32($0) } : []
    var channel = 0
    while channel < channels {
      let size = groups.count < fullGroupCount ? groupSize : 1
      let (firstTap, firstWeight) = (isShared ? 0 : offsets.count, weights.count)
      for (tap, offset) in taps.enumerated() {
        for row in channel..<channel + size {
          let weight = filter[row * taps.count + tap]
          if !isShared, weight == 0 { continue }
          weights.append(weight)
          if !isShared { offsets.append(Int32(offset)) }
        }
      }
      let tapCount = isShared ? taps.count : offsets.count - firstTap
      groups.append(Group(channel, firstTap, tapCount, firstWeight))
      channel += size
    }
    self.init(groups, fullGroupCount, groupSize, taps: taps, offsets, weights, bias)
  }

  /// One tap of weight 1 for each channel: nothing is summed.
  init(taps: [Int], bias: FloatBuffer) {
    let groups = taps.indices.map { Group($0, $0, 1, $0) }
    let ones = [Float](repeating: 1, count: taps.count)
    self.init(groups, 0, 1, taps: taps, taps.map { Int32($0) }, ones, bias)
  }

  /// The taps of a matrix whose columns lie `stride` numbers apart; their weights are the numbers
  /// of the vector that it is multiplied by.
  init(columns: Int, stride: Int) {
    let taps = (0..<columns).map { $0 * stride * 4 }
    let offsets = taps.map { Int32($0) }
    self.init([Group(0, 0, columns, 0)], 0, 1, taps: taps, offsets, [], FloatBuffer(count: 1))
  }

  private init(
    _ groups: [Group], _ fullGroupCount: Int, _ groupSize: Int, taps: [Int], _ offsets: [Int32],
    _ weights: [Float], _ bias: FloatBuffer
  ) {
    (self.groups, self.fullGroupCount) = (AlignedBuffer(groups), fullGroupCount)
    (self.groupSize, self.bias) = (groupSize, bias)
    (tapOffsets, self.weights) = (AlignedBuffer(offsets), FloatBuffer(weights))
    offsetRange = (taps.min() ?? 0)..<(taps.max() ?? 0)
  }
}

extension PackedWeights.Group {
  fileprivate init(_ channel: Int, _ firstTap: Int, _ tapCount: Int, _ firstWeight: Int) {
    (self.channel, self.firstTap) = (Int32(channel), Int32(firstTap))
    (self.tapCount, self.firstWeight) = (Int32(tapCount), Int32(firstWeight))
  }
}
