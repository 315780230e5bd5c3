import Faces
import Pixels

/// Which part of the picture is searched for hands next, and when.
struct WideSearch {
  /// Pictures between two searches while no hand is known, and while some are.
  private static let emptyInterval = 3, knownInterval = 6
  /// The side of the square around a face in widths of the face, and how far it is below the face.
  ///
  /// A hand is about as large as a face, so it has about 40 of the network's 192 pixels.
  private static let widths = 5.0, drop = 0.75
  /// The faces around which hands are sought.
  private static let maximumFaces = 4

  private var picturesSince = 1000
  private var nextSquare = 0

  /// The squares: the whole picture first, then around the faces, in pixels of the upright picture.
  static func squares(in frame: Rectangle, _ faces: [Rectangle]) -> [Region] {
    let side = max(frame.width, frame.height)
    let whole = Region(center: frame.center, width: side, height: side)
    let around = faces.prefix(maximumFaces).map { box in
      let width = min(box.width, box.height)
      return Region(
        center: box.center + Point(x: 0, y: drop * width), width: widths * width,
        height: widths * width)
    }
    // Around a face that fills the picture the square is the picture again.
    return [whole] + around.filter { $0.width < 0.8 * side }
  }

  /// The number of the square that is searched in this picture; nil for none.
  mutating func next(of count: Int, hasHands: Bool) -> Int? {
    picturesSince += 1
    guard picturesSince >= (hasHands ? Self.knownInterval : Self.emptyInterval) else { return nil }
    picturesSince = 0
    defer { nextSquare += 1 }
    return nextSquare % count
  }
}
