import Pixels

/// In which parts of a picture the detector looks for faces that are small in the whole of it.
package enum Tiles: String, Sendable, CaseIterable {
  case none, auto
  case two = "2x2"
  case three = "3x3"
}

/// A picture cut into squares that overlap, so that the detector, whose input is always of the same
/// size, sees faces larger than in the whole picture.
///
/// As the detector's input is square, a wide picture needs fewer rows of them than columns: of
/// 16:9, halves are two squares and thirds are six.
struct Tiling {
  /// Of a square's side.
  private static let overlap = 0.2

  /// In pixels of the upright picture; they may stand out of it by a hundredth.
  let squares: [Rectangle]
  private let frame: Rectangle

  /// `number` squares along the picture's longer side.
  init(_ number: Int, of frame: Rectangle) {
    self.frame = frame
    let side = max(frame.width, frame.height) / (Double(number) * (1 - Self.overlap) + Self.overlap)
    let (columns, rows) = (
      Self.starts(side, along: frame.width), Self.starts(side, along: frame.height)
    )
    squares = rows.flatMap { y in
      columns.map { Rectangle(x: $0, y: y, width: side, height: side) }
    }
  }

  /// Where squares begin that cover a length evenly.
  private static func starts(_ side: Double, along length: Double) -> [Double] {
    let rest = length - side
    guard rest > 0.03 * side else { return [rest / 2] }
    let steps = (rest / ((1 - overlap) * side) - 0.01).rounded(.up)
    return (0...Int(steps)).map { Double($0) * rest / steps }
  }

  /// Whether a face found in a square may go on beyond the square's edge: another square has it
  /// whole.
  func isCut(_ box: Rectangle, by square: Rectangle) -> Bool {
    let (dx, dy) = (0.02 * box.width, 0.02 * box.height)
    return (square.x > frame.x + dx && box.x < square.x + dx)
      || (square.y > frame.y + dy && box.y < square.y + dy)
      || (square.maxX < frame.maxX - dx && box.maxX > square.maxX - dx)
      || (square.maxY < frame.maxY - dy && box.maxY > square.maxY - dy)
  }

  /// Something found in a square, or in the whole picture.
  struct Find {
    let detection: Detection
    /// Pixels of the picture for one of the detector's input.
    let step: Double

    /// Of a face of a few pixels in its input the detector knows the place, not the size.
    fileprivate var isCoarse: Bool { detection.box.width < 12 * step }
  }

  /// Each face once, best score first: squares overlap, and the whole picture shows them all.
  ///
  /// What is coarse counts after what is not, or it would stand for the faces beside it too.
  static func joined(_ finds: [Find]) -> [Detection] {
    var faces: [Detection] = []
    for find in finds.sorted(by: isBefore) {
      let box = find.detection.box
      let isThere = faces.contains {
        $0.box.iou(box) > 0.3
          || $0.box.intersection(box).area > 0.6 * min($0.box.area, box.area)
      }
      if !isThere { faces.append(find.detection) }
    }
    return faces.sorted { $0.score > $1.score }
  }

  private static func isBefore(_ a: Find, _ b: Find) -> Bool {
    if a.isCoarse != b.isCoarse { return b.isCoarse }
    if a.isCoarse && a.step != b.step { return a.step < b.step }
    return a.detection.score > b.detection.score
  }
}
