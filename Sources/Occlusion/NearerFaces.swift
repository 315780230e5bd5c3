import Faces
import Pixels

/// The faces of a picture that lie before another one: the larger ones are nearer to the camera.
struct NearerFaces {
  /// The ovals of the meshes, one after another, in pixels.
  private var points: [Point] = []
  private var bounds: [Rectangle] = []

  mutating func removeAll() {
    points.removeAll(keepingCapacity: true)
    bounds.removeAll(keepingCapacity: true)
  }

  /// Adds a face; those that follow are farther away.
  mutating func add(_ landmarks: [Landmark], size: Point) {
    let start = points.count
    for index in MeshIndex.oval { points.append(landmarks[index].inPixels(size.x, size.y)) }
    let (low, high) = points[start...].boundingCorners
    bounds.append(Rectangle(from: low, to: high))
  }

  /// Sets the cells of `mask` that lie in a nearer face to 1, the others to 0; false if there is none.
  func mark(_ mask: Grid<UInt8>, _ crop: FaceCrop) -> Bool {
    let area = Rectangle(
      x: Double(crop.x), y: Double(crop.y), width: Double(crop.columns * crop.step),
      height: Double(crop.rows * crop.step))
    guard bounds.contains(where: { $0.intersection(area).area > 0 }) else { return false }
    for y in 0..<mask.height { mask.row(y).fill(0) }
    let count = MeshIndex.oval.count
    for (number, box) in bounds.enumerated() where box.intersection(area).area > 0 {
      let ring = points[number * count..<(number + 1) * count]
      let (low, high) = (
        crop.cell(Point(x: box.x, y: box.y)), crop.cell(Point(x: box.maxX, y: box.maxY))
      )
      func range(_ low: Double, _ high: Double, _ limit: Int) -> Range<Int> {
        let first = Int(min(max(low, 0), Double(limit)))
        return first..<max(first, Int(min(max(high + 1, 0), Double(limit))))
      }
      for y in range(low.y, high.y, crop.rows) {
        let row = mask.row(y)
        for x in range(low.x, high.x, crop.columns)
        where Self.contains(ring, crop, Double(x), Double(y)) { row[x] = 1 }
      }
    }
    return true
  }

  /// Whether a cell lies inside a closed ring, by the crossings to its left.
  private static func contains(
    _ ring: ArraySlice<Point>, _ crop: FaceCrop, _ x: Double, _ y: Double
  ) -> Bool {
    var isInside = false
    guard let end = ring.last else { return false }
    var last = crop.cell(end)
    for point in ring {
      let own = crop.cell(point)
      if (own.y > y) != (last.y > y), x < (last.x - own.x) * (y - own.y) / (last.y - own.y) + own.x
      {
        isInside.toggle()
      }
      last = own
    }
    return isInside
  }
}
