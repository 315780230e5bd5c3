import Pixels

/// In which parts of a picture the detector looks for faces that are small in the whole of it.
package enum Tiles: String, Sendable, CaseIterable {
  case none, auto
  case two = "2x2"
  case three = "3x3"
}

/// A picture cut into tiles that overlap, so that the detector, whose input is always of the same
/// size, sees faces larger than in the whole picture.
///
/// As the detector's input is tile, a wide picture needs fewer rows of them than columns: of
/// 16:9, halves are two tiles and thirds are six.
struct Tiling {
  /// Of a tile's side.
  private static let overlap = 0.2

  /// In pixels of the upright picture; they may stand out of it by a hundredth.
  let tiles: [Rectangle]
  private let frame: Rectangle

  /// `number` tiles along the picture's longer side.
  init(_ number: Int, of frame: Rectangle) {
    self.frame = frame
    let side = max(frame.width, frame.height) / (Double(number) * (1 - Self.overlap) + Self.overlap)
    let (columns, rows) = (
      Self.starts(side, along: frame.width), Self.starts(side, along: frame.height)
    )
    tiles = rows.flatMap { y in
      columns.map { Rectangle(x: $0, y: y, width: side, height: side) }
    }
  }

  /// Where tiles begin that cover a length evenly.
  private static func starts(_ side: Double, along length: Double) -> [Double] {
    let rest = length - side
    guard rest > 0.03 * side else { return [rest / 2] }
    let steps = (rest / ((1 - overlap) * side) - 0.01).rounded(.up)
    return (0...Int(steps)).map { Double($0) * rest / steps }
  }

  /// Whether a face found in a tile may go on beyond the tile's edge: another tile has it
  /// whole.
  func isCut(_ box: Rectangle, by tile: Rectangle) -> Bool {
    let (dx, dy) = (0.02 * box.width, 0.02 * box.height)
    return (tile.x > frame.x + dx && box.x < tile.x + dx)
      || (tile.y > frame.y + dy && box.y < tile.y + dy)
      || (tile.maxX < frame.maxX - dx && box.maxX > tile.maxX - dx)
      || (tile.maxY < frame.maxY - dy && box.maxY > tile.maxY - dy)
  }

  /// Something found in a tile, or in the whole picture.
  struct TiledDetection {
    let detection: Detection
    /// Pixels of the picture for one of the detector's input.
    let pixelsPerSample: Double

    /// Of a face of a few pixels in its input the detector knows the place, not the size.
    fileprivate var isCoarse: Bool { detection.box.width < 12 * pixelsPerSample }
  }

  /// Each face once, best score first: tiles overlap, and the whole picture shows them all.
  ///
  /// What is coarse counts after what is not, or it would stand for the faces beside it too.
  static func mergeDuplicates(_ detections: [TiledDetection]) -> [Detection] {
    var faces: [Detection] = []
    for tiled in detections.sorted(by: isBefore) {
      let box = tiled.detection.box
      let isThere = faces.contains {
        $0.box.iou(box) > 0.3
          || $0.box.intersection(box).area > 0.6 * min($0.box.area, box.area)
      }
      if !isThere { faces.append(tiled.detection) }
    }
    return faces.sorted { $0.score > $1.score }
  }

  private static func isBefore(_ a: TiledDetection, _ b: TiledDetection) -> Bool {
    if a.isCoarse != b.isCoarse { return b.isCoarse }
    if a.isCoarse && a.pixelsPerSample != b.pixelsPerSample {
      return a.pixelsPerSample < b.pixelsPerSample
    }
    return a.detection.score > b.detection.score
  }
}
