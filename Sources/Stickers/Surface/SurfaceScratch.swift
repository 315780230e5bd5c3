import Faces
import Pixels

/// Where a shape is laid out before it is drawn; kept from frame to frame, so that none allocates.
final class SurfaceScratch {
  let corners = Grid<SurfaceCorner>(of: .zero)
  private let patchMemory = Grid<SurfacePatch>(of: .none)
  private let edgeMemory = Grid<SurfaceEdge>(of: .none)
  private(set) var patchCount = 0
  private(set) var edgeCount = 0
  /// Whether a board is seen from behind.
  var isReversed = false
  /// Which triangles face the viewer, and all of them in the order they are drawn.
  let facing = Grid<Bool>(of: false)
  let order = Grid<UInt16>(of: 0)
  private let bins = Grid<Int32>(width: binCount + 1, height: 1, of: 0)
  /// What patches cover of each row, and the numbers of the edges that come near it.
  let stretches = RowLists<SurfaceStretch>(of: .none)
  let edgeLists = RowLists<UInt16>(of: 0)
  /// For each row the first column something is seen in, and the one after the last.
  let spans = Grid<SIMD2<Int32>>(of: .zero)

  private static let binCount = 512

  /// Makes room for a shape, and forgets the last one.
  func begin(_ shape: SurfaceShape) {
    corners.resize(width: shape.places.count, height: 1)
    facing.resize(width: shape.triangles.count, height: 1)
    order.resize(width: shape.triangles.count, height: 1)
    patchMemory.resize(width: shape.triangles.count, height: 1)
    edgeMemory.resize(width: 3 * shape.triangles.count, height: 1)
    (patchCount, edgeCount, isReversed) = (0, 0, false)
  }

  /// What was added, to be read by any number of threads.
  var patches: Row<SurfacePatch> { patchMemory.row(0)[0..<patchCount] }
  var edges: Row<SurfaceEdge> { edgeMemory.row(0)[0..<edgeCount] }

  func add(_ patch: SurfacePatch) {
    patchMemory.row(0)[patchCount] = patch
    patchCount += 1
  }

  func add(_ edge: SurfaceEdge) {
    edgeMemory.row(0)[edgeCount] = edge
    edgeCount += 1
  }

  /// Puts the numbers of triangles in order, the farthest first, by the sums of their corners'
  /// nearnesses.
  func sort(_ shape: SurfaceShape) {
    let (corners, order, bins) = (corners.row(0), order.row(0), bins.row(0))
    func nearness(_ index: Int) -> Double {
      let t = shape.triangles[index]
      return corners[t.a].nearness + corners[t.b].nearness + corners[t.c].nearness
    }
    var (low, high) = (Double.infinity, -Double.infinity)
    for index in 0..<order.count {
      let value = nearness(index)
      (low, high) = (min(low, value), max(high, value))
    }
    let scale = high > low ? Double(Self.binCount - 1) / (high - low) : 0
    bins.fill(0)
    for index in 0..<order.count { bins[Int((nearness(index) - low) * scale) + 1] &+= 1 }
    for bin in 1..<bins.count { bins[bin] &+= bins[bin - 1] }
    for index in 0..<order.count {
      let bin = Int((nearness(index) - low) * scale)
      order[Int(bins[bin])] = UInt16(truncatingIfNeeded: index)
      bins[bin] &+= 1
    }
  }

  /// Makes the lists of rows of all that was added, and finds the columns of `rows`, some of them, in
  /// which anything is seen; false where there is more of it than any face has.
  func list(_ all: Range<Int>, seen rows: Range<Int>, atMost most: Int) -> Bool {
    let (patches, edges) = (patches, edges)
    stretches.reset(all)
    edgeLists.reset(all)
    for i in 0..<patches.count { stretches.reserve(patches[i].rows) }
    for i in 0..<edges.count { edgeLists.reserve(edges[i].rows) }
    guard stretches.count <= most, edgeLists.count <= most else { return false }
    stretches.lay()
    edgeLists.lay()
    spans.resize(width: rows.count, height: 1)
    let spans = spans.row(0)
    spans.fill(SIMD2(.max, .min))
    @inline(__always)
    func see(_ row: Int, _ first: Int32, _ end: Int32) {
      let at = row &- rows.lowerBound
      guard first < end, UInt(bitPattern: at) < UInt(bitPattern: spans.count) else { return }
      spans[at] = SIMD2(min(spans[at].x, first), max(spans[at].y, end))
    }
    for i in 0..<patches.count {
      let (patch, number) = (patches[i], UInt16(truncatingIfNeeded: i))
      stretches.add(patch.rows) { row in
        let stretch = patch.stretch(row, number)
        if patch.isSeen { see(row, stretch.first, stretch.end) }
        return stretch
      }
    }
    for i in 0..<edges.count {
      let (edge, number) = (edges[i], UInt16(truncatingIfNeeded: i))
      edgeLists.add(edge.rows) { row in
        let near = edge.columns(row)
        if edge.isSeen {
          see(
            row, Int32(truncatingIfNeeded: near.lowerBound),
            Int32(truncatingIfNeeded: near.upperBound))
        }
        return number
      }
    }
    for i in 0..<spans.count where spans[i].x >= spans[i].y { spans[i] = .zero }
    return true
  }
}
