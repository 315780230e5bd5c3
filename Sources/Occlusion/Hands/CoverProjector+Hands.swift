import Pixels

/// The cover of a face before which hands are.
extension CoverProjector {
  /// The evidence of a place far from hands, of each millimetre of distance from a hand's outline, and
  /// the limit of the latter.
  private static let base: Float = -2.2, outlineGain: Float = 0.6, outlineLimit: Float = 5
  /// How far outside the shape of cones a hand's outline is, in millimetres.
  private static let outline: Float = 1.25
  /// The distances in millimetres from which a hand's shape begins to say nothing, and over which it ends.
  private static let farBegin: Float = 12, farLength: Float = 30
  /// The evidence of each unit of distance of the texture, its factor near hands, and deep in them.
  private static let textureGain: Float = 1.1, nearFactor: Float = 0.6, insideFactor: Float = 0.35
  private static let deep: Float = -4
  /// The texture's distance that tells nothing near a hand, whose skin is much like the face's; and the
  /// factor of evidence for the bare face up to two millimetres from the outline, as such skin hides a hand.
  private static let skinThreshold: Float = 1.6, bareFactor: Float = 0.3, bareReach: Float = 2
  /// The evidence of a texel far from hands that is called bare.
  private static let bareFar: Float = -1.5
  /// The radius of windows for colours, in widths of the face.
  private static let colorRadius: Float = 0.07

  /// Sets the probability of each cell by the texture, the shapes of hands and the colours beside their
  /// outlines; false if none is likely to be covered.
  func setProbability(
    _ crop: FaceCrop, _ hands: HandCover, _ memory: FaceMemory, faceWidth: Float
  ) -> Bool {
    for y in 0..<crop.rows {
      let (out, distance, known) = (odds.row(y), cellDistance.row(y), cellKnown.row(y))
      let (cover, coverKnown) = (cellCover.row(y), cellCoverKnown.row(y))
      let (hand, colors) = (hands.cells.row(y), crop.colors.row(y))
      for x in 0..<crop.columns {
        let d = hand[x] - Self.outline
        let far = min(max((d - Self.farBegin) / Self.farLength, 0), 1)
        let shape = min(max(-Self.outlineGain * d, -Self.outlineLimit), Self.outlineLimit)
        let threshold = d < Self.farBegin ? Self.skinThreshold : Self.threshold
        var evidence = min(max(Self.textureGain * (distance[x] - threshold), -4), 4) * known[x]
        if d < Self.deep { evidence *= Self.insideFactor }
        if d < Self.bareReach, evidence < 0 { evidence *= Self.bareFactor }
        var own = shape * (1 - far) + Self.base * far
        own += evidence * (Self.nearFactor + (1 - Self.nearFactor) * far)
        let share = cover[x] * coverKnown[x]
        if share < 0.5 {
          own += Self.bareFar * far
        } else if let skin = memory.skin, skin.excludes(SkinColor.ycc(colors[x])) {
          // What a hand holds.
          own = max(own, Self.odds(distance[x], known[x], cover: share))
        }
        out[x] = own
      }
    }
    sideColors.measure(
      crop, distance: hands.cells, odds: odds,
      radius: max(3, Int(Self.colorRadius * faceWidth + 0.5)))
    return setProbabilityOfOdds(crop, hands)
  }

  private func setProbabilityOfOdds(_ crop: FaceCrop, _ hands: HandCover) -> Bool {
    var highest: Int16 = 0
    for y in 0..<Self.side {
      let out = probability.row(y)
      out.fill(0)
      guard y < crop.rows else { continue }
      let (row, hand, colors) = (odds.row(y), hands.cells.row(y), crop.colors.row(y))
      let others = cellNearer.row(y)
      for x in 0..<crop.columns {
        var own = row[x]
        if abs(hand[x]) < 20 {
          own += sideColors.evidence(x: x, y: y, colors[x], distance: hand[x])
        }
        out[x] = code(own, isNearer: others[x] > 0)
        highest = max(highest, out[x])
      }
    }
    return highest > Self.unlikely
  }
}
