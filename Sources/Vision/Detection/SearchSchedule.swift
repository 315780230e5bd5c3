import Pixels

/// One run of a detector.
enum Search: Equatable, Sendable {
  case whole
  /// A tile of the tiling with `level` + 1 tiles along the longer side.
  case tile(level: Int, index: Int)
  /// The detector for turned faces, on the whole picture; also on the picture turned upside down.
  case turned(upsideDown: Bool)
  /// The surroundings of a face, as finely as it needs; an eighth of the cost of the others.
  case near(Rectangle)

  var isNear: Bool { if case .near = self { true } else { false } }
}

/// The schedule of the detectors: which parts of a film's picture are searched, so that small and
/// turned faces cost few runs.
struct SearchSchedule {
  /// What a picture needs.
  struct Request {
    /// The number of known faces, tentative ones included.
    var faces: Int
    /// Whether new faces are searched for, which is done in intervals.
    var isDue: Bool
    /// Whether no further face would be reported.
    var isFull = false
    /// Searches for faces that were lost, or are not confirmed yet.
    var targets: [Search]
    /// Whether all known faces that are to be detected again have close-ups of their own.
    var hasCloseUps = false
    /// The tiling that the known faces need; 0 for none.
    var level: Int
    /// The number of tiles for each level.
    var tileCounts: [Int]
    /// Whether pictures may be left out while no face is known.
    var mayRest: Bool
  }

  /// Above these numbers of small faces every picture is searched, once or twice.
  private static let crowd = 4, largeCrowd = 12
  /// The maximum number of close-ups in a picture.
  static let maximumCloseUps = 8

  /// The requests, searches for new faces, and runs in tiles since the scene began.
  private var requests = 0
  private var searches = 0
  private var nextTile = 0
  private var nextTarget = 0

  mutating func reset() { self = SearchSchedule() }

  /// The searches of the next picture, without close-ups.
  mutating func next(_ tiles: Tiles, _ request: Request) -> [Search] {
    defer { requests += 1 }
    let counts = tiles == .auto ? request.tileCounts : [1, 1, 1]
    let chosen =
      request.faces == 0
      ? searchEmptyPicture(counts, request) : searchKnownFaces(counts, request)
    switch tiles {
    case .two: return withAllTiles(chosen, level: 1, request)
    case .three: return withAllTiles(chosen, level: 2, request)
    case .none, .auto: return chosen
    }
  }

  /// The whole picture and all tiles of a level in place of either, if anything is searched.
  private func withAllTiles(_ chosen: [Search], level: Int, _ request: Request) -> [Search] {
    guard !chosen.isEmpty else { return [] }
    let turned = chosen.filter { if case .turned = $0 { true } else { false } }
    return [.whole] + (0..<request.tileCounts[level]).map { .tile(level: level, index: $0) }
      + turned
  }

  private mutating func searchKnownFaces(_ counts: [Int], _ request: Request) -> [Search] {
    var runs = request.isDue && !request.isFull ? 1 : 0
    if request.level > 0, !request.isFull {
      if request.faces > Self.crowd { runs = 1 }
      if request.faces > Self.largeCrowd { runs = 2 }
    }
    var chosen: [Search] = []
    if !request.targets.isEmpty, request.faces <= Self.crowd || !request.hasCloseUps {
      chosen.append(request.targets[nextTarget % request.targets.count])
      nextTarget += 1
    }
    while chosen.count < runs {
      let search = nextSearch(counts, level: request.level)
      if !chosen.contains(search) { chosen.append(search) } else { runs -= 1 }
    }
    return chosen
  }

  /// The whole picture in every second one; between, seldom a tile or a turned picture.
  private mutating func searchEmptyPicture(_ counts: [Int], _ request: Request) -> [Search] {
    guard requests % 2 == 1 else { return [.whole] }
    switch requests % 8 {
    case 1 where counts[1] > 1: return [tile(level: 1, of: counts[1])]
    case 3: return [.turned(upsideDown: false)]
    case 5 where requests % 16 == 5: return [.turned(upsideDown: true)]
    default: return request.mayRest ? [] : [.whole]
    }
  }

  private mutating func nextSearch(_ counts: [Int], level: Int) -> Search {
    defer { searches += 1 }
    if level > 0, counts[level] > 1 {
      // All tiles in turn, and the whole picture once a round.
      let round = counts[level] + 1
      switch searches % round {
      case 0: return searches / round % 2 == 1 ? .turned(upsideDown: false) : .whole
      default: return tile(level: level, of: counts[level])
      }
    }
    switch searches % 6 {
    case 1: return .turned(upsideDown: searches % 18 == 1)
    case 3 where counts[1] > 1: return tile(level: 1, of: counts[1])
    default: return .whole
    }
  }

  private mutating func tile(level: Int, of count: Int) -> Search {
    defer { nextTile += 1 }
    return .tile(level: level, index: nextTile % count)
  }
}
