import Pixels

/// The light of a picture by that of the memory, and the part of the face that hands do not explain.
extension FaceMemory {
  /// The distance from hands, in millimetres, from which they do not explain a cover.
  private static let unexplained: Float = 25

  /// The part of the seen texels, 0...1, that is covered and away from hands.
  func share(notUnder hands: HandCover, _ sample: TextureSample) -> Float {
    var sum: Float = 0
    for y in 0..<TextureLayout.side {
      let (row, seen) = (cover.row(y), sample.visibility.row(y))
      let distances = hands.texels.row(y)
      for x in 0..<TextureLayout.side where row[x] > 0 {
        let column = x + TextureLayout.padding
        if distances[column] > Self.unexplained { sum += seen[column] }
      }
    }
    return sum / max(sample.visibleCount, 1)
  }

  /// Follows the light by the median ratios of known, uncovered skin: freely while much of it is
  /// seen, else slowly.
  func updateGain(_ sample: TextureSample, _ scratch: TextureScratch, _ hands: HandCover) {
    let layout = TextureLayout.shared
    for channel in 0..<3 {
      for bin in scratch.ratios[channel].indices { scratch.ratios[channel][bin] = 0 }
    }
    var count: Int32 = 0
    // Every second texel of every second row.
    for y in stride(from: 0, to: TextureLayout.side, by: 2) {
      let (known, covered) = (scratch.known.row(y), cover.row(y))
      let now = (sample.colors.0.row(y), sample.colors.1.row(y), sample.colors.2.row(y))
      let old = (mean.0.row(y), mean.1.row(y), mean.2.row(y))
      for x in stride(from: 0, to: TextureLayout.side, by: 2) {
        let column = x + TextureLayout.padding
        guard known[column] > 0, covered[x] == 0,
          hands.isEmpty || hands.texels.row(y)[column] > Self.handMargin,
          !layout.leftOut.contains(x, y)
        else { continue }
        count += 1
        scratch.ratios[0][Self.bin(now.0[column], old.0[column])] += 1
        scratch.ratios[1][Self.bin(now.1[column], old.1[column])] += 1
        scratch.ratios[2][Self.bin(now.2[column], old.2[column])] += 1
      }
    }
    guard count > 30 else { return }
    let isFree = 4 * Float(count) > 0.35 * sample.visibleCount
    let step: Float = isFree ? 1.3 : 1.01
    for channel in 0..<3 {
      let wanted = Self.median(scratch.ratios[channel], count)
      gain[channel] = min(max(wanted, gain[channel] / step), gain[channel] * step)
    }
  }

  private static let ratioScale: Float = 400

  private static func bin(_ now: Float, _ old: Float) -> Int {
    Int(min(max((now + 4) / (old + 4) * ratioScale, 200), 1000))
  }

  private static func median(_ bins: [Int32], _ count: Int32) -> Float {
    var left = count / 2
    for (bin, own) in bins.enumerated() {
      if own > left { return (Float(bin) + Float(left) / Float(own)) / ratioScale }
      left -= own
    }
    return 1
  }
}
