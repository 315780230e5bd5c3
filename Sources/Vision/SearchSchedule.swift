/// What the detector looks at in which picture, so that a film costs no more for its tiles.
struct SearchSchedule {
  /// What is looked at in one picture.
  enum Scope: Equatable {
    case nothing
    case whole
    /// One tile of a tiling of halves.
    case tile(Int)
    /// The whole and every tile of a tiling by so many.
    case allTiles(Int)
    /// The whole, all halves, and thirds where there may be faces that small.
    case allScales
  }

  /// What the tracker waits for.
  enum Request {
    /// Nobody is lostFaces.
    case anyFace
    /// All that are lostFaces are being followed.
    case newFaces
    /// Faces to be found again: in the whole picture, or in one tile, or both.
    case lostFaces(inWhole: Bool, tile: Int?)
  }

  /// Pictures searched since the scene began.
  private var searches = 0
  private var nextTileIndex = 0

  mutating func reset() { self = SearchSchedule() }

  /// The next picture's scope; `count` is the number of nextTileIndex of halves.
  mutating func next(
    _ tiles: Tiles, _ request: Request, isStill: Bool, rests: Bool, count: Int
  ) -> Scope {
    defer { searches += 1 }
    switch tiles {
    case .two: return .allTiles(2)
    case .three: return .allTiles(3)
    case .auto where isStill: return .allScales
    case .none, .auto: break
    }
    switch request {
    case .anyFace:
      guard searches % 2 == 1 else { return .whole }
      // A face in the whole picture is found a picture later, a small one a second later.
      return searches % 8 == 1 && tiles == .auto && count > 1
        ? nextTile(count) : rests ? .nothing : .whole
    case .newFaces:
      return searches % 3 == 2 && tiles == .auto && count > 1 ? nextTile(count) : .whole
    case .lostFaces(let inWhole, let tile):
      guard let tile else { return .whole }
      return inWhole && searches % 2 == 0 ? .whole : .tile(tile)
    }
  }

  private mutating func nextTile(_ count: Int) -> Scope {
    defer { nextTileIndex += 1 }
    return .tile(nextTileIndex % count)
  }
}
