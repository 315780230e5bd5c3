import Pixels

/// What is before a face when it is first seen, such as a microphone, which the memory must not learn as the face.
///
/// A still face does not tell it from a beard but by three signs: it has another colour than the skin, it comes from
/// below, and the same place of the other half of the face is skin. The skin under it is a guess, the other
/// half's, until it is seen.
extension FaceMemory {
  /// The part of the seen texels that such a thing has, and that of which the other half is skin.
  private static let startShare: ClosedRange<Float> = 0.03...0.25
  private static let minimumOneSided: Float = 0.012
  /// The texels at the outline of the face that may be hair or the background.
  private static let edge = 3
  /// The row of texels from which the outline is the jaw's.
  private static let jaw = 85
  /// The texels by which a thing touches the jaw's outline at least, and the outline above it at most.
  private static let minimumBelow = 12, maximumAbove = 3
  /// The variance of skin that was not seen, of luma, Cb and Cr.
  private static let guessedVariance = SIMD3<Float>(100, 9, 9)

  /// Covers what is before the face in its first picture, and puts the other half's skin in its place.
  func coverStart(_ sample: TextureSample, _ scratch: TextureScratch) {
    guard let median = medianColor(sample.ycc, where: sample.visibility, scratch), median.x > 20
    else { return }
    let skin = SkinColor(median: median)
    self.skin = skin
    let regions = scratch.regions
    markStart(sample, skin, regions)
    let minimum = Int(Self.minimumOneSided * sample.visibleCount)
    let share = Self.startShare
    regions.keepRegions(minimum: Int(share.lowerBound * sample.visibleCount)) { region in
      region.strong > minimum && region.medium >= Self.minimumBelow
        && region.held <= Self.maximumAbove
        && Float(region.count) < share.upperBound * sample.visibleCount
    }
    regions.cover.dilate(radius: Self.edge)
    let (side, things) = (
      TextureLayout.side, regions.cover.intersection(TextureLayout.shared.inside)
    )
    var sum: Float = 0
    for y in 0..<side {
      let (out, seen) = (cover.row(y), sample.visibility.row(y))
      for x in 0..<side {
        if things.contains(x, y) {
          out[x] = 1
          hasGuesses = true
        }
        // Hands may be there too.
        if out[x] > 0 { sum += seen[x + TextureLayout.padding] }
      }
    }
    guard hasGuesses else { return }
    coveredShare = sum / max(sample.visibleCount, 1)
    for y in 0..<side {
      for x in 0..<side where things.contains(x, y) {
        let other = side - 1 - x
        let isKnown = cover.row(y)[other] == 0 && !skin.excludes(color(sample.ycc, other, y))
        guess(x, y, isKnown ? color(sample.colors, other, y) : skin.rgb)
      }
    }
  }

  /// Marks the texels of another colour: as strong where the other half is skin, as medium at the jaw's outline, and
  /// as held at the outline above it.
  private func markStart(
    _ sample: TextureSample, _ skin: SkinColor, _ regions: CoverRegions
  ) {
    let (side, layout) = (TextureLayout.side, TextureLayout.shared)
    regions.removeMarks()
    for y in 0..<side {
      let seen = sample.visibility.row(y)
      for x in 0..<side where layout.isAway(x, y, from: Self.edge) {
        guard seen[x + TextureLayout.padding] > 0.5, skin.excludes(color(sample.ycc, x, y)) else {
          continue
        }
        regions.weak.insert(x, y)
        let other = side - 1 - x
        if seen[other + TextureLayout.padding] > 0.5, !skin.excludes(color(sample.ycc, other, y)) {
          regions.strong.insert(x, y)
        }
        if !layout.isAway(x, y, from: Self.edge + 1) {
          if y > Self.jaw { regions.medium.insert(x, y) } else { regions.held.insert(x, y) }
        }
      }
    }
  }

  /// Replaces guesses where skin is seen, and covers what is no skin before the others.
  func replaceGuesses(_ sample: TextureSample, _ hands: HandCover) {
    guard hasGuesses, let skin else { return }
    hasGuesses = false
    for y in 0..<TextureLayout.side {
      let (guesses, seen, covered) = (isGuess.row(y), sample.visibility.row(y), cover.row(y))
      for x in 0..<TextureLayout.side where guesses[x] > 0 {
        let column = x + TextureLayout.padding
        guard seen[column] > 0.5, hands.isEmpty || hands.texels.row(y)[column] > Self.handMargin,
          isSkinAround(x, y, sample, skin)
        else {
          hasGuesses = true
          if skin.excludes(color(sample.ycc, x, y)) { covered[x] = 1 }
          continue
        }
        covered[x] = 0
        forget(x: x, y: y, sample)
      }
    }
  }

  /// Whether a texel is skin, and not at the edge of something else.
  private func isSkinAround(
    _ x: Int, _ y: Int, _ sample: TextureSample, _ skin: SkinColor
  ) -> Bool {
    let (edge, limit) = (Self.edge, TextureLayout.side - 1)
    for v in stride(from: max(y - edge, 0), through: min(y + edge, limit), by: edge) {
      for u in stride(from: max(x - edge, 0), through: min(x + edge, limit), by: edge)
      where sample.visibility.row(v)[u + TextureLayout.padding] > 0.5 {
        if skin.excludes(color(sample.ycc, u, v)) { return false }
      }
    }
    return true
  }

  /// Takes a colour for that of the face at a texel that is not seen.
  private func guess(_ x: Int, _ y: Int, _ color: SIMD3<Float>) {
    let column = x + TextureLayout.padding
    isGuess.row(y)[x] = 1
    counts.row(y)[column] = Self.minimumCount
    (mean.0.row(y)[column], mean.1.row(y)[column], mean.2.row(y)[column]) = (
      color.x, color.y, color.z
    )
    variance.0.row(y)[column] = Self.guessedVariance.x
    variance.1.row(y)[column] = Self.guessedVariance.y
    variance.2.row(y)[column] = Self.guessedVariance.z
  }

  /// Whether most of the cover is no skin, so that skin in it is the face's.
  func isCoverNotSkin(_ sample: TextureSample) -> Bool {
    guard isCovered, let skin else { return false }
    var (all, others) = (0, 0)
    for y in stride(from: 0, to: TextureLayout.side, by: 2) {
      let covered = cover.row(y)
      for x in stride(from: 0, to: TextureLayout.side, by: 2) where covered[x] > 0 {
        all += 1
        let color = color(sample.ycc, x, y)
        if skin.excludes(color) || skin.isDark(color) { others += 1 }
      }
    }
    return 2 * others > all
  }

  /// The colour of what covers the face; nil if little does.
  func colorOfCover(_ sample: TextureSample, _ scratch: TextureScratch) -> CoverColor? {
    for y in 0..<TextureLayout.side {
      let (out, covered) = (scratch.weight.row(y), cover.row(y))
      for x in 0..<TextureLayout.side { out[x + TextureLayout.padding] = covered[x] > 0 ? 1 : 0 }
    }
    return medianColor(sample.ycc, where: scratch.weight, scratch).map { CoverColor(median: $0) }
  }

  private func color(_ planes: Planes, _ x: Int, _ y: Int) -> SIMD3<Float> {
    let column = x + TextureLayout.padding
    return SIMD3(planes.0.row(y)[column], planes.1.row(y)[column], planes.2.row(y)[column])
  }
}
