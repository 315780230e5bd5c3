import Faces
import Pixels

/// A face's texture as one picture shows it.
///
/// Rows have `TextureLayout.rowLength` elements. Keeps its memory from face to face.
final class TextureSample {
  typealias Plane = Grid<Float>
  typealias Planes = (Plane, Plane, Plane)

  /// Red, green and blue, 0...255.
  let colors = plane3()
  /// Luma, Cb and Cr of those, chroma centred on 0.
  let ycc = plane3()
  /// How well each texel is seen, 0...1: 0 where the skin is turned away or outside the picture.
  let visibility = plane()
  /// The number of texels that are seen.
  private(set) var visibleCount: Float = 0
  /// Whether the triangles of the mesh face the viewer, by their numbers.
  private(set) var isFront: [Bool] = []
  /// Where the nose is between the cheeks, and between forehead and chin: yaw and pitch.
  private(set) var pose = SIMD2<Float>.zero

  /// The face's width in cells of the crop.
  var width: Float {
    var (low, high): (Float, Float) = (.infinity, -.infinity)
    for point in points { (low, high) = (min(low, point.x), max(high, point.x)) }
    return max(high - low, 0)
  }

  /// The mesh points in cells of the crop.
  private(set) var points: [SIMD2<Float>] = []
  /// The same in memory that loops read fast.
  private let corners = Grid<SIMD2<Float>>(width: Face.landmarkCount, height: 1, of: .zero)
  private var triangleVisibility: [Float] = []
  private var ratios: [Float] = []
  private var histogram = [Int](repeating: 0, count: 256)
  // Red, green, blue and weight, before and after horizontal smoothing.
  private let raw = Grid<SIMD4<Float>>(
    width: TextureLayout.rowLength, height: TextureLayout.side, of: .zero)
  private let smooth = Grid<SIMD4<Float>>(
    width: TextureLayout.rowLength, height: TextureLayout.side, of: .zero)

  static func plane() -> Plane {
    Plane(width: TextureLayout.rowLength, height: TextureLayout.side, of: 0)
  }
  static func plane3() -> Planes { (plane(), plane(), plane()) }

  /// Samples the skin of a face from the crop around it; false if its mesh is not plausible.
  func read(_ crop: FaceCrop, _ landmarks: [Landmark], width: Int, height: Int) -> Bool {
    guard landmarks.count >= Face.landmarkCount, crop.columns > 1, crop.rows > 1 else {
      return false
    }
    let layout = TextureLayout.shared
    points.removeAll(keepingCapacity: true)
    for index in 0..<Face.landmarkCount {
      let cell = crop.cell(landmarks[index].inPixels(Double(width), Double(height)))
      guard abs(cell.x) < 1e5, abs(cell.y) < 1e5 else { return false }
      points.append(SIMD2(Float(cell.x), Float(cell.y)))
    }
    guard measureVisibility(layout) else { return false }
    measurePose()
    sample(crop, layout)
    TextureKernels.smooth(raw, smooth)
    TextureKernels.unpack(raw, into: colors)
    TextureKernels.convertToYCC(colors, gain: SIMD3(1, 1, 1), into: ycc)
    return true
  }

  // MARK: Geometry

  /// Compares each triangle's area in the picture with its area in the texture: a small ratio, or a
  /// different sign from that of most, is skin that is turned away.
  private func measureVisibility(_ layout: TextureLayout) -> Bool {
    ratios.removeAll(keepingCapacity: true)
    var (sum, signed): (Float, Float) = (0, 0)
    for (number, triangle) in layout.triangles.enumerated() {
      let (a, b, c) = (points[triangle.a], points[triangle.b], points[triangle.c])
      let (ab, ac) = (b - a, c - a)
      let area = layout.areas[number]
      let ratio = abs(area) > 1e-3 ? (ab.x * ac.y - ab.y * ac.x) / area : 0
      ratios.append(ratio)
      sum += abs(ratio)
      signed += ratio
    }
    guard sum > 1e-3, sum.isFinite else { return false }
    let unit = Self.binsPerMean * Float(ratios.count) / sum
    let percentile = percentile80(unit) / unit
    guard percentile > 0 else { return false }
    let scale = (signed < 0 ? -1 : 1) / percentile
    triangleVisibility.removeAll(keepingCapacity: true)
    isFront.removeAll(keepingCapacity: true)
    for ratio in ratios {
      let visibility = min(max((ratio * scale - 0.08) / 0.15, 0), 1)
      triangleVisibility.append(visibility)
      isFront.append(visibility > 0)
    }
    return true
  }

  private static let binsPerMean: Float = 24

  /// The 80th percentile of the ratios' absolute values, times `unit`.
  private func percentile80(_ unit: Float) -> Float {
    for bin in histogram.indices { histogram[bin] = 0 }
    let last = Float(histogram.count - 1)
    for ratio in ratios { histogram[Int(min(abs(ratio) * unit, last))] += 1 }
    var left = ratios.count * 4 / 5
    for (bin, count) in histogram.enumerated() {
      left -= count
      if left < 0 { return Float(bin) + 0.5 }
    }
    return last
  }

  private func measurePose() {
    let (left, right) = (points[MeshIndex.sides.left], points[MeshIndex.sides.right])
    let (top, bottom) = (points[MeshIndex.hairline], points[MeshIndex.chin])
    let nose = points[MeshIndex.underNoseTip]
    func part(_ from: SIMD2<Float>, _ to: SIMD2<Float>) -> Float {
      let axis = to - from
      return ((nose - from) * axis).sum() / max((axis * axis).sum(), 1e-3) - 0.5
    }
    pose = SIMD2(part(left, right), part(top, bottom))
  }

  /// Whether a point, in cells of the crop, lies inside the face's oval.
  func hasInside(_ point: Point) -> Bool {
    let (x, y) = (Float(point.x), Float(point.y))
    var isInside = false
    guard var last = MeshIndex.oval.last.map({ points[$0] }) else { return false }
    for index in MeshIndex.oval {
      let own = points[index]
      if (own.y > y) != (last.y > y),
        x < own.x + (last.x - own.x) * (y - own.y) / (last.y - own.y)
      {
        isInside.toggle()
      }
      last = own
    }
    return isInside
  }

  // MARK: Sampling

  private func sample(_ crop: FaceCrop, _ layout: TextureLayout) {
    for y in 0..<raw.height {
      raw.row(y).fill(.zero)
      visibility.row(y).fill(0)
    }
    let (rows, seen, colors) = (raw.rows, visibility.rows, crop.colors.rows)
    let limit = SIMD2(Float(crop.columns - 1), Float(crop.rows - 1))
    var count: Float = 0
    let corners = corners.row(0)
    for index in 0..<Face.landmarkCount { corners[index] = points[index] }
    for texel in layout.texels {
      let (a, b, c) = (corners[Int(texel.a)], corners[Int(texel.b)], corners[Int(texel.c)])
      let p = a + (b - a) * texel.wb + (c - a) * texel.wc
      guard p.x >= 0, p.y >= 0, p.x <= limit.x, p.y <= limit.y else { continue }
      let (x, y) = (Int(p.x), Int(p.y))
      let (wx, wy) = (p.x - Float(x), p.y - Float(y))
      let (right, below) = (min(x + 1, crop.columns - 1), min(y + 1, crop.rows - 1))
      let (upper, lower) = (colors.row(y), colors.row(below))
      let above = upper[x] + (upper[right] - upper[x]) * wx
      let under = lower[x] + (lower[right] - lower[x]) * wx
      let column = Int(texel.column) + TextureLayout.padding
      rows.row(Int(texel.row))[column] = above + (under - above) * wy
      let own = triangleVisibility[Int(texel.triangle)]
      seen.row(Int(texel.row))[column] = own
      count += own
    }
    visibleCount = count
  }

  /// Calls `body` with each texel, whose column is counted with the padding, and its position in cells of
  /// the crop.
  func forEachTexel(_ body: (_ row: Int, _ column: Int, _ position: SIMD2<Float>) -> Void) {
    let corners = corners.row(0)
    for texel in TextureLayout.shared.texels {
      let (a, b, c) = (corners[Int(texel.a)], corners[Int(texel.b)], corners[Int(texel.c)])
      body(
        Int(texel.row), Int(texel.column) + TextureLayout.padding,
        a + (b - a) * texel.wb + (c - a) * texel.wc)
    }
  }
}
