import Faces
import Pixels

/// The displacement field of one face: values at the nodes of a coarse grid, interpolated
/// bilinearly.
///
/// Node (i, j) lies at pixel (step * (column + i), step * (row + j)). The field is 0 at the
/// outermost nodes and beyond.
final class WarpGrid {
  /// Displacements in pixels, along x and y.
  let dx = Grid<Float>(of: 0)
  let dy = Grid<Float>(of: 0)
  /// How much each node may move beside what is in front of the face.
  let weights = Grid<Float>(of: 0)
  /// For each row the range of nodes other than 0.
  private let spans = Grid<Int32>(of: 0)
  /// Pixels between nodes: a power of two, so that the grids of several faces nest.
  private(set) var step = 4
  /// Position of node (0, 0), in steps.
  private(set) var column = 0
  private(set) var row = 0
  private(set) var width = 0
  private(set) var height = 0
  /// The face's centre and its radius of influence, in pixels.
  private(set) var middle = SIMD2<Float>()
  private(set) var radius: Float = 1
  /// Whether, and by which factor, overlaps reduce the field; and its slope in each ring: see
  /// `limitOverlaps`.
  var isOverlapping = false
  var overlapScale: Float = 1
  /// The factor that follows that of the near future, so that meeting heads are eased; nil before the
  /// first.
  var easedScale: Float?
  /// How far the face will have moved by then, in pixels.
  var motion = SIMD2<Float>()
  var steepness = InlineArray<16, Float>(repeating: 0)

  /// Minimum area of a pixel at its source; slightly above the documented limit.
  static let minimumArea: Float = 0.32

  var isEmpty: Bool { width < 2 || height < 2 }

  /// Fills the grid with the displacements that `settings` give a face in a frame of this size in
  /// pixels; what `cover` has in front of the face is not moved.
  func build(
    _ shape: FaceShape, _ settings: ReshapeSettings, frame: (width: Int, height: Int),
    aspect: Double, cover: CoverSampler? = nil
  ) {
    (width, height) = (0, 0)
    fitNodes(shape, settings, frame, aspect)
    guard !isEmpty else { return }
    for j in 0..<height {
      dx.row(j).fill(0)
      dy.row(j).fill(0)
    }
    let aspect = Float(aspect)
    shape.forEachWarp(settings) { addWarp($0, aspect) }
    applyFalloff(shape, frame, aspect)
    if let cover { holdCovered(cover) }
    let factor = largestUnfoldedScale
    if factor < 1 { scale(by: factor) }
    findSpans()
  }

  // MARK: Nodes

  /// Sets the grid to the nodes inside the frame that the warps affect.
  private func fitNodes(
    _ shape: FaceShape, _ settings: ReshapeSettings, _ frame: (width: Int, height: Int),
    _ aspect: Double
  ) {
    var (low, high) = (SIMD2<Float>(repeating: .infinity), -SIMD2<Float>(repeating: .infinity))
    shape.forEachWarp(settings) { warp in
      low = pointwiseMin(low, warp.center - warp.extent)
      high = pointwiseMax(high, warp.center + warp.extent)
    }
    let (middle, influenceRadius) = (shape.middle, Float(shape.influenceRadius))
    let center = SIMD2(Float(middle.x), Float(middle.y))
    low = pointwiseMax(low, center - influenceRadius)
    high = pointwiseMin(high, center + influenceRadius)
    low.x /= Float(aspect)
    high.x /= Float(aspect)
    low = pointwiseMax(low, SIMD2(0, 0))
    high = pointwiseMin(high, SIMD2(Float(frame.width - 1), Float(frame.height - 1)))
    // False also for NaN.
    guard low.x < high.x, low.y < high.y else { return }
    step = Self.nodeDistance(shape.width / aspect)
    self.middle = center / SIMD2(Float(aspect), 1)
    radius = influenceRadius / min(Float(aspect), 1)
    column = Int(low.x) / step - 1
    row = Int(low.y) / step - 1
    width = (Int(high.x) + step - 1) / step + 2 - column
    height = (Int(high.y) + step - 1) / step + 2 - row
    dx.resize(width: width, height: height)
    dy.resize(width: width, height: height)
    spans.resize(width: 2, height: height)
  }

  /// Node distance for 24 to 48 nodes across a face.
  private static func nodeDistance(_ width: Double) -> Int {
    var step = 4
    while step < 1024, Double(step) * 48 <= width { step *= 2 }
    return step
  }

  /// Adds the displacements of a warp to the nodes in its bounding box.
  private func addWarp(_ warp: LocalWarp, _ aspect: Float) {
    let extent = warp.extent
    let s = Float(step)
    // Clamped before conversion to an integer.
    func index(_ value: Float, _ origin: Int, _ count: Int) -> Int {
      Int(max(0, min(value / s - Float(origin), Float(count))))
    }
    let left = index((warp.center.x - extent.x) / aspect, column, width)
    let right = index((warp.center.x + extent.x) / aspect + s, column, width)
    let top = index(warp.center.y - extent.y, row, height)
    let bottom = index(warp.center.y + extent.y + s, row, height)
    guard left < right else { return }
    for j in top..<max(top, bottom) {
      LocalWarpKernels.addDisplacement(
        warp, dx.row(j)[left..<right], dy.row(j)[left..<right],
        from: SIMD2(
          Float((column + left) * step) * aspect - warp.center.x,
          Float((row + j) * step) - warp.center.y), spacing: s * aspect)
    }
  }

  /// Fades the field to 0 at the radius of influence, and where sources would lie outside the
  /// frame.
  private func applyFalloff(_ shape: FaceShape, _ frame: (width: Int, height: Int), _ aspect: Float)
  {
    let (middle, influenceRadius) = (shape.middle, Float(shape.influenceRadius))
    // Pixels over which displacements fade to 0 at an edge of the frame.
    let rampWidth = Float(0.35 * shape.width)
    func ramp(_ distance: Float) -> Float {
      let t = max(0, min(distance / rampWidth, 1))
      return t * t * (3 - 2 * t)
    }
    for j in 0..<height {
      let y = Float((row + j) * step)
      let (a, b) = (dx.row(j), dy.row(j))
      let vertical = ramp(y) * ramp(Float(frame.height - 1) - y)
      let v = (y - Float(middle.y)) / influenceRadius
      for i in 0..<width {
        let x = Float((column + i) * step)
        let u = (x * aspect - Float(middle.x)) / influenceRadius
        let squaredDistance = u * u + v * v
        // 1 up to 0.8 of the radius, then decreasing to 0.
        let t = max(0, min((1 - squaredDistance) / 0.36, 1))
        let weight = t * t * (3 - 2 * t)
        a[i] *= weight / aspect * ramp(x * aspect) * ramp((Float(frame.width - 1) - x) * aspect)
        b[i] *= weight * vertical
      }
    }
    for j in 0..<height {
      for i in 0..<width where i == 0 || j == 0 || i == width - 1 || j == height - 1 {
        dx.row(j)[i] = 0
        dy.row(j)[i] = 0
      }
    }
  }

  // MARK: Preventing folds

  /// The largest factor, up to 1, for which it and all smaller ones keep areas above `minimumArea`.
  ///
  /// In a cell the derivatives by x are linear from the upper to the lower edge, those by y from
  /// left to right; the determinant is bilinear and has its minimum at a corner.
  private var largestUnfoldedScale: Float {
    var factor: Float = 1
    let scale = 1 / Float(step)
    for j in 0..<(height - 1) {
      let (a, b) = (dx.row(j), dx.row(j + 1))
      let (c, d) = (dy.row(j), dy.row(j + 1))
      for i in 0..<(width - 1) {
        let xx = SIMD4(a[i + 1] - a[i], b[i + 1] - b[i], a[i + 1] - a[i], b[i + 1] - b[i]) * scale
        let yx = SIMD4(c[i + 1] - c[i], d[i + 1] - d[i], c[i + 1] - c[i], d[i + 1] - d[i]) * scale
        let xy = SIMD4(b[i] - a[i], b[i] - a[i], b[i + 1] - a[i + 1], b[i + 1] - a[i + 1]) * scale
        let yy = SIMD4(d[i] - c[i], d[i] - c[i], d[i + 1] - c[i + 1], d[i + 1] - c[i + 1]) * scale
        let trace = xx + yy
        let determinant = xx * yy - xy * yx
        let area = 1 + trace * factor + determinant * (factor * factor)
        // The minimum may lie at a smaller factor.
        let minimum = 1 - trace * trace / (4 * pointwiseMax(determinant, SIMD4(repeating: 1e-9)))
        for k in 0..<4 {
          let isBetween =
            determinant[k] > 1e-9 && -trace[k] > 0 && -trace[k] < 2 * determinant[k] * factor
            && minimum[k] < Self.minimumArea
          if area[k] < Self.minimumArea || isBetween {
            factor = min(factor, Self.smallestRoot(trace[k], determinant[k]))
          }
        }
      }
    }
    return factor
  }

  /// The smallest positive s with 1 + trace s + determinant s^2 = minimumArea; 0 if there is none.
  private static func smallestRoot(_ trace: Float, _ determinant: Float) -> Float {
    let c = 1 - minimumArea
    let discriminant = trace * trace - 4 * determinant * c
    guard discriminant >= 0 else { return 0 }
    // This form stays accurate for small determinants.
    let s = 2 * c / (discriminant.squareRoot() - trace)
    return s > 0 ? s : 0
  }

  /// Multiplies the field by `factor`.
  func scale(by factor: Float) {
    for j in 0..<height {
      let (a, b) = (dx.row(j), dy.row(j))
      for i in 0..<width {
        a[i] *= factor
        b[i] *= factor
      }
    }
  }

  /// Sets `spans` from the displacements.
  private func findSpans() {
    for j in 0..<height {
      let (a, b) = (dx.row(j), dy.row(j))
      var (first, last) = (0, width)
      while first < width, a[first] == 0, b[first] == 0 { first += 1 }
      while last > first, a[last - 1] == 0, b[last - 1] == 0 { last -= 1 }
      spans.row(j)[0] = Int32(truncatingIfNeeded: first)
      spans.row(j)[1] = Int32(truncatingIfNeeded: last)
    }
  }

  /// Columns of pixels that the field moves at height `y`, which may lie between rows; multiples of
  /// the step.
  func movedColumns(y: Float) -> Range<Int> {
    let j = Int((y / Float(step)).rounded(.down)) - row
    guard j >= 0, j + 1 < height else { return 0..<0 }
    let (a, b) = (spans.row(j), spans.row(j + 1))
    let first = min(a[0], b[0])
    let last = max(a[0] < a[1] ? a[1] : 0, b[0] < b[1] ? b[1] : 0)
    guard first < last else { return 0..<0 }
    // A displaced node affects the cells on both sides.
    return (column + max(Int(first) - 1, 0)) * step..<(column + min(Int(last), width - 1)) * step
  }

  /// Sets `x` and `y` to the nodes from column `first` on, interpolated at fraction `t` from row
  /// `j` to the next, in samples of a component with this subsampling.
  func interpolateRow(
    _ j: Int, _ t: Float, from first: Int, into x: Row<Float>, _ y: Row<Float>, _ hShift: Int,
    _ vShift: Int
  ) {
    let n = min(x.count, y.count)
    let (a, b) = (dx.row(j)[from: first, count: n], dx.row(j + 1)[from: first, count: n])
    let (c, d) = (dy.row(j)[from: first, count: n], dy.row(j + 1)[from: first, count: n])
    let (h, v) = (1 / Float(1 << hShift), 1 / Float(1 << vShift))
    for i in 0..<n {
      x[i] = (a[i] + (b[i] - a[i]) * t) * h
      y[i] = (c[i] + (d[i] - c[i]) * t) * v
    }
  }

  /// The pixels that the field may move in a frame of this size.
  func bounds(width frameWidth: Int, height frameHeight: Int) -> PixelBox {
    PixelBox(
      left: max(column * step, 0), top: max(row * step, 0),
      right: min((column + width - 1) * step, frameWidth),
      bottom: min((row + height - 1) * step, frameHeight))
  }

  // MARK: Single positions

  /// The displacement at a position, and its derivatives: (dx, dy) by x, then by y; nil outside the
  /// grid.
  func displacement(at p: SIMD2<Double>) -> (d: SIMD2<Double>, x: SIMD2<Double>, y: SIMD2<Double>)?
  {
    let position = p / Double(step) - SIMD2(Double(column), Double(row))
    guard position.x >= 0, position.y >= 0, position.x < Double(width - 1),
      position.y < Double(height - 1)
    else { return nil }
    let (i, j) = (Int(position.x), Int(position.y))
    func node(_ i: Int, _ j: Int) -> SIMD2<Double> {
      SIMD2(Double(dx.row(j)[i]), Double(dy.row(j)[i]))
    }
    let t = position - SIMD2(Double(i), Double(j))
    let (a, b, c, d) = (node(i, j), node(i + 1, j), node(i, j + 1), node(i + 1, j + 1))
    let (above, below) = (a + (b - a) * t.x, c + (d - c) * t.x)
    let scale = 1 / Double(step)
    return (
      above + (below - above) * t.y, ((b - a) * (1 - t.y) + (d - c) * t.y) * scale,
      (below - above) * scale
    )
  }
}
