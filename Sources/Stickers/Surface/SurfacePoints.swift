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

  /// The part of a board that shows a part of its picture, both ends in shares of it.
  func part(from low: Point, to high: Point) -> SurfacePoints {
    guard let board else { return self }
    var part = board
    for index in 0..<4 {
      let share = Point(x: index & 1 == 0 ? low.x : high.x, y: index < 2 ? low.y : high.y)
      // Places times distances are linear on the board, as places are not.
      var (place, distance) = (Point3.zero, 0.0)
      for corner in 0..<4 {
        let weight =
          (corner & 1 == 0 ? 1 - share.x : share.x) * (corner < 2 ? 1 - share.y : share.y)
        let own = weight / board.corners[corner].nearness
        place = place + board.corners[corner].place * own
        distance += own
      }
      part.corners[index] = StickerBoard.Corner(
        place: place * (1 / distance), nearness: 1 / distance)
    }
    return SurfacePoints(part)
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
