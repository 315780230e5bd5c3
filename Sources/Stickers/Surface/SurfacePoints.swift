import Pixels

/// Where the corners of a shape are: in pixels of the picture, and how near.
struct SurfacePoints {
  private let points: [Point3]
  private let offset: Point
  private let focus: Double
  private let board: StickerBoard?

  /// Points of a mesh on a picture of this size, moved by `offset`.
  ///
  /// Their places are those in the picture; their depths, in its pixels, tell how near they are to a
  /// camera as far away as the picture's longer side is long.
  init(_ points: [Point3], offset: Point, width: Int, height: Int) {
    (self.points, self.offset) = (points, offset)
    focus = Double(max(width, height, 1))
    board = nil
  }

  init(_ board: StickerBoard) {
    (points, offset, focus) = ([], .zero, 1)
    self.board = board
  }

  /// How long the upper and the left side of a board are in the picture.
  var sides: (across: Double, down: Double) {
    guard let board else { return (0, 0) }
    let corners = board.corners
    return (
      (corners[1].place - corners[0].place).flat.length,
      (corners[2].place - corners[0].place).flat.length
    )
  }

  var count: Int { board == nil ? points.count : 4 }

  subscript(index: Int) -> (place: Point, nearness: Double) {
    if let board {
      let corner = board.corners[index]
      return (corner.place.flat, corner.nearness)
    }
    let point = points[index]
    return (point.flat + offset, focus / max(focus + point.z, 0.1 * focus))
  }

  /// How deep a point of a mesh is, in pixels.
  func depth(_ index: Int) -> Double { points[index].z }
}
