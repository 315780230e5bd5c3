import Pixels

/// The tilings of a picture for faces that are too small for the detector in the whole picture.
package enum Tiles: String, Sendable, CaseIterable {
  case none, auto
  case two = "2x2"
  case three = "3x3"
}

/// A picture cut into overlapping square tiles: the detector's input has a fixed size, so a face is
/// larger in the input for a tile than for the whole picture.
///
/// A wide picture has fewer rows of tiles than columns: a tiling of 16:9 in two has two tiles, one
/// in three has six.
struct Tiling {
  /// The overlap, as a fraction of a tile's side.
  private static let overlap = 0.2

  /// In pixels of the upright picture; a tile may extend beyond it by a hundredth.
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

  /// The evenly spaced starts of tiles that cover a length.
  private static func starts(_ side: Double, along length: Double) -> [Double] {
    let remaining = length - side
    guard remaining > 0.03 * side else { return [remaining / 2] }
    let steps = (remaining / ((1 - overlap) * side) - 0.01).rounded(.up)
    return (0...Int(steps)).map { Double($0) * remaining / steps }
  }

  /// Whether a face may continue beyond the tile's edge: it is whole in another tile.
  func isCut(_ box: Rectangle, by tile: Rectangle) -> Bool {
    let (dx, dy) = (0.02 * box.width, 0.02 * box.height)
    return (tile.x > frame.x + dx && box.x < tile.x + dx)
      || (tile.y > frame.y + dy && box.y < tile.y + dy)
      || (tile.maxX < frame.maxX - dx && box.maxX > tile.maxX - dx)
      || (tile.maxY < frame.maxY - dy && box.maxY > tile.maxY - dy)
  }

  /// A detection in a tile, or in the whole picture.
  struct TiledDetection {
    let detection: Detection
    /// Picture pixels for each pixel of the detector's input.
    let pixelsPerSample: Double

    /// Whether the face is too small in the detector's input for an exact size.
    fileprivate var isCoarse: Bool { detection.box.width < 12 * pixelsPerSample }
  }

  /// The detections without duplicates, best score first: tiles overlap, and the whole picture
  /// contains them all.
  ///
  /// Coarse detections come last: a large coarse box could suppress two exact ones.
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
