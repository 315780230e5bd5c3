import Faces
import Pixels

/// A mesh rasterised on a picture: texture coordinates and coverage of each pixel.
///
/// Back faces are culled. Triangles overwrite each other's texture coordinates, the farthest first,
/// so that every pixel is blended once.
struct SurfaceLayout {
  private let scratch: SurfaceScratch
  /// Picture rows that it can cover, not clipped to the picture.
  let rows: Range<Int>

  /// Maximum absolute coordinate of a vertex, in pixels.
  private static let maximumCoordinate = 200_000.0

  /// Rasterises the mesh whose vertices `projectVertices` has stored in `scratch`; `isPainted`
  /// gives, for each triangle, whether the texture is opaque anywhere on it.
  ///
  /// Nil if nothing is visible, or if triangles cover the picture so many times that they cannot be
  /// those of a face.
  init?(
    _ mesh: SurfaceMesh, isPainted: [Bool], height: Int, _ scratch: SurfaceScratch
  ) {
    self.scratch = scratch
    scratch.sortTriangles(of: mesh)
    // Chroma needs a row before and a row after.
    let limits = -2..<height + 2
    Self.buildTriangles(mesh, isPainted, limits, scratch)
    var (first, end) = (Int.max, Int.min)
    let triangles = scratch.triangles
    for i in 0..<triangles.count {
      guard triangles[i].isPainted, !triangles[i].rows.isEmpty else { continue }
      first = min(first, Int(triangles[i].rows.lowerBound))
      end = max(end, Int(triangles[i].rows.upperBound))
    }
    guard first < end else { return nil }
    rows = max(first - 1, limits.lowerBound)..<min(end + 1, limits.upperBound)
    // Rings have more triangles in a row than a face.
    let most = mesh.positions.isEmpty ? 48 : 160
    guard scratch.buildRowLists(limits, painted: rows, atMost: most * limits.count + 4096) else {
      return nil
    }
  }

  /// Projects the vertices of a mesh, with texture coordinates multiplied by `size`.
  ///
  /// Returns the picture's pixels per pixel of a texture of that size; nil if no triangle faces the
  /// viewer, or a vertex is out of range.
  static func projectVertices(
    _ mesh: SurfaceMesh, _ points: SurfaceVertices, _ size: Point, _ scratch: SurfaceScratch
  ) -> Double? {
    scratch.prepare(for: mesh)
    let (corners, facing) = (scratch.corners.row(0), scratch.facing.row(0))
    guard points.count >= mesh.textureCoordinates.count else { return nil }
    for index in 0..<corners.count {
      let (point, inverseDepth) = points[index]
      guard abs(point.x) < maximumCoordinate, abs(point.y) < maximumCoordinate, inverseDepth > 0.01,
        inverseDepth < 100
      else {
        return nil
      }
      let textureCoordinate = mesh.textureCoordinates[index]
      corners[index] = SurfaceCorner(
        x: point.x, y: point.y, inverseDepth: inverseDepth, u: textureCoordinate.x * size.x,
        v: textureCoordinate.y * size.y
      )
    }
    var (pictureArea, textureArea) = (0.0, 0.0)
    for (index, t) in mesh.triangles.enumerated() {
      let (a, b, c) = (corners[t.a], corners[t.b], corners[t.c])
      // y points down: a counter-clockwise triangle on the screen has a negative area.
      let area = (c.x - a.x) * (b.y - a.y) - (b.x - a.x) * (c.y - a.y)
      let own = mesh.isTwoSided ? abs(area) : area
      facing[index] = own > 1e-6 ? area < 0 ? -1 : 1 : 0
      guard facing[index] != 0 else { continue }
      pictureArea += own
      textureArea += abs((b.u - a.u) * (c.v - a.v) - (c.u - a.u) * (b.v - a.v))
    }
    guard pictureArea > 0, textureArea > 0 else { return nil }
    let scale = (pictureArea / textureArea).squareRoot()
    return scale > 1 / 16384 && scale < 1e6 ? scale : nil
  }

  /// Adds the visible triangles, and the edges of the silhouette.
  private static func buildTriangles(
    _ mesh: SurfaceMesh, _ isPainted: [Bool], _ limits: Range<Int>, _ scratch: SurfaceScratch
  ) {
    let (corners, facing, order) = (
      scratch.corners.row(0), scratch.facing.row(0), scratch.order.row(0)
    )
    for i in 0..<order.count {
      let index = Int(order[i])
      guard facing[index] != 0 else { continue }
      let t = mesh.triangles[index]
      let isPainted = isPainted[index]
      let (a, b, c) = (corners[t.a], corners[t.b], corners[t.c])
      if isPainted || mesh.isOccluding[index] {
        scratch.add(SurfaceTriangle(a, b, c, isPainted: isPainted, limits: limits))
      }
      let side = facing[index]
      func addSilhouetteEdge(_ neighbour: Int, _ a: SurfaceCorner, _ b: SurfaceCorner) {
        guard neighbour < 0 || facing[neighbour] != side else { return }
        scratch.add(
          side < 0
            ? SurfaceEdge(b, a, isPainted: isPainted, limits: limits)
            : SurfaceEdge(a, b, isPainted: isPainted, limits: limits))
      }
      let neighbours = mesh.neighbours[index]
      addSilhouetteEdge(neighbours.0, a, b)
      addSilhouetteEdge(neighbours.1, b, c)
      addSilhouetteEdge(neighbours.2, c, a)
    }
  }

  // MARK: Rows

  /// The columns of a row that the mesh may cover.
  @inline(__always)
  func columns(_ row: Int) -> Range<Int> {
    guard rows.contains(row) else { return 0..<0 }
    let span = scratch.extents.row(0)[row - rows.lowerBound]
    return Int(span.x)..<Int(span.y)
  }

  /// Writes the texture coordinates at columns of a row, in 1/65536 pixel; the rows have
  /// `SpriteKernels.rampPadding` more elements.
  ///
  /// `nothing` is written where there is no triangle. `shift` is the vertical offset from the row's
  /// centre, in rows.
  func writeCoordinates(
    _ row: Int, _ columns: Range<Int>, _ us: Row<Int32>, _ vs: Row<Int32>, shift: Double = 0,
    nothing: Int32 = 0
  ) {
    us[0..<columns.count].fill(nothing)
    vs[0..<columns.count].fill(nothing)
    let first = columns.lowerBound
    let (triangles, edges) = (scratch.triangles, scratch.edges)
    let outline = scratch.edgeLists.list(row)
    for i in 0..<outline.count {
      let index = Int(outline[i])
      guard edges[index].isPainted else { continue }
      edges[index].writeCoordinates(
        row, edges[index].columns(row).clamped(to: columns), first, us, vs)
    }
    let list = scratch.spanLists.list(row)
    for i in 0..<list.count {
      let span = list[i]
      let own = span.columns.clamped(to: columns)
      guard !own.isEmpty else { continue }
      let (at, index) = (own.lowerBound &- first, Int(span.triangle))
      if triangles[index].isFlat {
        let step = triangles[index].step
        let skipped = Int32(truncatingIfNeeded: own.lowerBound) &- span.first
        SpriteKernels.writeRamp(
          us, vs, at: at, count: own.count,
          from: span.coordinates &+ step &* SIMD2(repeating: skipped), step)
      } else if triangles[index].isPainted {
        triangles[index].writeCoordinates(row, own, first, us, vs, shift: shift)
      } else {
        us[from: at, count: own.count].fill(nothing)
        vs[from: at, count: own.count].fill(nothing)
      }
    }
  }

  /// Fills `coverage` with the covered fraction of each pixel in columns of a row, in 1/65535, and
  /// marks in `blocks` those not fully covered; see `SurfaceKernels`.
  func writeCoverage(
    _ row: Int, _ columns: Range<Int>, _ coverage: Row<UInt16>, _ blocks: Row<UInt8>,
    _ sums: Row<Float>
  ) {
    let sums = sums[0..<columns.count + 2]
    sums.fill(0)
    blocks.fill(0)
    let (edges, outline) = (scratch.edges, scratch.edgeLists.list(row))
    for i in 0..<outline.count {
      edges[Int(outline[i])].addCoverage(row, from: columns.lowerBound, sums, blocks)
    }
    SurfaceKernels.integrateCoverage(sums, into: coverage, blocks)
  }
}
