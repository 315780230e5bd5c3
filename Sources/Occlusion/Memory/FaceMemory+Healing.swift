import Pixels

/// What is called covered but moves with the face is the face: it is learnt anew.
extension FaceMemory {
  /// The pictures after which a cover that does not move on the face is learnt: where skin appears in
  /// place of something else that was learnt, as when a film began under a cover; where skin is before
  /// skin, which may be a hand that rests; and where something else is.
  private static let skinAge: Int16 = 25, handAge: Int16 = 120, thingAge: Int16 = 250
  private static let colorRate: Float = 0.15

  /// Measures the colour of the skin.
  func updateSkin(_ sample: TextureSample, _ scratch: TextureScratch) {
    guard isCovered, skin == nil else { return }
    skin = medianColor(scratch.model, where: scratch.known, scratch).map { SkinColor(median: $0) }
  }

  /// The medians of luma, Cb and Cr of every fourth texel whose weight is over a half; nil if they are few.
  func medianColor(_ ycc: Planes, where weight: Plane, _ scratch: TextureScratch) -> SIMD3<Float>? {
    let layout = TextureLayout.shared
    for channel in 0..<3 {
      for bin in scratch.ratios[channel].indices { scratch.ratios[channel][bin] = 0 }
    }
    var count: Int32 = 0
    for y in stride(from: 0, to: TextureLayout.side, by: 2) {
      let weights = weight.row(y)
      let (luma, cb, cr) = (ycc.0.row(y), ycc.1.row(y), ycc.2.row(y))
      for x in stride(from: 0, to: TextureLayout.side, by: 2) {
        let column = x + TextureLayout.padding
        guard weights[column] > 0.5, !layout.leftOut.contains(x, y) else { continue }
        count += 1
        scratch.ratios[0][Int(min(max(luma[column], 0), 255) * 4)] += 1
        scratch.ratios[1][Int((min(max(cb[column], -127), 127) + 127) * 4)] += 1
        scratch.ratios[2][Int((min(max(cr[column], -127), 127) + 127) * 4)] += 1
      }
    }
    guard count > 50 else { return nil }
    func median(_ bins: [Int32]) -> Float {
      var left = count / 2
      for (bin, own) in bins.enumerated() {
        if own > left { return Float(bin) / 4 }
        left -= own
      }
      return 0
    }
    return SIMD3(
      median(scratch.ratios[0]), median(scratch.ratios[1]) - 127, median(scratch.ratios[2]) - 127)
  }

  /// Counts for how long each covered texel has looked the same, and forgets those that have for
  /// long, so that they are learnt as they look.
  func healCover(_ sample: TextureSample, _ scratch: TextureScratch, _ hands: HandCover) {
    guard isCovered || hasAges else { return }
    hasAges = false
    let side = TextureLayout.side
    for y in 0..<side {
      let (covered, ages, seen) = (cover.row(y), age.row(y), sample.visibility.row(y))
      for x in 0..<side {
        guard covered[x] > 0 else {
          ages[x] = max(ages[x] - 3, 0)
          continue
        }
        let column = x + TextureLayout.padding
        let now = SIMD3(
          sample.ycc.0.row(y)[column], sample.ycc.1.row(y)[column], sample.ycc.2.row(y)[column])
        let old = SIMD3(
          coverColor.0.row(y)[column], coverColor.1.row(y)[column], coverColor.2.row(y)[column])
        let difference = (now - old) * SIMD3(1 / 7, 1 / 3, 1 / 3)
        let isSame = ages[x] > 0 && (difference * difference).sum() < 2.25
        let mixed = ages[x] > 0 ? old + (now - old) * Self.colorRate : now
        coverColor.0.row(y)[column] = mixed.x
        coverColor.1.row(y)[column] = mixed.y
        coverColor.2.row(y)[column] = mixed.z
        guard seen[column] > 0.5 else { continue }
        // A hand that rests is none the less a hand.
        guard hands.isEmpty || hands.texels.row(y)[column] > Self.handMargin else {
          ages[x] = 1
          continue
        }
        hasAges = true
        ages[x] = isSame || ages[x] == 0 ? min(ages[x] + 1, 1000) : max(ages[x] - 3, 1)
        guard ages[x] > Self.skinAge else { continue }
        var limit = Self.thingAge
        if let skin, skin.isNear(now) {
          let memory = SIMD3(
            scratch.model.0.row(y)[column], scratch.model.1.row(y)[column],
            scratch.model.2.row(y)[column])
          limit = skin.isNear(memory) ? Self.handAge : Self.skinAge
        }
        guard ages[x] > limit else { continue }
        ages[x] = 0
        covered[x] = 0
        forget(x: x, y: y, sample)
      }
    }
  }

  /// The factor of squared distances of skin that is no hand's, and the distance from hands in
  /// millimetres from which it is none.
  private static let skinFactor: Float = 0.4, skinReach: Float = 30

  /// Lowers the distances of what looks like skin and is away from the hands that were found, and finds
  /// the cover anew.
  ///
  /// Such skin is rather the face itself, with another expression or in another pose.
  func discountSkin(_ sample: TextureSample, _ scratch: TextureScratch, hands: HandCover) {
    // What was learnt of a new face may be a cover itself.
    guard isCovered, !isEmpty, !isYoung, let skin else { return }
    for y in 0..<TextureLayout.side where scratch.maxima[y] > 1 {
      let (distance, away) = (scratch.distance.row(y), hands.texels.row(y))
      let (luma, cb, cr) = (sample.ycc.0.row(y), sample.ycc.1.row(y), sample.ycc.2.row(y))
      for x in TextureLayout.padding..<TextureLayout.padding + TextureLayout.side
      where distance[x] > 1 && (hands.isEmpty || away[x] > Self.skinReach) {
        if skin.isNear(SIMD3(luma[x], cb[x], cr[x])) { distance[x] *= Self.skinFactor }
      }
    }
    findCoverAgain(sample, scratch)
  }

  /// Replaces a texel of the memory by what is seen.
  func forget(x: Int, y: Int, _ sample: TextureSample) {
    let column = x + TextureLayout.padding
    isGuess.row(y)[x] = 0
    counts.row(y)[column] = 0
    mean.0.row(y)[column] = sample.colors.0.row(y)[column] / gain.x
    mean.1.row(y)[column] = sample.colors.1.row(y)[column] / gain.y
    mean.2.row(y)[column] = sample.colors.2.row(y)[column] / gain.z
    variance.0.row(y)[column] = 0
    variance.1.row(y)[column] = 0
    variance.2.row(y)[column] = 0
  }
}
