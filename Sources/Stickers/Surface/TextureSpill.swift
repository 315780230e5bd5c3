import Faces
package import Pixels

/// The part of a texture outside the face mesh, which is never drawn.
///
/// Eyes and mouth count as face: each item decides whether they are covered.
package struct TextureSpill {
  /// Fraction of the texture's alpha outside the face, 0...1; 0 for a transparent texture.
  package let fraction: Double
  private let (width, height): (Int, Int)
  /// For each pixel, row by row, whether its centre lies on the mesh.
  private let isFace: [Bool]

  /// Measures an RGBA picture with straight alpha.
  package init(_ picture: borrowing Picture) {
    precondition(picture.format == .rgba)
    (width, height) = (picture.width, picture.height)
    isFace = Self.faceMask(width, height)
    var (all, lost) = (0, 0)
    let plane = picture.plane(0)
    for y in 0..<height {
      let row = plane.row(y)
      for x in 0..<width {
        let alpha = Int(row[4 * x + 3])
        all += alpha
        if !isFace[y * width + x] { lost += alpha }
      }
    }
    fraction = all > 0 ? Double(lost) / Double(all) : 0
  }

  private static func faceMask(_ width: Int, _ height: Int) -> [Bool] {
    var isFace = [Bool](repeating: false, count: width * height)
    let mesh = SurfaceMesh.face(without: [])
    for t in mesh.triangles {
      let corners = [t.a, t.b, t.c].map {
        Point(
          x: mesh.textureCoordinates[$0].x * Double(width),
          y: mesh.textureCoordinates[$0].y * Double(height))
      }
      let (low, high) = corners.boundingCorners
      func side(_ a: Int, _ b: Int, _ position: Point) -> Double {
        (corners[b].x - corners[a].x) * (position.y - corners[a].y)
          - (corners[b].y - corners[a].y) * (position.x - corners[a].x)
      }
      for y in max(0, Int(low.y))..<min(height, Int(high.y) + 1) {
        for x in max(0, Int(low.x))..<min(width, Int(high.x) + 1) {
          let position = Point(x: Double(x) + 0.5, y: Double(y) + 0.5)
          let sides = [side(0, 1, position), side(1, 2, position), side(2, 0, position)]
          if sides.allSatisfy({ $0 >= 0 }) || sides.allSatisfy({ $0 <= 0 }) {
            isFace[y * width + x] = true
          }
        }
      }
    }
    return isFace
  }

  /// Draws a preview over the measured picture: opaque, with the mesh light on grey, its edges, the
  /// texture, and red for texture outside the mesh.
  package func draw(on picture: borrowing Picture) {
    precondition((picture.width, picture.height) == (width, height))
    let isEdge = wireframeMask()
    let plane = picture.plane(0)
    for y in 0..<height {
      let row = plane.row(y)
      for x in 0..<width {
        let at = y * width + x
        let ground = isFace[at] ? isEdge[at] ? 190 : 245 : 120
        let alpha = Int(row[4 * x + 3])
        for (channel, red) in [225, 20, 20].enumerated() {
          let paint = isFace[at] ? Int(row[4 * x + channel]) : red
          row[4 * x + channel] = UInt8((paint * alpha + ground * (255 - alpha) + 127) / 255)
        }
        row[4 * x + 3] = 255
      }
    }
  }

  private func wireframeMask() -> [Bool] {
    var isEdge = [Bool](repeating: false, count: width * height)
    for t in FaceTopology.triangles {
      for (a, b) in [(t.a, t.b), (t.b, t.c), (t.c, t.a)] {
        let (from, to) = (FaceTopology.textureCoordinates[a], FaceTopology.textureCoordinates[b])
        let step = Point(
          x: (to.x - from.x) * Double(width), y: (to.y - from.y) * Double(height))
        let count = max(1, Int(max(abs(step.x), abs(step.y)).rounded(.up)))
        for k in 0...count {
          let position = Double(k) / Double(count)
          let x = Int(from.x * Double(width) + step.x * position)
          let y = Int(from.y * Double(height) + step.y * position)
          guard x >= 0, y >= 0, x < width, y < height else { continue }
          isEdge[y * width + x] = true
        }
      }
    }
    return isEdge
  }
}
