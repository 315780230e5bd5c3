package import Pixels

#if canImport(Glibc)
  import Glibc
#endif

/// A face that a made scene drew, with its known place.
package struct FaceTruth: Sendable, Equatable {
  /// The upright box around the face's ellipse from the brow to the chin, in pixels, not clipped.
  package var box: Rectangle
  /// The width of the face itself, which is not enlarged by its rotation.
  package var width: Double
  /// The number of the person in the scene.
  package var person: Int
  /// The fraction of the ellipse that is inside the frame and not covered by others, 0...1.
  package var visible: Double

  package init(box: Rectangle, width: Double, person: Int, visible: Double) {
    (self.box, self.width, self.person, self.visible) = (box, width, person, visible)
  }

  /// Whether a finder has to find the face.
  package var isDue: Bool { width > 24 && visible >= 0.7 }

  /// Whether a position in the frame is inside the ellipse in the box.
  package func contains(_ x: Double, _ y: Double) -> Bool {
    let (u, v) = ((x - box.center.x) / box.width, (y - box.center.y) / box.height)
    return u * u + v * v <= 0.25
  }

  /// The upright box around an ellipse of this size, rotated about its centre by radians.
  package static func box(
    around center: Point, width: Double, height: Double, angle: Double
  ) -> Rectangle {
    let (c, s) = (cos(angle), sin(angle))
    let across = (width * width * c * c + height * height * s * s).squareRoot()
    let down = (width * width * s * s + height * height * c * c).squareRoot()
    return Rectangle(x: center.x - across / 2, y: center.y - down / 2, width: across, height: down)
  }
}
