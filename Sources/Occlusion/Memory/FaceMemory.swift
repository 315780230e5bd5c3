import Pixels

/// The remembered texture of one face, and which of its texels are covered now.
///
/// Each texel has a mean colour, a variance and the number of pictures they come from. A texel whose
/// surroundings differ from the memory, in this picture's light and under small shifts, is covered
/// if enough others beside it are. Only uncovered texels are learnt.
final class FaceMemory {
  typealias Plane = Grid<Float>
  typealias Planes = (Plane, Plane, Plane)

  let mean = TextureSample.plane3()
  let variance = TextureSample.plane3()
  let counts = TextureSample.plane()
  /// Set where the face is covered.
  let cover = Grid<UInt8>(width: TextureLayout.side, height: TextureLayout.side, of: 0)
  /// For covered texels their colour since they are covered, as luma, Cb and Cr, and for how many
  /// pictures it has been the same.
  let coverColor = TextureSample.plane3()
  let age = Grid<Int16>(width: TextureLayout.side, height: TextureLayout.side, of: 0)

  /// `cover` and `coveredShare` of the last picture.
  private let lastCover = Grid<UInt8>(width: TextureLayout.side, height: TextureLayout.side, of: 0)
  private var lastShare: Float = 0

  /// The part of the seen texels that is covered, 0...1.
  var coveredShare: Float = 0
  /// Whether anything is covered.
  var isCovered: Bool { coveredShare > 0 }
  /// The light of this picture by that of the memory, for red, green and blue.
  var gain = SIMD3<Float>(1, 1, 1)
  var isEmpty = true
  /// The pictures since the face was new, up to a number.
  private(set) var pictures = 0
  /// Whether the face was seen in a few pictures only, and whether in so few that a hand before it from the
  /// beginning may not have been found yet.
  var isYoung: Bool { pictures < Self.youngPictures }
  var isNew: Bool { pictures < Self.newPictures }
  private static let youngPictures = 30, newPictures = 12
  /// Set where the face was not seen, and its colour is a guess.
  let isGuess = Grid<UInt8>(width: TextureLayout.side, height: TextureLayout.side, of: 0)
  var hasGuesses = false
  /// Whether `age` has any other than 0.
  var hasAges = false
  /// The colour of the skin; nil before it was measured.
  var skin: SkinColor?
  /// The poses in which the texture was learnt, and how long a new one has been held.
  var poses: [SIMD2<Float>] = []
  var pendingPose = 0
  /// The distance of this picture's pose from those.
  var novelty: Float = 0
  /// Pictures in a row in which most of the face is covered.
  private var picturesMostlyCovered = 0

  init() { poses.reserveCapacity(Self.maximumPoses) }

  static let maximumPoses = 60
  /// The expected deviation of luma, Cb and Cr, squared.
  private static let baseVariance = SIMD3<Float>(49, 9, 9)
  /// The pictures after which a texel is known.
  static let minimumCount: Float = 6
  static let slowestRate: Float = 0.04
  /// The shifts that are tried both ways, and the cost of each squared texel.
  private static let shift = 2
  private static let shiftPenalty: Float = 0.04
  /// The squared distances from which a texel differs, and differs much.
  private static let weak: Float = 1.4 * 1.4, strong: Float = 3.6 * 3.6
  /// The same where the face was covered in the last picture.
  private static let heldWeak: Float = 1.2 * 1.2, heldStrong: Float = 2.4 * 2.4
  /// The parts of the seen texels that a region has, and that differ much in it; and the part of a
  /// region that was covered, from which it needs less.
  private static let minimumRegion: Float = 0.012, minimumStrong: Float = 0.003
  private static let minimumHeld: Float = 0.25
  /// The texels around one of the eyes or the mouth that tell whether it is covered.
  private static let featureReach = 8
  /// The distance from hands, in millimetres, up to which nothing is learnt.
  static let handMargin: Float = 8
  /// While something covers the face, the squared distance from which a texel may be covered too, and
  /// the weight with which it is learnt.
  static let doubtful: Float = 1.1 * 1.1, doubtfulWeight: Float = 0.05

  /// Forgets the face.
  func reset() {
    isEmpty = true
    for y in 0..<TextureLayout.side {
      counts.row(y).fill(0)
      cover.row(y).fill(0)
      age.row(y).fill(0)
      isGuess.row(y).fill(0)
    }
    (coveredShare, gain, skin, pendingPose) = (0, SIMD3(1, 1, 1), nil, 0)
    (picturesMostlyCovered, hasAges, hasGuesses, pictures) = (0, false, false, 0)
    poses.removeAll(keepingCapacity: true)
  }

  /// Compares the face with the memory, and sets `cover`.
  ///
  /// Leaves the squared distances in `scratch`. Skin under `hands` does not tell the light.
  func compare(_ sample: TextureSample, _ scratch: TextureScratch, hands: HandCover) {
    guard !isEmpty else {
      for y in 0..<TextureLayout.side {
        scratch.distance.row(y).fill(0)
        scratch.known.row(y).fill(0)
      }
      return
    }
    TextureKernels.setKnown(
      scratch.known, counts: counts, visibility: sample.visibility, minimum: Self.minimumCount)
    updateGain(sample, scratch, hands)
    novelty = novelty(of: sample.pose)
    measureDistance(sample, scratch, novelty: novelty)
    lastShare = coveredShare
    if isCovered {
      for y in 0..<TextureLayout.side { lastCover.row(y).copy(cover.row(y)) }
    }
    findCover(sample, scratch)
    updateSkin(sample, scratch)
  }

  /// Learns what is not covered, after `compare`.
  func learn(_ sample: TextureSample, _ scratch: TextureScratch, hands: HandCover) {
    pictures = min(pictures + 1, Self.youngPictures)
    if hands.hasLearntHands { forget(under: hands) }
    if !hands.isEmpty { addCover(of: hands, sample) }
    guard !isEmpty else {
      learnFirst(sample, scratch, hands)
      return
    }
    let isMostlyCovered = coveredShare > 0.6 && hands.isEmpty
    picturesMostlyCovered = isMostlyCovered ? picturesMostlyCovered + 1 : 0
    if picturesMostlyCovered > 15 {
      // Such a face is another one, or the mesh has slipped.
      reset()
      return
    }
    replaceGuesses(sample, hands)
    healCover(sample, scratch, hands)
    if coveredShare < 0.75 { learnBare(sample, scratch, hands) }
  }

  // MARK: Comparison

  /// The distance of a pose from the nearest one that was learnt.
  private func novelty(of pose: SIMD2<Float>) -> Float {
    var nearest = Float.infinity
    for known in poses {
      let difference = pose - known
      nearest = min(nearest, (difference * difference).sum())
    }
    return poses.isEmpty ? 0 : nearest.squareRoot()
  }

  private func measureDistance(
    _ sample: TextureSample, _ scratch: TextureScratch, novelty: Float
  ) {
    // In a pose that was not learnt, differences mean less.
    let factor = 1 + (novelty / 0.1) * (novelty / 0.1)
    TextureKernels.setPrecision(
      scratch.precision, variance: variance, base: Self.baseVariance, factor: factor)
    TextureKernels.convertToYCC(mean, gain: gain, into: scratch.model)
    TextureKernels.invertWeights(
      scratch.known, into: scratch.inverseWeights, scratch: (scratch.errors, scratch.sums))
    for y in 0..<TextureLayout.side { scratch.distance.row(y).fill(1e9) }
    compare(sample, scratch, (0, 0), 0..<TextureLayout.side)
    TextureKernels.multiply(scratch.distance, by: scratch.known, maxima: &scratch.maxima)
    // Only rows with texels that differ are compared under shifts, which can but lower distances.
    var y = 0
    let weak = isCovered ? Self.heldWeak : Self.weak
    while y < TextureLayout.side {
      guard scratch.maxima[y] > weak else {
        y += 1
        continue
      }
      let first = y
      while y < TextureLayout.side, scratch.maxima[y] > weak { y += 1 }
      for dy in [-Self.shift, 0, Self.shift] {
        for dx in [-Self.shift, 0, Self.shift] where dx != 0 || dy != 0 {
          compare(sample, scratch, (dx, dy), first..<y)
        }
      }
    }
    TextureKernels.multiply(scratch.distance, by: scratch.known, maxima: &scratch.maxima)
  }

  private func compare(
    _ sample: TextureSample, _ scratch: TextureScratch, _ shift: (dx: Int, dy: Int),
    _ rows: Range<Int>
  ) {
    TextureKernels.lowerDistance(
      scratch.distance, sample.ycc, scratch.model, scratch.precision, known: scratch.known,
      inverseWeights: scratch.inverseWeights, shift: shift,
      penalty: Self.shiftPenalty * Float(shift.dx * shift.dx + shift.dy * shift.dy), rows: rows,
      scratch: (scratch.errors, scratch.sums))
  }

  /// Finds the cover again, after distances have been changed.
  func findCoverAgain(_ sample: TextureSample, _ scratch: TextureScratch) {
    coveredShare = lastShare
    for y in 0..<TextureLayout.side {
      if lastShare > 0 { cover.row(y).copy(lastCover.row(y)) } else { cover.row(y).fill(0) }
    }
    findCover(sample, scratch)
  }

  private func findCover(_ sample: TextureSample, _ scratch: TextureScratch) {
    let (side, layout, regions) = (TextureLayout.side, TextureLayout.shared, scratch.regions)
    // What is covered already needs less evidence.
    let wasCovered = isCovered
    let weak = wasCovered ? Self.heldWeak : Self.weak
    let minimum = Int(Self.minimumStrong * sample.visibleCount)
    var strong = 0
    regions.removeMarks()
    for y in 0..<side where scratch.maxima[y] > weak {
      let (distance, covered) = (scratch.distance.row(y), cover.row(y))
      var words = (
        weak: TexelSet.Word(0), medium: TexelSet.Word(0), strong: TexelSet.Word(0),
        held: TexelSet.Word(0)
      )
      for x in 0..<side {
        let own = distance[x + TextureLayout.padding]
        guard own > weak else { continue }
        let bit: TexelSet.Word = 1 &<< x
        words.weak |= bit
        if own > Self.heldStrong { words.medium |= bit }
        if own > Self.strong { words.strong |= bit }
        if covered[x] > 0 { words.held |= bit }
      }
      let compared = ~layout.leftOut.rows[y]
      regions.weak.setRow(y, words.weak & compared)
      regions.medium.setRow(y, words.medium & compared)
      regions.strong.setRow(y, words.strong & compared)
      regions.held.setRow(y, words.held & compared)
      strong += ((wasCovered ? words.medium : words.strong) & compared).nonzeroBitCount
    }
    guard strong > minimum else {
      if isCovered { for y in 0..<side { cover.row(y).fill(0) } }
      coveredShare = 0
      return
    }
    regions.keepRegions(minimum: Int(Self.minimumRegion * sample.visibleCount)) { region in
      region.strong > minimum
        || (region.medium > minimum && Float(region.held) > Self.minimumHeld * Float(region.count))
    }
    regions.close(radius: 4)
    coverFeatures(&regions.cover, layout)
    regions.fillHoles(size: Int(0.03 * sample.visibleCount), layout.inside)
    regions.cover.write(to: cover)
    var sum: Float = 0
    for y in 0..<side {
      let seen = sample.visibility.row(y)
      TexelSet.forEachRun(regions.cover.rows[y]) { columns in
        for x in columns { sum += seen[x + TextureLayout.padding] }
      }
    }
    coveredShare = sum / max(sample.visibleCount, 1)
  }

  /// Covers the texels of eyes and mouth of whose surroundings most are covered.
  private func coverFeatures(_ cover: inout TexelSet, _ layout: TextureLayout) {
    let (side, reach) = (TextureLayout.side, Self.featureReach)
    let compared = layout.inside.subtracting(layout.leftOut)
    let covered = cover.intersection(compared)
    let features = layout.leftOut.intersection(layout.inside).subtracting(cover)
    for y in 0..<side where features.rows[y] != 0 {
      let rows = stride(from: max(y - reach, 0), through: min(y + reach, side - 1), by: 2)
      guard rows.contains(where: { covered.rows[$0] != 0 }) else { continue }
      var added: TexelSet.Word = 0
      TexelSet.forEachRun(features.rows[y]) { columns in
        for x in columns {
          let window = TexelSet.word(max(x - reach, 0)..<min(x + reach + 1, side))
          var (own, all) = (0, 0)
          for v in rows {
            own += (covered.rows[v] & window).nonzeroBitCount
            all += (compared.rows[v] & window).nonzeroBitCount
          }
          if 10 * own > 4 * all { added |= 1 &<< x }
        }
      }
      cover.formUnion(added, y)
    }
  }
}
