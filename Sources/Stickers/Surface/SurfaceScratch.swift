import Faces
import Pixels

/// Memory for rasterising a mesh, kept from frame to frame.
final class SurfaceScratch {
  let corners = Grid<SurfaceCorner>(of: .zero)
  private let triangleMemory = Grid<SurfaceTriangle>(of: .none)
  private let edgeMemory = Grid<SurfaceEdge>(of: .none)
  private(set) var triangleCount = 0
  private(set) var edgeCount = 0
  /// For each triangle 1 if it faces the viewer, -1 if it is seen from behind, 0 if it is not drawn; and
  /// the indices of all in drawing order.
  let facing = Grid<Int8>(of: 0)
  let order = Grid<UInt16>(of: 0)
  private let bins = Grid<Int32>(width: binCount + 1, height: 1, of: 0)
  /// For each row the spans of triangles, and the indices of edges near it.
  let spanLists = RowLists<SurfaceSpan>(of: .none)
  let edgeLists = RowLists<UInt16>(of: 0)
  /// For each row the first covered column, and the one after the last.
  let extents = Grid<SIMD2<Int32>>(of: .zero)

  private static let binCount = 512

  /// Resizes the memory for a mesh, and removes the last mesh.
  func prepare(for mesh: SurfaceMesh) {
    corners.resize(width: mesh.textureCoordinates.count, height: 1)
    facing.resize(width: mesh.triangles.count, height: 1)
    order.resize(width: mesh.triangles.count, height: 1)
    triangleMemory.resize(width: mesh.triangles.count, height: 1)
    edgeMemory.resize(width: 3 * mesh.triangles.count, height: 1)
    (triangleCount, edgeCount) = (0, 0)
  }

  /// The triangles and edges that were added.
  var triangles: Row<SurfaceTriangle> { triangleMemory.row(0)[0..<triangleCount] }
  var edges: Row<SurfaceEdge> { edgeMemory.row(0)[0..<edgeCount] }

  func add(_ triangle: SurfaceTriangle) {
    triangleMemory.row(0)[triangleCount] = triangle
    triangleCount += 1
  }

  func add(_ edge: SurfaceEdge) {
    edgeMemory.row(0)[edgeCount] = edge
    edgeCount += 1
  }

  /// Sorts the indices of triangles by the sum of their vertices' inverse depths, farthest first.
  func sortTriangles(of mesh: SurfaceMesh) {
    let (corners, order, bins) = (corners.row(0), order.row(0), bins.row(0))
    func inverseDepth(_ index: Int) -> Double {
      let t = mesh.triangles[index]
      return corners[t.a].inverseDepth + corners[t.b].inverseDepth + corners[t.c].inverseDepth
    }
    var (low, high) = (Double.infinity, -Double.infinity)
    for index in 0..<order.count {
      let value = inverseDepth(index)
      (low, high) = (min(low, value), max(high, value))
    }
    let scale = high > low ? Double(Self.binCount - 1) / (high - low) : 0
    bins.fill(0)
    for index in 0..<order.count { bins[Int((inverseDepth(index) - low) * scale) + 1] &+= 1 }
    for bin in 1..<bins.count { bins[bin] &+= bins[bin - 1] }
    for index in 0..<order.count {
      let bin = Int((inverseDepth(index) - low) * scale)
      order[Int(bins[bin])] = UInt16(truncatingIfNeeded: index)
      bins[bin] &+= 1
    }
  }

  /// Builds the lists of `all` rows, and the extents of the painted rows `rows`; false if the lists
  /// exceed `maximum` entries, more than a face has.
  func buildRowLists(_ all: Range<Int>, painted rows: Range<Int>, atMost maximum: Int) -> Bool {
    let (triangles, edges) = (triangles, edges)
    spanLists.reset(all)
    edgeLists.reset(all)
    for i in 0..<triangles.count { spanLists.reserve(triangles[i].rows) }
    for i in 0..<edges.count { edgeLists.reserve(edges[i].rows) }
    guard spanLists.count <= maximum, edgeLists.count <= maximum else { return false }
    spanLists.allocateReserved()
    edgeLists.allocateReserved()
    extents.resize(width: rows.count, height: 1)
    let extents = extents.row(0)
    extents.fill(SIMD2(.max, .min))
    @inline(__always)
    func extend(_ row: Int, _ first: Int32, _ end: Int32) {
      let at = row &- rows.lowerBound
      guard first < end, UInt(bitPattern: at) < UInt(bitPattern: extents.count) else { return }
      extents[at] = SIMD2(min(extents[at].x, first), max(extents[at].y, end))
    }
    for i in 0..<triangles.count {
      let (triangle, number) = (triangles[i], UInt16(truncatingIfNeeded: i))
      spanLists.add(triangle.rows) { row in
        let span = triangle.span(row, number)
        if triangle.isPainted { extend(row, span.first, span.end) }
        return span
      }
    }
    for i in 0..<edges.count {
      let (edge, number) = (edges[i], UInt16(truncatingIfNeeded: i))
      edgeLists.add(edge.rows) { row in
        let near = edge.columns(row)
        if edge.isPainted {
          extend(
            row, Int32(truncatingIfNeeded: near.lowerBound),
            Int32(truncatingIfNeeded: near.upperBound))
        }
        return number
      }
    }
    for i in 0..<extents.count where extents[i].x >= extents[i].y { extents[i] = .zero }
    return true
  }
}
