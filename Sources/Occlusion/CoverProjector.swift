import Faces
import Filters
import Glibc
import Pixels
import Threads

/// Carries the cover of a face's texture to the picture, and aligns it with the picture's edges.
///
/// Keeps its memory from face to face.
final class CoverProjector {
  private static let side = FaceCrop.side

  /// Distance and cover of texels, and how certain they are.
  private let distance = TextureSample.plane()
  private let cover = TextureSample.plane()
  private let certainty = TextureSample.plane()
  private let coverCertainty = TextureSample.plane()
  /// The same for cells of the crop.
  private let cellDistance = Grid<Float>(width: side, height: side, of: 0)
  private let cellCover = Grid<Float>(width: side, height: side, of: 0)
  private let cellKnown = Grid<Float>(width: side, height: side, of: 0)
  private let cellCoverKnown = Grid<Float>(width: side, height: side, of: 0)
  /// Set where another face is nearer to the camera.
  private let cellNearer = Grid<UInt8>(width: side, height: side, of: 0)
  private var hasNearer = false
  private let textureFill = UnknownFill(width: TextureLayout.side, height: TextureLayout.side)
  private let cellFill = UnknownFill(width: side, height: side)
  /// The probability of a cover in 1/4096.
  private let probability = Grid<Int16>(width: side, height: side, of: 0)
  /// Regularization: 1e-3 of the squared code range.
  private let filter = GuidedFilter(columns: side, rows: side, epsilon: 65)
  private let runner = ThreadPool(threads: 1)

  /// The evidence, a logarithm of odds, of a cell whose texel is called covered, and of one that is
  /// not.
  private static let covered: Float = 1.2, bare: Float = -5.2
  /// The evidence of a nearer face.
  private static let nearer: Float = 4
  /// The evidence of each unit of distance beyond a threshold, and its limit.
  private static let distanceGain: Float = 0.8, threshold: Float = 2.6, limit: Float = 4
  /// The margin around the mesh in its size.
  private static let margin: Float = 0.12

  /// Sets `map` to the cover in the picture, by the memory and by nearer faces; it is empty if there
  /// is none.
  func project(
    _ memory: FaceMemory, _ sample: TextureSample, _ scratch: TextureScratch, _ crop: FaceCrop,
    nearer: inout NearerFaces, width: Int, height: Int, into map: inout CoverMap
  ) {
    map.clear()
    hasNearer = nearer.mark(cellNearer, crop)
    guard memory.isCovered || hasNearer else { return }
    prepareTexture(memory, sample, scratch)
    rasterize(sample, crop)
    if hasNearer { hasNearer = isNearerCredible(crop) }
    cellFill.fill(cellDistance, cellKnown, offset: 0)
    cellFill.fill(cellCover, cellCoverKnown, offset: 0)
    guard setProbability(crop) else { return }
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
        let (column, index) = (x + TextureLayout.padding, y * side + x)
        out[column] = max(squares[column], 0).squareRoot()
        weight[column] = known[column] > 0 && !layout.isLeftOut[index] ? 1 : 0
        target[column] = Float(mask[x])
        targetWeight[column] = layout.isInside[index] ? 1 : 0
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

  /// Sets the probability of each cell; false if none is likely to be covered.
  private func setProbability(_ crop: FaceCrop) -> Bool {
    var highest: Float = 0
    for y in 0..<Self.side {
      let (out, distance, known) = (probability.row(y), cellDistance.row(y), cellKnown.row(y))
      let (cover, coverKnown) = (cellCover.row(y), cellCoverKnown.row(y))
      let others = cellNearer.row(y)
      out.fill(0)
      guard y < crop.rows else { continue }
      for x in 0..<crop.columns {
        let evidence = min(
          max(Self.distanceGain * (distance[x] - Self.threshold), -Self.limit), Self.limit)
        let alpha = cover[x] * coverKnown[x]
        var odds = Self.bare + (Self.covered - Self.bare) * alpha + evidence * known[x]
        if hasNearer, others[x] > 0 { odds = max(odds, Self.nearer) }
        guard odds > -5 else { continue }
        let value = 1 / (1 + expf(-odds))
        highest = max(highest, value)
        out[x] = Int16(truncatingIfNeeded: nearest(value * 4096))
      }
    }
    return highest > 0.2
  }

  /// Writes the filtered probability around the mesh to `map`.
  private func write(
    _ sample: TextureSample, _ crop: FaceCrop, _ width: Int, _ height: Int, _ map: inout CoverMap
  ) {
    var (low, high) = (sample.points[0], sample.points[0])
    for point in sample.points {
      low = pointwiseMin(low, point)
      high = pointwiseMax(high, point)
    }
    let margin = (high - low) * Self.margin
    (low, high) = (low - margin, high + margin)
    let columns = FaceCrop.cells(from: Double(low.x), to: Double(high.x), limit: crop.columns)
    let rows = FaceCrop.cells(from: Double(low.y), to: Double(high.y), limit: crop.rows)
    guard !columns.isEmpty, !rows.isEmpty else { return }
    let slopes = filter.coefficients
    var most: UInt8 = 0
    for y in rows {
      let (a, b, c) = (crop.guide.0.row(y), crop.guide.1.row(y), crop.guide.2.row(y))
      let (m0, m1, m2, offset) = (
        slopes[0].row(y), slopes[1].row(y), slopes[2].row(y), slopes[3].row(y)
      )
      for x in columns {
        let filtered =
          m0[x] * Float(a[x] + 128) + m1[x] * Float(b[x] + 128) + m2[x] * Float(c[x] + 128)
          + offset[x]
        let byte = nearestByte((filtered - 0.3) / 0.4 * 255)
        most = max(most, byte)
        map.alpha.append(byte)
      }
    }
    guard most > 0 else {
      map.clear()
      return
    }
    (map.width, map.height) = (columns.count, rows.count)
    let size = Double(crop.step)
    map.region = Rectangle(
      x: (Double(crop.x) + Double(columns.lowerBound) * size) / Double(width),
      y: (Double(crop.y) + Double(rows.lowerBound) * size) / Double(height),
      width: Double(columns.count) * size / Double(width),
      height: Double(rows.count) * size / Double(height))
  }
}
