import Faces
import Pixels

/// The shape of a face's mesh as it was before something covered the face.
///
/// The network guesses covered points, and draws others toward the cover. Here covered points keep
/// their place in the shape, which follows the head by the points that are seen: an affine map of the
/// shape's three coordinates, by weighted least squares.
struct HeldShape {
  private typealias Row = SIMD4<Double>

  private var reference: [SIMD3<Double>] = []
  /// For each point how much of the skin around it is covered, 0...1.
  private var covered: [Double] = []

  /// The part of the face from which the shape is held, and from which it is held fully.
  private static let begin = 0.02, full = 0.08
  /// The weight of a covered point, and of one that moves by itself, in the fit.
  private static let coveredWeight = 0.03, mobileWeight = 0.2

  mutating func reset() { reference.removeAll(keepingCapacity: true) }

  /// Replaces the covered points of a mesh, whose cover is that of the last picture; `size` is the
  /// picture's in pixels.
  mutating func hold(_ landmarks: inout [Landmark], size: Point, _ memory: FaceMemory) {
    let share = Double(memory.coveredShare)
    guard share > Self.begin, reference.count == landmarks.count else {
      reference.removeAll(keepingCapacity: true)
      for point in landmarks { reference.append(Self.position(point, size)) }
      return
    }
    measureCover(memory)
    guard let map = fit(landmarks, size) else { return }
    let strength = min((share - Self.begin) / (Self.full - Self.begin), 1)
    for index in 0..<min(covered.count, landmarks.count) where covered[index] > 0 {
      let feature = Row(reference[index], 1)
      let weight = strength * min(1, 2 * covered[index])
      let now = Self.position(landmarks[index], size)
      let held = SIMD3((map.0 * feature).sum(), (map.1 * feature).sum(), (map.2 * feature).sum())
      let mixed = now + (held - now) * weight
      landmarks[index].x = Float(mixed.x / size.x)
      landmarks[index].y = Float(mixed.y / size.y)
      landmarks[index].z = Float(mixed.z / size.x)
    }
  }

  private static func position(_ point: Landmark, _ size: Point) -> SIMD3<Double> {
    SIMD3(Double(point.x) * size.x, Double(point.y) * size.y, Double(point.z) * size.x)
  }

  private mutating func measureCover(_ memory: FaceMemory) {
    let (layout, side) = (TextureLayout.shared, TextureLayout.side)
    covered.removeAll(keepingCapacity: true)
    for point in layout.points {
      let last = Float(side - 1)
      let (x, y) = (Int(min(max(point.x, 0), last)), Int(min(max(point.y, 0), last)))
      var (sum, count) = (0.0, 0.0)
      for v in stride(from: max(y - 4, 0), through: min(y + 4, side - 1), by: 2) {
        let row = memory.cover.row(v)
        for u in stride(from: max(x - 4, 0), through: min(x + 4, side - 1), by: 2) {
          count += 1
          if row[u] > 0 { sum += 1 }
        }
      }
      covered.append(sum / count)
    }
  }

  /// The rows of the affine map from the shape to the mesh; nil if the points do not determine it.
  private func fit(_ landmarks: [Landmark], _ size: Point) -> (Row, Row, Row)? {
    var normal = (Row.zero, Row.zero, Row.zero, Row.zero)
    var right = (Row.zero, Row.zero, Row.zero)
    for index in 0..<min(covered.count, landmarks.count) {
      var weight = 1 + (Self.coveredWeight - 1) * min(1, 2 * covered[index])
      if Self.mobile.contains(index) { weight *= Self.mobileWeight }
      let feature = Row(reference[index], 1)
      let weighted = feature * weight
      normal.0 += weighted * feature.x
      normal.1 += weighted * feature.y
      normal.2 += weighted * feature.z
      normal.3 += weighted
      let now = Self.position(landmarks[index], size)
      right.0 += weighted * now.x
      right.1 += weighted * now.y
      right.2 += weighted * now.z
    }
    return Self.solve([normal.0, normal.1, normal.2, normal.3], right)
  }

  /// Solves a symmetric system for three right sides by elimination with pivots.
  private static func solve(
    _ rows: InlineArray<4, Row>, _ right: (Row, Row, Row)
  ) -> (Row, Row, Row)? {
    var matrix = rows
    var sides = InlineArray<4, SIMD3<Double>> { SIMD3(right.0[$0], right.1[$0], right.2[$0]) }
    for column in 0..<4 {
      var pivot = column
      for row in column..<4 where abs(matrix[row][column]) > abs(matrix[pivot][column]) {
        pivot = row
      }
      guard abs(matrix[pivot][column]) > 1e-6 else { return nil }
      (matrix[column], matrix[pivot]) = (matrix[pivot], matrix[column])
      (sides[column], sides[pivot]) = (sides[pivot], sides[column])
      for row in 0..<4 where row != column {
        let factor = matrix[row][column] / matrix[column][column]
        matrix[row] -= matrix[column] * factor
        sides[row] -= sides[column] * factor
      }
    }
    for row in 0..<4 { sides[row] /= matrix[row][row] }
    return (
      Row(sides[0].x, sides[1].x, sides[2].x, sides[3].x),
      Row(sides[0].y, sides[1].y, sides[2].y, sides[3].y),
      Row(sides[0].z, sides[1].z, sides[2].z, sides[3].z)
    )
  }

  /// Points that move by themselves: lips and lids.
  private static let mobile = Set(MeshIndex.lips + MeshIndex.leftEye + MeshIndex.rightEye)
}
