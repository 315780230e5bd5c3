import Pixels

/// The loops over cells around hands, eight at a time.
enum HandKernels {
  typealias Plane = Grid<Float>
  private typealias Lanes = SIMD8<Float>
  private static let steps = Lanes(0, 1, 2, 3, 4, 5, 6, 7)

  /// Lowers `distance` to the distance from a cone, negative inside, times `scale`, for the cells whose
  /// distance from it is below `reach` cells.
  @inline(never)
  static func lowerDistance(
    _ distance: Plane, _ cone: HandShape.Cone, scale: Float, reach: Float, rows: Int
  ) {
    let radius = max(cone.radiusA, cone.radiusB) + reach
    let low = pointwiseMin(cone.a, cone.b) - radius
    let high = pointwiseMax(cone.a, cone.b) + radius
    let columns = range(low.x, high.x, distance.width)
    guard !columns.isEmpty else { return }
    let axis = cone.b - cone.a
    let squared = max((axis * axis).sum(), 1e-6)
    let along = axis / squared
    let growth = cone.radiusB - cone.radiusA
    let first = columns.lowerBound & ~7
    for y in range(low.y, high.y, rows) {
      let row = distance.row(y)
      let dy = Float(y) - cone.a.y
      let start = dy * along.y
      var x = first
      while x < columns.upperBound, x &+ 8 <= row.count {
        let dx = steps + (Float(x) - cone.a.x)
        let position = dx * along.x + start
        let floor = position.replacing(with: 0, where: position .< 0)
        let t = floor.replacing(with: 1, where: floor .> 1)
        let (u, v) = (dx - t * axis.x, dy - t * axis.y)
        let length = (u * u + v * v).squareRoot()
        let value = (length - cone.radiusA - t * growth) * scale
        let old = row.lanes(at: x)
        row.setLanes(old.replacing(with: value, where: value .< old), at: x)
        x &+= 8
      }
    }
  }

  /// Lowers `distance` to `depth` inside a convex polygon, clockwise on the screen.
  @inline(never)
  static func lowerInside(_ distance: Plane, _ polygon: [SIMD2<Float>], depth: Float, rows: Int) {
    guard polygon.count >= 3 else { return }
    var (low, high) = (polygon[0], polygon[0])
    for point in polygon {
      low = pointwiseMin(low, point)
      high = pointwiseMax(high, point)
    }
    for y in range(low.y, high.y, rows) {
      // The part of the row between the edges.
      var (left, right) = (low.x, high.x)
      for index in polygon.indices {
        let (a, b) = (polygon[index], polygon[(index + 1) % polygon.count])
        let (edge, offset) = (b - a, Float(y) - a.y)
        // Inside where edge.x * (y - a.y) >= edge.y * (x - a.x).
        let limit = edge.x * offset
        if edge.y > 1e-6 {
          right = min(right, a.x + limit / edge.y)
        } else if edge.y < -1e-6 {
          left = max(left, a.x + limit / edge.y)
        } else if limit < 0 {
          right = -1
        }
      }
      let row = distance.row(y)
      for x in range(left.rounded(.up), right.rounded(.down), row.count) {
        row[x] = min(row[x], depth)
      }
    }
  }

  /// The whole numbers from `low` to `high`, both inclusive, in 0..<`limit`.
  private static func range(_ low: Float, _ high: Float, _ limit: Int) -> Range<Int> {
    let first = Int(min(max(low, 0), Float(limit)))
    return first..<max(first, Int(min(max(high + 1, 0), Float(limit))))
  }
}
