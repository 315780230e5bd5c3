import Faces
import Pixels

/// How far each cell and each texel of a face is from the hands before it, in millimetres at the hand;
/// negative inside.
///
/// Keeps its memory from face to face.
final class HandCover {
  /// The hands before one face at most.
  private static let maximumHands = 3
  /// What is farther than this is not measured.
  static let reach: Float = 45
  static let far: Float = 99
  /// The depth from which skin must look covered, the distance that means so, the part of it that must,
  /// and the part of the face from which that can be judged.
  private static let depth: Float = -2, different: Float = 1.6 * 1.6, minimumDifferent: Float = 0.3
  private static let minimumKnown: Float = 0.004
  /// The score from which a hand is believed without that, and the number of its points that must lie
  /// inside the face: its arm, whose direction is a guess, says nothing there.
  private static let certainScore = 0.8, minimumInside = 2
  /// The same for a hand under which a face looks as ever that has been known for a few pictures only: the
  /// hand may have been learnt with it.
  private static let surestScore = 0.9, manyInside = 5

  private final class Slot {
    let cells = Grid<Float>(width: FaceCrop.side, height: FaceCrop.side, of: far)
    let texels = TextureSample.plane()
    var number = 0
    var score = 0.0
    /// The number of its points inside the face's oval.
    var pointsInside = 0
    /// Whether the memory has learnt it as the face.
    var isLearnt = false
  }

  /// The distances from all hands before the face.
  let cells = Grid<Float>(width: FaceCrop.side, height: FaceCrop.side, of: far)
  let texels = TextureSample.plane()
  private var slots: [Slot] = []
  private var count = 0
  private var shape = HandShape()

  /// Whether a hand is at the face.
  var isEmpty: Bool { count == 0 }

  func removeAll() { count = 0 }

  /// Adds a hand, by its number, if it is at the face of the sample.
  func add(_ hand: Hand, _ number: Int, _ sample: TextureSample, _ crop: FaceCrop) {
    guard count < Self.maximumHands, hand.isUsable else { return }
    shape.set(hand, crop)
    guard shape.cellsPerMetre > 1 else { return }
    if slots.count <= count { slots.append(Slot()) }
    let slot = slots[count]
    for y in 0..<crop.rows { slot.cells.row(y).fill(Self.far) }
    let (scale, reach) = (1000 / shape.cellsPerMetre, Self.reach / 1000 * shape.cellsPerMetre)
    for cone in shape.cones {
      HandKernels.lowerDistance(
        slot.cells, cone, scale: scale, reach: reach, rows: crop.rows)
    }
    HandKernels.lowerInside(
      slot.cells, shape.hull, depth: -1000 * HandShape.hullDepth, rows: crop.rows)
    guard readTexels(slot, sample, crop) < Self.reach else { return }
    (slot.number, slot.score, slot.isLearnt) = (number, hand.score, false)
    slot.pointsInside = hand.points.indices.count { sample.hasInside(crop.cell(hand.points[$0])) }
    count += 1
  }

  /// Sets the distances of the texels; returns the least.
  private func readTexels(_ slot: Slot, _ sample: TextureSample, _ crop: FaceCrop) -> Float {
    for y in 0..<TextureLayout.side { slot.texels.row(y).fill(Self.far) }
    let (rows, cells) = (slot.texels.rows, slot.cells.rows)
    let limit = SIMD2(Float(crop.columns - 1), Float(crop.rows - 1))
    var least = Self.far
    sample.forEachTexel { row, column, position in
      let place = pointwiseMin(pointwiseMax(position, .zero), limit)
      let value = cells.row(Int(place.y + 0.5))[Int(place.x + 0.5)]
      rows.row(row)[column] = value
      least = min(least, value)
    }
    return least
  }

  /// Drops hands under which the face looks as ever: they are none, or behind the head.
  ///
  /// `scratch` has the distances of the texels from the memory, which is young if it began a few pictures
  /// ago.
  func dropFalseHands(_ sample: TextureSample, _ scratch: TextureScratch, isYoung: Bool) {
    var kept = 0
    for index in 0..<count where isCredible(slots[index], sample, scratch, isYoung) {
      slots.swapAt(kept, index)
      kept += 1
    }
    count = kept
  }

  private func isCredible(
    _ slot: Slot, _ sample: TextureSample, _ scratch: TextureScratch, _ isYoung: Bool
  ) -> Bool {
    var (known, different): (Float, Float) = (0, 0)
    for y in 0..<TextureLayout.side {
      let (own, certain) = (slot.texels.row(y), scratch.known.row(y))
      let distance = scratch.distance.row(y)
      for x in TextureLayout.padding..<TextureLayout.padding + TextureLayout.side
      where own[x] < Self.depth && certain[x] > 0 {
        known += 1
        if distance[x] > Self.different { different += 1 }
      }
    }
    guard known >= Self.minimumKnown * sample.visibleCount, known > 0 else {
      return slot.score >= Self.certainScore && slot.pointsInside >= Self.minimumInside
    }
    if different > Self.minimumDifferent * known { return true }
    slot.isLearnt =
      isYoung && slot.score >= Self.surestScore && slot.pointsInside >= Self.manyInside
    return slot.isLearnt
  }

  /// Whether a hand has been learnt as the face.
  var hasLearntHands: Bool { (0..<count).contains { slots[$0].isLearnt } }

  /// Sets `cells` and `texels` from all hands.
  func combine(_ crop: FaceCrop) {
    guard count > 0 else { return }
    for index in 0..<count {
      let slot = slots[index]
      Self.merge(slot.cells, into: cells, rows: crop.rows, isFirst: index == 0)
      Self.merge(slot.texels, into: texels, rows: TextureLayout.side, isFirst: index == 0)
    }
  }

  private static func merge(
    _ own: Grid<Float>, into all: Grid<Float>, rows: Int, isFirst: Bool
  ) {
    for y in 0..<rows {
      let (from, to) = (own.row(y), all.row(y))
      if isFirst {
        to.copy(from)
      } else {
        for x in 0..<min(from.count, to.count) { to[x] = min(to[x], from[x]) }
      }
    }
  }

  /// Calls `body` with the number of each hand.
  func forEachNumber(_ body: (Int) -> Void) {
    for index in 0..<count { body(slots[index].number) }
  }
}
