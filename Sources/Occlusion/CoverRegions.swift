import Pixels

/// Finds the regions of a texture that are covered, from the texels that differ from it.
///
/// A region is a connected set of texels that differ, with enough of them that differ much
/// (hysteresis, as J. Canny, "A Computational Approach to Edge Detection", 1986). Keeps its memory.
final class CoverRegions {
  typealias Mask = Grid<UInt8>

  private static let side = TextureLayout.side
  /// Set where the face is covered.
  let cover = Mask(width: side, height: side, of: 0)
  /// What is known of a texel: that it differs from the face, more and much; that it was covered.
  static let weak: UInt8 = 1, medium: UInt8 = 2, strong: UInt8 = 4, held: UInt8 = 8
  /// Sets of these.
  let marks = Mask(width: side, height: side, of: 0)
  private let counts = Grid<Int32>(width: side + 1, height: side + 1, of: 0)
  private var stack: [Int32] = []
  private var members: [Int32] = []

  /// The numbers of a region's texels, and of those with each mark.
  struct Region {
    var count = 0, medium = 0, strong = 0, held = 0
  }

  /// Sets `cover` to the regions of `marks` with more than `minimum` texels for which `isKept` is
  /// true.
  func keepRegions(minimum: Int, where isKept: (Region) -> Bool) {
    for y in 0..<Self.side { cover.row(y).fill(0) }
    forEachRegion(diagonals: true) { members, region in
      guard region.count > minimum, isKept(region) else { return }
      for index in members { set(index) }
    }
  }

  /// Sets texels of holes with fewer than `size` texels; only those that `layout` has are counted.
  func fillHoles(size: Int, _ isInside: [Bool]) {
    for y in 0..<Self.side {
      let (row, own) = (marks.row(y), cover.row(y))
      for x in 0..<Self.side { row[x] = own[x] == 0 && isInside[y * Self.side + x] ? 1 : 0 }
    }
    forEachRegion(diagonals: false) { members, _ in
      guard members.count < size else { return }
      for index in members { set(index) }
    }
  }

  private func set(_ index: Int32) {
    cover.row(Int(index) / Self.side)[Int(index) % Self.side] = 1
  }

  /// Calls `body` with the texels of each connected region of marks, and their numbers; clears the
  /// marks.
  private func forEachRegion(diagonals: Bool, _ body: ([Int32], Region) -> Void) {
    let side = Self.side
    for start in 0..<side * side {
      let mark = marks.row(start / side)[start % side]
      guard mark > 0 else { continue }
      members.removeAll(keepingCapacity: true)
      stack.removeAll(keepingCapacity: true)
      var region = Region()
      func visit(_ x: Int, _ y: Int) {
        guard x >= 0, y >= 0, x < side, y < side else { return }
        let row = marks.row(y)
        let own = row[x]
        guard own > 0 else { return }
        region.count += 1
        if own & Self.medium != 0 { region.medium += 1 }
        if own & Self.strong != 0 { region.strong += 1 }
        if own & Self.held != 0 { region.held += 1 }
        row[x] = 0
        stack.append(Int32(y * side + x))
      }
      visit(start % side, start / side)
      while let index = stack.popLast() {
        members.append(index)
        let (x, y) = (Int(index) % side, Int(index) / side)
        visit(x - 1, y)
        visit(x + 1, y)
        visit(x, y - 1)
        visit(x, y + 1)
        guard diagonals else { continue }
        visit(x - 1, y - 1)
        visit(x + 1, y - 1)
        visit(x - 1, y + 1)
        visit(x + 1, y + 1)
      }
      body(members, region)
    }
  }

  /// Closes gaps of the cover narrower than twice `radius`: dilation, then erosion by a square.
  func close(radius: Int) {
    transform(radius: radius) { $0 > 0 }
    transform(radius: radius) { $0 == $1 }
  }

  /// Dilates the cover by a square.
  func dilate(radius: Int) { transform(radius: radius) { $0 > 0 } }

  /// Sets each texel by `isSet` of the covered texels, and by all texels, of the square around it.
  private func transform(radius: Int, _ isSet: (Int32) -> Bool) {
    transform(radius: radius) { count, _ in isSet(count) }
  }

  private func transform(radius: Int, _ isSet: (Int32, Int32) -> Bool) {
    let side = Self.side
    // Sums over rectangles from the corner (F. Crow, "Summed-area tables", 1984).
    counts.row(0).fill(0)
    for y in 0..<side {
      let (row, above, out) = (cover.row(y), counts.row(y), counts.row(y + 1))
      var sum: Int32 = 0
      out[0] = 0
      for x in 0..<side {
        sum &+= Int32(row[x])
        out[x + 1] = above[x + 1] &+ sum
      }
    }
    for y in 0..<side {
      let (top, bottom) = (max(y - radius, 0), min(y + radius + 1, side))
      let (upper, lower, out) = (counts.row(top), counts.row(bottom), cover.row(y))
      for x in 0..<side {
        let (left, right) = (max(x - radius, 0), min(x + radius + 1, side))
        let count = lower[right] &- lower[left] &- upper[right] &+ upper[left]
        out[x] = isSet(count, Int32((bottom - top) * (right - left))) ? 1 : 0
      }
    }
  }
}
