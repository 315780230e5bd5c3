package import Pixels

/// An area of a picture in which a face is, or may be.
package struct HiddenArea: Sendable, Equatable {
  /// Why it is hidden.
  package enum Cause: String, Sendable {
    /// The face was detected in this frame.
    case seen
    /// The face was detected earlier, and not since.
    case held
    /// It was detected earlier and later.
    case between
    /// It is detected only later.
    case ahead
    /// The positions of faces in this frame are unknown: all of it is hidden.
    case unknown
  }

  /// The face's id; 0 without one.
  package var id: UInt32
  package var cause: Cause
  /// The face's region, rotated with the head, in pixels.
  package var face: Region
  /// Error bound in pixels by which the region is extended on each side.
  package var errorBound: Double
  /// Factor of the margin: larger than 1 where the region is known from a box alone.
  package var marginScale = 1.0
  /// The face's size in pixels that scales blocks; it changes more slowly than the region.
  package var size: Double

  package init(id: UInt32 = 0, cause: Cause = .seen, face: Region, errorBound: Double = 0) {
    (self.id, self.cause, self.face, self.errorBound) = (id, cause, face, errorBound)
    size = face.size
  }

  /// The bounding rectangle of the hidden area, in pixels; blocks may extend beyond.
  package func bounds(_ settings: HideSettings) -> Rectangle { HideShape(self, settings).bounds }

  /// The whole picture, with a face as large as it.
  package static func wholeFrame(width: Int, height: Int) -> HiddenArea {
    let center = Point(x: Double(width) / 2, y: Double(height) / 2)
    // One pixel larger, so that rounding leaves no line.
    var area = HiddenArea(
      cause: .unknown,
      face: Region(center: center, width: Double(width) + 2, height: Double(height) + 2))
    area.size = Double(min(width, height))
    return area
  }
}

extension Region {
  /// The side of a square of the same area.
  ///
  /// The width is not used: a face in profile is narrow, and would get finer blocks.
  package var size: Double { (width * height).squareRoot() }
}
