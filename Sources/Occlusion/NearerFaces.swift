import Faces
import Pixels

/// The faces of a picture that lie before another one: the larger ones are nearer to the camera.
struct NearerFaces {
  /// The ovals of the meshes, one after another, in pixels.
  private var points: [Point] = []
  private var bounds: [Rectangle] = []
  /// The oval of one of them in cells of a crop.
  private var ring: [SIMD2<Float>] = []

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
  mutating func mark(_ mask: Grid<UInt8>, _ crop: FaceCrop) -> Bool {
    let area = Rectangle(
      x: Double(crop.x), y: Double(crop.y), width: Double(crop.columns * crop.step),
      height: Double(crop.rows * crop.step))
    guard bounds.contains(where: { $0.intersection(area).area > 0 }) else { return false }
    for y in 0..<mask.height { mask.row(y).fill(0) }
    let count = MeshIndex.oval.count
    for (number, box) in bounds.enumerated() where box.intersection(area).area > 0 {
      ring.removeAll(keepingCapacity: true)
      for point in points[number * count..<(number + 1) * count] {
        let cell = crop.cell(point)
        ring.append(SIMD2(Float(cell.x), Float(cell.y)))
      }
      let low = crop.cell(Point(x: box.x, y: box.y))
      let high = crop.cell(Point(x: box.maxX, y: box.maxY))
      for y in FaceCrop.cells(from: low.y, to: high.y, limit: crop.rows) {
        let row = mask.row(y)
        for x in FaceCrop.cells(from: low.x, to: high.x, limit: crop.columns)
        where Ring.contains(SIMD2(Float(x), Float(y)), ring) { row[x] = 1 }
      }
    }
    return true
  }
}
