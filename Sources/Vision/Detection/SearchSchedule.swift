/// The schedule of the detector: what it searches in which picture, so that tiling costs a film no
/// more runs.
struct SearchSchedule {
  /// The part of a picture that is searched.
  enum Scope: Equatable {
    case nothing
    case whole
    /// One tile of a tiling in two.
    case tile(Int)
    /// The whole picture and all tiles of a tiling in so many.
    case allTiles(Int)
    /// The whole picture, all halves, and thirds where such small faces are likely.
    case allScales
  }

  /// What the tracker requests.
  enum Request {
    /// No face is known.
    case anyFace
    /// All known faces are tracked.
    case newFaces
    /// Faces that were lost: in the whole picture, in one tile, or both.
    case lostFaces(inWhole: Bool, tile: Int?)
  }

  /// The searches since the scene began.
  private var searches = 0
  private var nextTileIndex = 0

  mutating func reset() { self = SearchSchedule() }

  /// The scope of the next picture; `count` is the number of tiles in two.
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
      // A large face is found a picture later, a small one a second later.
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
