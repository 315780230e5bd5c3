import Faces
import Glibc
package import Pixels

/// A region of the face that a texture is limited to, with soft edges.
///
/// Its outline consists of mesh points in texture coordinates, so it moves with the face.
package enum SurfaceRegion: String, CaseIterable, Sendable {
  /// The whole face.
  case face
  case lips
  /// The upper eyelids, up to below the brows.
  case lids
  case cheeks
  case brows

  /// Default width of the edge's fade, in texture widths.
  package var softness: Double {
    switch self {
    case .face: 0.02
    case .lips: 0.012
    case .lids: 0.035
    case .cheeks: 0.09
    case .brows: 0.02
    }
  }

  /// Side in pixels of the picture made for a colour.
  package static let side = 1024

  /// Multiplies the alpha of an RGBA picture with straight alpha by the region's mask.
  ///
  /// Edges fade over `softness` texture widths.
  package func applyMask(_ picture: borrowing Picture, softness: Double) {
    let (width, height) = (picture.width, picture.height)
    guard picture.format == .rgba, self != .face || softness > 0 else { return }
    let (cells, outlines) = (Self.cells, outlines)
    var mask = [Float](repeating: 0, count: (cells + 1) * (cells + 1))
    for k in mask.indices {
      let position = Point(
        x: Double(k % (cells + 1)) / Double(cells), y: Double(k / (cells + 1)) / Double(cells))
      for outline in outlines where outline.boundsContain(position, softness) {
        mask[k] = max(mask[k], Float(outline.alpha(position, softness)))
      }
    }
    let plane = picture.plane(0)
    for y in 0..<height {
      let row = plane.row(y)
      let v = (Float(y) + 0.5) / Float(height) * Float(cells)
      let (cellY, fractionY) = (Int(v), v - v.rounded(.down))
      for x in 0..<width where row[4 * x + 3] > 0 {
        let u = (Float(x) + 0.5) / Float(width) * Float(cells)
        let at = cellY * (cells + 1) + Int(u)
        let fractionX = u - u.rounded(.down)
        let above = mask[at] + (mask[at + 1] - mask[at]) * fractionX
        let below =
          mask[at + cells + 1] + (mask[at + cells + 2] - mask[at + cells + 1]) * fractionX
        let weight = above + (below - above) * fractionY
        row[4 * x + 3] = UInt8((Float(row[4 * x + 3]) * weight).rounded())
      }
    }
  }

  /// Cells along a side of the mask, which is interpolated between their corners.
  private static let cells = 384

  private var outlines: [Outline] {
    func ring(_ points: [Int]) -> [Point] { points.map { FaceTopology.textureCoordinates[$0] } }
    switch self {
    case .face: return [Outline(ring(MeshIndex.oval), fade: .inside)]
    case .lips:
      return [Outline(ring(MeshIndex.lips), fade: .across, hole: ring(FaceTopology.innerLips))]
    case .lids: return Self.lidRings.map { Outline(ring($0), fade: .inside) }
    case .brows:
      return [MeshIndex.leftBrow, MeshIndex.rightBrow].map { Outline(ring($0), fade: .across) }
    case .cheeks: return [true, false].map { Outline(Self.cheek(isLeft: $0), fade: .inside) }
    }
  }

  /// Rings around the upper eyelids: through the middle of the eye, which is left uncovered, and
  /// below the brow.
  private static let lidRings = [
    [33, 133, 190, 222, 223, 224, 225, 113, 226], [263, 362, 414, 442, 443, 444, 445, 342, 446],
  ]

  /// The cheek: an ellipse that rises toward the ear.
  private static func cheek(isLeft: Bool) -> [Point] {
    let middle = FaceTopology.textureCoordinates[isLeft ? 50 : 280]
    let (turn, side) = (0.42, isLeft ? 1.0 : -1.0)
    return (0..<32).map { k in
      let angle = Double(k) * .pi / 16
      let (x, y) = (0.135 * cos(angle), 0.092 * sin(angle))
      return Point(
        x: middle.x + side * (x * cos(turn) + y * sin(turn) - 0.012),
        y: middle.y - 0.012 - x * sin(turn) + y * cos(turn))
    }
  }
}

/// A closed outline in texture coordinates, and the side on which its edge fades.
private struct Outline {
  enum Fade { case inside, across }

  private let points: [Point]
  private let hole: [Point]
  private let fade: Fade
  private let low, high: Point

  init(_ points: [Point], fade: Fade, hole: [Point] = []) {
    (self.points, self.fade, self.hole) = (points, fade, hole)
    (low, high) = points.boundingCorners
  }

  func boundsContain(_ position: Point, _ softness: Double) -> Bool {
    position.x > low.x - softness && position.x < high.x + softness && position.y > low.y - softness
      && position.y < high.y + softness
  }

  /// The mask at a position, 0...1.
  func alpha(_ position: Point, _ softness: Double) -> Double {
    let soft = max(softness, 1e-4)
    let inside = Self.signedDistance(position, points)
    var weight = Self.smoothstep(fade == .inside ? inside / soft : inside / soft + 0.5)
    if !hole.isEmpty {
      // The mask ends at the edge of a hole, where the teeth are.
      weight *= Self.smoothstep(-Self.signedDistance(position, hole) / (0.5 * soft))
    }
    return weight
  }

  private static func smoothstep(_ value: Double) -> Double {
    let t = max(0, min(1, value))
    return t * t * (3 - 2 * t)
  }

  /// The signed distance to the outline, in the points' unit; negative outside.
  private static func signedDistance(_ position: Point, _ points: [Point]) -> Double {
    var nearest = Double.infinity
    var isInside = false
    var last = points[points.count - 1]
    for point in points {
      let (side, from) = (point - last, position - last)
      let square = max(side.x * side.x + side.y * side.y, 1e-12)
      let weight = max(0, min(1, (from.x * side.x + from.y * side.y) / square))
      nearest = min(nearest, (from - side * weight).length)
      if (point.y > position.y) != (last.y > position.y),
        position.x < last.x + (position.y - last.y) / side.y * side.x
      {
        isInside.toggle()
      }
      last = point
    }
    return isInside ? nearest : -nearest
  }
}
