/// What the detector looks at in which picture, so that a film costs no more for its tiles.
struct SearchSchedule {
  /// What is looked at in one picture.
  enum Scope: Equatable {
    case nothing
    case whole
    /// One square of a tiling of halves.
    case square(Int)
    /// The whole and every square of a tiling by so many.
    case all(Int)
    /// The whole, all halves, and thirds where there may be faces that small.
    case everything
  }

  /// What the tracker waits for.
  enum Demand {
    /// Nobody is known.
    case nobody
    /// All that are known are being followed.
    case newcomers
    /// Faces to be found again: in the whole picture, or in one square, or both.
    case known(inWhole: Bool, square: Int?)
  }

  /// Pictures searched since the scene began.
  private var searches = 0
  private var squares = 0

  mutating func reset() { self = SearchSchedule() }

  /// The next picture's scope; `count` is the number of squares of halves.
  mutating func next(
    _ tiles: Tiles, _ demand: Demand, isStill: Bool, rests: Bool, count: Int
  ) -> Scope {
    defer { searches += 1 }
    switch tiles {
    case .two: return .all(2)
    case .three: return .all(3)
    case .auto where isStill: return .everything
    case .none, .auto: break
    }
    switch demand {
    case .nobody:
      guard searches % 2 == 1 else { return .whole }
      // A face in the whole picture is found a picture later, a small one a second later.
      return searches % 8 == 1 && tiles == .auto && count > 1
        ? turn(count) : rests ? .nothing : .whole
    case .newcomers:
      return searches % 3 == 2 && tiles == .auto && count > 1 ? turn(count) : .whole
    case .known(let inWhole, let square):
      guard let square else { return .whole }
      return inWhole && searches % 2 == 0 ? .whole : .square(square)
    }
  }

  private mutating func turn(_ count: Int) -> Scope {
    defer { squares += 1 }
    return .square(squares % count)
  }
}
