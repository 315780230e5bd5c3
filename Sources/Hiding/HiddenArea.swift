package import Pixels

/// A part of a picture in which a face is, or may be.
package struct HiddenArea: Sendable, Equatable {
  /// Why it is hidden.
  package enum Cause: String, Sendable {
    /// The detector saw the face in this very frame.
    case seen
    /// The face was seen a while ago, and not since.
    case held
    /// It was seen before and is seen again later.
    case between
    /// It is seen only later.
    case ahead
    /// Nobody knows where faces are in this frame: all of it is hidden.
    case unknown
  }

  /// The face's number; 0 where it has none.
  package var id: UInt32
  package var cause: Cause
  /// The face itself, turned with the head, in pixels of the picture.
  package var face: Region
  /// Pixels by which it may be elsewhere, or larger, on every side.
  package var errorBound: Double
  /// The face's size from which its blocks are made, in pixels; steadier than the face.
  package var size: Double

  package init(id: UInt32 = 0, cause: Cause = .seen, face: Region, errorBound: Double = 0) {
    (self.id, self.cause, self.face, self.errorBound) = (id, cause, face, errorBound)
    size = face.size
  }

  /// The upright rectangle around what is hidden of it, in pixels; blocks may reach farther.
  package func bounds(_ settings: HideSettings) -> Rectangle { HideShape(self, settings).bounds }

  /// All of a picture, in which a face may be anywhere and as large as the picture.
  package static func wholeFrame(width: Int, height: Int) -> HiddenArea {
    let center = Point(x: Double(width) / 2, y: Double(height) / 2)
    // Larger by a pixel, so that no rounding leaves a line.
    var area = HiddenArea(
      cause: .unknown,
      face: Region(center: center, width: Double(width) + 2, height: Double(height) + 2))
    area.size = Double(min(width, height))
    return area
  }
}

extension Region {
  /// The side of a square as large as it.
  ///
  /// Not its width: a face in profile is narrow, and would get blocks as fine as that.
  package var size: Double { (width * height).squareRoot() }
}
