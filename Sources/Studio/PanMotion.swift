import Glibc

/// The slow motion of the photograph, as of a hand-held camera.
package enum PanMotion {
  /// The top left corner of the crop at a time in seconds: within 0...`range`, in pixels.
  package static func corner(
    at seconds: Double, range: (width: Int, height: Int)
  ) -> (x: Int, y: Int) {
    func oscillate(_ period: Double, _ range: Int) -> Int {
      Int(((0.5 + 0.5 * sin(seconds * 2 * .pi / period)) * Double(range)).rounded())
    }
    return (oscillate(13, range.width), oscillate(9, range.height))
  }
}
