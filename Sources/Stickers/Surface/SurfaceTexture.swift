import Faces
import Pixels

/// A sprite as the texture of a mesh, with the triangles on which it is not transparent.
///
/// Immutable except for the sprite's lazy levels; may be shared between threads.
package final class SurfaceTexture: Sendable {
  package let sprite: Sprite
  package let mesh: SurfaceMesh
  /// For each triangle whether the sprite may be visible on it.
  let isPainted: [Bool]

  /// Cells along a side in which opaque pixels are recorded.
  private static let cells = 64

  package init(_ sprite: Sprite, on mesh: SurfaceMesh) {
    (self.sprite, self.mesh) = (sprite, mesh)
    let cells = Self.cells
    let level = sprite.level(for: 1).level
    var seen = [Bool](repeating: false, count: cells * cells)
    let (width, height) = (max(sprite.width, 1), max(sprite.height, 1))
    for y in 0..<level.height {
      let span = level.spans[y + 1]
      let row = level.pixels.row(y + 1)
      // A pixel may be larger or smaller than a cell.
      func touchedCells(_ position: Int, _ size: Int) -> ClosedRange<Int> {
        position * cells / size...max(position * cells / size, ((position + 1) * cells - 1) / size)
      }
      let lines = touchedCells(y + sprite.origin.y, height)
      for x in Int(span.lowerBound)..<Int(span.upperBound) where row[x] >> 24 != 0 {
        for column in touchedCells(x - 1 + sprite.origin.x, width) {
          for line in lines { seen[line * cells + column] = true }
        }
      }
    }
    isPainted = mesh.triangles.map { t in
      let corners = [
        mesh.textureCoordinates[t.a], mesh.textureCoordinates[t.b], mesh.textureCoordinates[t.c],
      ].boundingCorners
      // Smaller mipmap levels extend slightly beyond.
      func range(_ low: Double, _ high: Double) -> ClosedRange<Int> {
        let first = min(max(Int((low * Double(cells)).rounded(.down)) - 1, 0), cells - 1)
        return first...max(first, min(Int(high * Double(cells)) + 1, cells - 1))
      }
      let across = range(corners.low.x, corners.high.x)
      return range(corners.low.y, corners.high.y).contains { y in
        across.contains { seen[y * cells + $0] }
      }
    }
  }
}
