import Pixels

/// What the memory learns of a picture.
extension FaceMemory {
  /// Covers the texels under hands.
  func addCover(of hands: HandCover, _ sample: TextureSample) {
    var sum: Float = 0
    for y in 0..<TextureLayout.side {
      let (row, seen) = (cover.row(y), sample.visibility.row(y))
      let distances = hands.texels.row(y)
      for x in 0..<TextureLayout.side {
        let column = x + TextureLayout.padding
        if distances[column] < 0 { row[x] = 1 }
        if row[x] > 0 { sum += seen[column] }
      }
    }
    coveredShare = sum / max(sample.visibleCount, 1)
  }

  /// Forgets what is under hands that were learnt with the face, but not what is a guess of the face itself.
  func forget(under hands: HandCover) {
    for y in 0..<TextureLayout.side {
      let (row, distances) = (counts.row(y), hands.texels.row(y))
      let guesses = isGuess.row(y)
      for x in 0..<TextureLayout.side {
        let column = x + TextureLayout.padding
        if distances[column] < Self.handMargin, guesses[x] == 0 { row[column] = 0 }
      }
    }
  }

  func learnFirst(
    _ sample: TextureSample, _ scratch: TextureScratch, _ hands: HandCover
  ) {
    isEmpty = false
    for y in 0..<TextureLayout.side {
      variance.0.row(y).fill(0)
      variance.1.row(y).fill(0)
      variance.2.row(y).fill(0)
    }
    var weight = sample.visibility
    if !hands.isEmpty {
      weight = scratch.weight
      for y in 0..<TextureLayout.side {
        let (out, seen, distances) = (
          weight.row(y), sample.visibility.row(y), hands.texels.row(y)
        )
        for x in 0..<out.count { out[x] = distances[x] < Self.handMargin ? 0 : seen[x] }
      }
    }
    TextureKernels.learn(
      (sample.colors, sample.ycc), weight: weight, gain: gain,
      slowest: Self.slowestRate, mean: mean, variance: variance, counts: counts)
    poses.append(sample.pose)
    coverStart(sample, scratch)
  }

  func learnBare(
    _ sample: TextureSample, _ scratch: TextureScratch, _ hands: HandCover
  ) {
    if novelty > 0.05, poses.count < Self.maximumPoses {
      pendingPose += 1
      // A pose that passes is not learnt.
      if pendingPose >= 3 {
        poses.append(sample.pose)
        pendingPose = 0
      }
    } else {
      pendingPose = 0
    }
    var weight = sample.visibility
    if isCovered || !hands.isEmpty {
      weight = scratch.weight
      var nearCover = TexelSet()
      for y in 0..<TextureLayout.side {
        let (covered, distances) = (cover.row(y), hands.texels.row(y))
        var word: TexelSet.Word = 0
        for x in 0..<TextureLayout.side {
          let isNearHand = !hands.isEmpty && distances[x + TextureLayout.padding] < Self.handMargin
          if covered[x] > 0 || isNearHand { word |= 1 &<< x }
        }
        nearCover.setRow(y, word)
      }
      // What is beside a cover may be its edge or its shadow.
      nearCover.dilate(radius: 3)
      for y in 0..<TextureLayout.side {
        let (out, seen) = (weight.row(y), sample.visibility.row(y))
        let distance = scratch.distance.row(y)
        for x in 0..<TextureLayout.side {
          let column = x + TextureLayout.padding
          let isDoubtful = distance[column] > Self.doubtful
          out[column] =
            nearCover.contains(x, y)
            ? 0 : isDoubtful ? seen[column] * Self.doubtfulWeight : seen[column]
        }
      }
    }
    TextureKernels.learn(
      (sample.colors, sample.ycc), weight: weight, gain: gain, slowest: Self.slowestRate,
      mean: mean, variance: variance, counts: counts)
  }
}
