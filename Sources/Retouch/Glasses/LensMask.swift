import Pixels

/// The area of glasses: lenses with their rims, the bridge, and the arms as far as the temples.
///
/// It is that of large frames. Rims are 50 to 55 mm wide and 30 to 45 mm high where the eyes are 63 mm
/// apart.
struct LensMask {
  let frame: EyeFrame

  /// The ellipse around a lens: its centre beside the eye's, outward and downward, and its half axes, in
  /// eye distances.
  private static let lens = (
    out: 0.02 as Float, down: 0.06 as Float, width: 0.47 as Float, height: 0.41 as Float
  )
  private static let bridge = (up: 0.05 as Float, width: 0.14 as Float, height: 0.22 as Float)
  /// The height of the arms, and half their width.
  private static let arms = (up: 0.07 as Float, height: 0.1 as Float)
  /// The distance from the centre, in half axes, at which the mask ends; it is full within 1.
  private static let end: Float = 1.25

  /// Multiplies the weights of cells of `region` by 1 outside the glasses and by 1 - `strength` on them.
  func attenuate(_ weights: Grid<Float>, _ region: CellRegion, strength: Float) {
    let step = Double(region.step)
    func position(_ x: Double, _ y: Double) -> Point {
      frame.coordinates(
        of: Point(
          x: (Double(region.x) + x + SkinMap.middle) * step,
          y: (Double(region.y) + y + SkinMap.middle) * step))
    }
    let origin = position(0, 0)
    let (column, line) = (position(1, 0) - origin, position(0, 1) - origin)
    let (columnX, columnY) = (Float(column.x), Float(column.y))
    for y in 0..<weights.height {
      let row = weights.row(y)
      let start = origin + line * Double(y)
      let (startX, startY) = (Float(start.x), Float(start.y))
      for x in 0..<row.count {
        let index = Float(Int32(truncatingIfNeeded: x))
        let (across, up) = (abs(startX + columnX * index), startY + columnY * index)
        row[x] *= 1 - strength * Self.weight(across, up)
      }
    }
  }

  /// The weight at a distance from the middle of the face and a height.
  @inline(__always)
  private static func weight(_ across: Float, _ up: Float) -> Float {
    let lensX = (across - 0.5 - lens.out) * (1 / lens.width)
    let lensY = (up + lens.down) * (1 / lens.height)
    let bridgeX = across * (1 / bridge.width)
    let bridgeY = (up - bridge.up) * (1 / bridge.height)
    let arm = across > 0.5 ? abs(up - arms.up) * (1 / arms.height) : end
    let near = min(
      (lensX * lensX + lensY * lensY).squareRoot(),
      (bridgeX * bridgeX + bridgeY * bridgeY).squareRoot(), arm)
    return min(max((end - near) * (1 / (end - 1)), 0), 1)
  }
}
