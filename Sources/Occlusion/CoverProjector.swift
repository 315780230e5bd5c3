import Faces
import Filters
import Glibc
import Pixels
import Threads

/// Carries the cover of a face's texture to the picture, and aligns it with the picture's edges.
///
/// Keeps its memory from face to face.
final class CoverProjector {
  static let side = FaceCrop.side

  /// Distance and cover of texels, and how certain they are.
  private let distance = TextureSample.plane()
  private let cover = TextureSample.plane()
  private let certainty = TextureSample.plane()
  private let coverCertainty = TextureSample.plane()
  /// The same for cells of the crop.
  let cellDistance = Grid<Float>(width: side, height: side, of: 0)
  let cellCover = Grid<Float>(width: side, height: side, of: 0)
  let cellKnown = Grid<Float>(width: side, height: side, of: 0)
  let cellCoverKnown = Grid<Float>(width: side, height: side, of: 0)
  /// Set where another face is nearer to the camera.
  let cellNearer = Grid<UInt8>(width: side, height: side, of: 0)
  var hasNearer = false
  /// The logarithm of the odds of a cover, while hands are near.
  let odds = Grid<Float>(width: side, height: side, of: 0)
  let sideColors = SideColors()
  private let textureFill = UnknownFill(width: TextureLayout.side, height: TextureLayout.side)
  private let cellFill = UnknownFill(width: side, height: side)
  /// The probability of a cover in 1/4096.
  let probability = Grid<Int16>(width: side, height: side, of: 0)
  /// Regularization: 1e-3 of the squared code range.
  let filter = GuidedFilter(columns: side, rows: side, epsilon: 65)
  private let runner = ThreadPool(threads: 1)

  /// The evidence, a logarithm of odds, of a cell whose texel is called covered, and of one that is
  /// not.
  private static let covered: Float = 1.2, bare: Float = -5.2
  /// The evidence of a nearer face.
  static let nearer: Float = 4
  /// The evidence of each unit of distance beyond a threshold, and its limit.
  static let distanceGain: Float = 0.8, threshold: Float = 2.6, limit: Float = 4
  /// The evidence of the skin's colour, and of the cover's, where the cover is no skin.
  private static let skinEvidence: Float = -5, thingEvidence: Float = 5
  /// The logarithm of odds up to which a cell is bare, and the probability up to which no cell is covered.
  private static let negligible: Float = -5
  static let unlikely: Int16 = 819
  /// The margin around the mesh in its size.
  static let margin: Float = 0.12

  /// Sets `map` to the cover in the picture, by the memory, by hands and by nearer faces; it is empty if
  /// there is none.
  func project(
    _ memory: FaceMemory, _ sample: TextureSample, _ scratch: TextureScratch, _ crop: FaceCrop,
    hands: HandCover, nearer: inout NearerFaces, width: Int, height: Int, into map: inout CoverMap
  ) {
    map.clear()
    hasNearer = nearer.mark(cellNearer, crop)
    guard memory.isCovered || hasNearer || !hands.isEmpty else { return }
    prepareTexture(memory, sample, scratch)
    rasterize(sample, crop)
    if hasNearer { hasNearer = isNearerCredible(crop) }
    cellFill.fill(cellDistance, cellKnown, offset: 0)
    cellFill.fill(cellCover, cellCoverKnown, offset: 0)
    let isLikely =
      hands.isEmpty
      ? setProbability(crop, memory, sample, scratch)
      : setProbability(crop, hands, memory, faceWidth: sample.width)
    guard isLikely else { return }
    filter.compute(crop.guide, probability, offset: 0, scale: 1, runner: runner)
    write(sample, crop, width, height, &map)
  }

  /// Fills in distances and cover where texels are not compared.
  private func prepareTexture(
    _ memory: FaceMemory, _ sample: TextureSample, _ scratch: TextureScratch
  ) {
    let (side, layout) = (TextureLayout.side, TextureLayout.shared)
    for y in 0..<side {
      let (squares, known) = (scratch.distance.row(y), scratch.known.row(y))
      let (out, weight) = (distance.row(y), certainty.row(y))
      let (mask, target, targetWeight) = (memory.cover.row(y), cover.row(y), coverCertainty.row(y))
      for x in 0..<side {
        let column = x + TextureLayout.padding
        out[column] = max(squares[column], 0).squareRoot()
        weight[column] = known[column] > 0 && !layout.leftOut.contains(x, y) ? 1 : 0
        target[column] = Float(mask[x])
        targetWeight[column] = layout.inside.contains(x, y) ? 1 : 0
      }
    }
    textureFill.fill(distance, certainty, offset: TextureLayout.padding)
    textureFill.fill(cover, coverCertainty, offset: TextureLayout.padding)
  }

  /// Samples the texture at the cells inside the mesh.
  private func rasterize(_ sample: TextureSample, _ crop: FaceCrop) {
    for y in 0..<Self.side {
      cellKnown.row(y).fill(0)
      cellCoverKnown.row(y).fill(0)
      cellDistance.row(y).fill(0)
      cellCover.row(y).fill(0)
    }
    let layout = TextureLayout.shared
    for (number, triangle) in layout.triangles.enumerated() where sample.isFront[number] {
      let corners = (
        layout.points[triangle.a], layout.points[triangle.b], layout.points[triangle.c]
      )
      TextureLayout.forEachInside(
        sample.points[triangle.a], sample.points[triangle.b], sample.points[triangle.c], Self.side
      ) { x, y, wb, wc in
        let texel = corners.0 + (corners.1 - corners.0) * wb + (corners.2 - corners.0) * wc
        let column = min(max(texel.x, 0), Float(TextureLayout.side - 1))
        let row = min(max(texel.y, 0), Float(TextureLayout.side - 1))
        let (left, top) = (Int(column), Int(row))
        let (weightX, weightY) = (column - Float(left), row - Float(top))
        let below = min(top + 1, TextureLayout.side - 1)
        func sampled(_ plane: Grid<Float>) -> Float {
          // The padding at the right end holds zeros.
          let start = left + TextureLayout.padding
          let (a, b) = (plane.row(top), plane.row(below))
          let upper = a[start] + (a[start + 1] - a[start]) * weightX
          let lower = b[start] + (b[start + 1] - b[start]) * weightX
          return upper + (lower - upper) * weightY
        }
        cellDistance.row(y)[x] = sampled(distance)
        cellCover.row(y)[x] = sampled(cover)
        cellKnown.row(y)[x] = min(sampled(certainty), 0.999)
        cellCoverKnown.row(y)[x] = 1
      }
    }
    // Cells inside the mesh keep their certainty; those outside get it from beside.
    for y in 0..<Self.side {
      let (known, inside) = (cellKnown.row(y), cellCoverKnown.row(y))
      for x in 0..<Self.side where inside[x] > 0 && known[x] > 0.05 { known[x] = 1 }
    }
  }

  /// Whether known skin where another face is nearer looks covered, or is not known.
  private func isNearerCredible(_ crop: FaceCrop) -> Bool {
    var (known, different) = (0, 0)
    for y in 0..<crop.rows {
      let (others, distance) = (cellNearer.row(y), cellDistance.row(y))
      let (certainty, inside) = (cellKnown.row(y), cellCoverKnown.row(y))
      for x in 0..<crop.columns where others[x] > 0 && inside[x] > 0 && certainty[x] > 0.5 {
        known += 1
        if distance[x] > 1.6 { different += 1 }
      }
    }
    return known < 30 || 10 * different > 3 * known
  }

  /// The probability in 1/4096 of a cell by the logarithm of its odds; `isNearer` if a nearer face is there.
  func code(_ odds: Float, isNearer: Bool) -> Int16 {
    let odds = hasNearer && isNearer ? max(odds, Self.nearer) : odds
    guard odds > Self.negligible else { return 0 }
    return Int16(truncatingIfNeeded: nearest(4096 / (1 + expf(-odds))))
  }

  /// The logarithm of the odds of a cover, by the texture alone.
  static func odds(_ distance: Float, _ known: Float, cover: Float) -> Float {
    let evidence = min(max(distanceGain * (distance - threshold), -limit), limit)
    return bare + (covered - bare) * cover + evidence * known
  }

  /// Sets the probability of each cell; false if none is likely to be covered.
  private func setProbability(
    _ crop: FaceCrop, _ memory: FaceMemory, _ sample: TextureSample, _ scratch: TextureScratch
  ) -> Bool {
    var highest: Int16 = 0
    // Where the cover is no skin, colours tell it from the face: strands of hair, and what is held.
    let skin = memory.isCoverNotSkin(sample) ? memory.skin : nil
    let thing = skin == nil ? nil : memory.colorOfCover(sample, scratch)
    for y in 0..<Self.side {
      let (out, distance, known) = (probability.row(y), cellDistance.row(y), cellKnown.row(y))
      let (cover, coverKnown) = (cellCover.row(y), cellCoverKnown.row(y))
      let (others, colors) = (cellNearer.row(y), crop.colors.row(y))
      out.fill(0)
      guard y < crop.rows else { continue }
      for x in 0..<crop.columns {
        var odds = Self.odds(distance[x], known[x], cover: cover[x] * coverKnown[x])
        if odds > Self.negligible, let skin {
          let color = SkinColor.ycc(colors[x])
          if skin.isLikely(color) {
            odds += Self.skinEvidence
          } else if thing?.isLikely(color) == true {
            odds += Self.thingEvidence
          }
        }
        out[x] = code(odds, isNearer: others[x] > 0)
        highest = max(highest, out[x])
      }
    }
    return highest > Self.unlikely
  }
}
