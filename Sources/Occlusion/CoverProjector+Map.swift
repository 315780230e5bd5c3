import Faces
import Filters
import Pixels

/// The map of a cover in the picture.
extension CoverProjector {
  /// Writes the filtered probability around the mesh to `map`.
  func write(
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
