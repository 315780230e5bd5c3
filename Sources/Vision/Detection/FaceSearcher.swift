import Inference
import Pixels
import Threads

/// Runs the detectors on a picture or on parts of it: YuNet, which finds small faces and upright
/// ones, and BlazeFace's short-range network, which finds turned ones and those that fill the picture.
///
/// One thread at a time may use it.
final class FaceSearcher {
  /// With fewer samples along its longer side a face is detected in part, or together with the face
  /// beside it.
  static let exactSamples = 18.0
  /// With fewer samples most faces are not detected.
  private static let fewSamples = 12.0
  /// Samples along the longer side of YuNet's input.
  private static let inputSide = 320
  /// Samples along the sides of the input of close-ups, and along the longer side of a face in them.
  private static let closeUpSide = 96, closeUpSamples = 32.0
  /// The samples of a face from which a close-up shows it only in part, or a much larger one.
  private static let manySamples = 60.0
  /// What is searched, and how.
  struct Context {
    let view: UprightView
    let tiles: Tiles
    let minConfidence: Double
    let gain: Float
    let cancellation: CancellationFlag
  }

  private var model: (ONNXModel, ThreadPool?)?
  private var yuNet: YuNet?
  private var closeUpNet: YuNet?
  private var frame = Rectangle.zero
  var shortRange: FaceDetector?
  /// The tilings of the frame: none, halves, thirds.
  private var tilings: [Tiling] = []

  /// Whether YuNet is there; without it BlazeFace searches everything.
  var hasYuNet: Bool { model != nil }

  /// Installs YuNet; throws unless the model is YuNet's.
  func install(_ model: ONNXModel, threads: ThreadPool?) throws(ModelError) {
    yuNet = try YuNet(
      model, width: Self.inputSide, height: 192, threads: threads)
    closeUpNet = try YuNet(model, width: Self.closeUpSide, height: Self.closeUpSide)
    self.model = (model, threads)
    frame = .zero
  }

  func removeYuNet() { (model, yuNet, closeUpNet, frame) = (nil, nil, nil, .zero) }

  /// Prepares for pictures of this shape.
  func configure(_ frame: Rectangle) throws(ModelError) {
    guard frame != self.frame else { return }
    let size = YuNet.inputSize(of: frame, longerSide: Self.inputSide)
    if let (model, threads) = model, yuNet?.width != size.width || yuNet?.height != size.height {
      yuNet = try YuNet(model, width: size.width, height: size.height, threads: threads)
    }
    self.frame = frame
    tilings = (1...3).map { Tiling($0, of: frame, width: size.width, height: size.height) }
  }

  var tileCounts: [Int] { tilings.map(\.tiles.count) }

  /// The level of tiling, up to 2, in which a face of this size is detected exactly.
  func level(for box: Rectangle) -> Int {
    let size = max(box.width, box.height)
    return tilings.firstIndex { size >= Self.exactSamples * $0.pixelsPerSample } ?? 2
  }

  /// The search that detects a face of this size and position best; one that `isTurned` may be unseen
  /// by YuNet.
  func search(for box: Rectangle, _ tiles: Tiles, isTurned: Bool = false) -> Search {
    if isTurned, hasYuNet { return .turned(upsideDown: true) }
    let level = tiles == .none ? 0 : level(for: box)
    guard level > 0, tilings[level].tiles.count > 1 else { return .whole }
    return .tile(level: level, index: tilings[level].nearestTile(to: box))
  }

  /// Whether one of `searches` would probably detect a face there; one that `isTurned` only where the
  /// network for turned faces runs.
  func covers(_ searches: [Search], _ box: Rectangle, isTurned: Bool = false) -> Bool {
    let size = max(box.width, box.height)
    if isTurned, hasYuNet { return searches.contains(.turned(upsideDown: true)) }
    return searches.contains { search in
      switch search {
      case .whole: size >= Self.fewSamples * tilings[0].pixelsPerSample
      case .turned: false
      case .tile(let level, let index):
        size >= Self.fewSamples * tilings[level].pixelsPerSample
          && tilings[level].tiles[index].intersection(box).area > 0.99 * box.area
      case .near(let face):
        Self.covers(closeUp(of: face), box)
      }
    }
  }

  /// Whether one of `searches` detects a face there exactly.
  func coversExactly(_ searches: [Search], _ box: Rectangle) -> Bool {
    let size = max(box.width, box.height)
    return searches.contains { search in
      switch search {
      case .whole: size >= Self.exactSamples * tilings[0].pixelsPerSample
      case .tile(let level, _):
        size >= Self.exactSamples * tilings[level].pixelsPerSample && covers([search], box)
      case .turned, .near: false
      }
    }
  }

  // MARK: - Close-ups

  /// The square that a close-up of a face shows.
  private func closeUp(of face: Rectangle) -> Rectangle {
    let side = max(face.width, face.height) * Double(Self.closeUpSide) / Self.closeUpSamples
    return Rectangle(
      x: face.center.x - side / 2, y: face.center.y - side / 2, width: side, height: side)
  }

  /// Whether a face in `box` would be detected in a close-up.
  private static func covers(_ closeUp: Rectangle, _ box: Rectangle) -> Bool {
    let samples = max(box.width, box.height) / closeUp.width * Double(closeUpSide)
    return samples >= fewSamples && samples < manySamples
      && closeUp.intersection(box).area > 0.99 * box.area
  }

  /// The detection of the same face in a close-up, with a score and a box that are those of a larger
  /// face; nil if there is none, as of a box between two faces.
  func inCloseUp(
    _ detection: Detection, in picture: borrowing Picture, _ context: Context
  ) throws(ModelError) -> Detection? {
    let found = try run(.near(detection.box), in: picture, context)
    return found.filter { $0.box.iou(detection.box) > 0.3 }.max { $0.score < $1.score }
  }

  /// The detections of all `searches`, without duplicates, best first.
  func run(
    _ searches: [Search], in picture: borrowing Picture, _ context: Context
  ) throws(ModelError) -> [Detection] {
    var found: [Detection] = []
    for search in searches where !context.cancellation.isSet {
      found += try run(search, in: picture, context)
    }
    return Self.mergeDuplicates(found)
  }

  /// The detections in a picture of which nothing is known.
  ///
  /// The whole picture first; tiles, twice and then three times as fine, where a face is found that is
  /// too small to be exact, and its surroundings may hold smaller ones.
  func runAll(
    in picture: borrowing Picture, _ context: Context
  ) throws(ModelError) -> [Detection] {
    var found = try run(.whole, in: picture, context)
    var finest = 0
    switch context.tiles {
    case .none: break
    case .two: finest = 1
    case .three: finest = 2
    case .auto:
      for level in 1...2 where found.contains(where: isInexact) && tilings[level].tiles.count > 1 {
        found.removeAll(where: isInexact)
        found += try runTiles(level, in: picture, context)
        finest = level
      }
    }
    if context.tiles != .auto, finest > 0 { found += try runTiles(finest, in: picture, context) }
    if !context.cancellation.isSet {
      found += try run(.turned(upsideDown: true), in: picture, context)
    }
    return Self.mergeDuplicates(found)
  }

  private func runTiles(
    _ level: Int, in picture: borrowing Picture, _ context: Context
  ) throws(ModelError) -> [Detection] {
    var found: [Detection] = []
    for index in tilings[level].tiles.indices where !context.cancellation.isSet {
      found += try run(.tile(level: level, index: index), in: picture, context)
    }
    return found
  }

  /// Whether a detection is to be verified in a close-up: one of YuNet that is not large.
  func isUncertain(_ detection: Detection) -> Bool {
    detection.network == .yuNet && detection.samples < Self.manySamples
  }

  /// Whether a detection of YuNet has so few samples that it is often none.
  static func isCoarse(_ detection: Detection) -> Bool {
    detection.network == .yuNet && detection.samples < fewSamples
  }

  /// Whether a detection is too small to count before a finer search.
  private func isInexact(_ detection: Detection) -> Bool {
    detection.samples < Self.exactSamples && (detection.network == .yuNet || !hasYuNet)
  }

  private func run(
    _ search: Search, in picture: borrowing Picture, _ context: Context
  ) throws(ModelError) -> [Detection] {
    switch search {
    case .whole: return try detect(in: picture, context, yuNet)
    case .tile(let level, let index):
      let (tiling, tile) = (tilings[level], tilings[level].tiles[index])
      return try detect(in: picture, context, yuNet, tile).filter {
        !tiling.isCut($0.box, by: tile)
      }
    case .near(let face):
      let square = closeUp(of: face)
      return try detect(in: picture, context, closeUpNet, square).filter {
        $0.samples < Self.manySamples && !Tiling.isCut($0.box, by: square, of: frame)
      }
    case .turned(let upsideDown):
      let upright = try detectTurned(in: picture, context, quarters: 0)
      // An upright face resembles one that is upside down, with a lower score.
      return upsideDown
        ? Self.mergeOverlaps(upright + (try detectTurned(in: picture, context, quarters: 2)))
        : upright
    }
  }

  private func detect(
    in picture: borrowing Picture, _ context: Context, _ yuNet: YuNet?, _ tile: Rectangle? = nil
  ) throws(ModelError) -> [Detection] {
    guard let yuNet else {
      return try detectTurned(in: picture, context, quarters: 0, tile)
    }
    return try yuNet.detect(
      in: picture, orientation: context.view.orientation,
      minScore: YuNet.score(ofConfidence: context.minConfidence), tile: tile, gain: context.gain
    ).map { detection in
      var detection = detection
      detection.score = YuNet.confidence(ofScore: detection.score)
      return detection
    }
  }

  private func detectTurned(
    in picture: borrowing Picture, _ context: Context, quarters: Int, _ tile: Rectangle? = nil
  ) throws(ModelError) -> [Detection] {
    guard let shortRange else { return [] }
    let view = context.view
    let square = tile.map { tile in
      let side = max(tile.width, tile.height)
      return Rectangle(
        x: tile.center.x - side / 2, y: tile.center.y - side / 2, width: side, height: side)
    }
    return try shortRange.detect(
      in: picture, orientation: view.orientation,
      options: .init(minScore: context.minConfidence, count: 64, gain: context.gain), tile: square,
      quarters: quarters
    ).map { $0.mapped(by: view.normalizedToPixels) }
  }
}
