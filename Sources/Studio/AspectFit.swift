/// A picture scaled to fit a view and centred in it.
package struct AspectFit: Equatable, Sendable {
  /// The picture's rectangle in the view's units.
  package let x, y, width, height: Double

  /// `picture`: the displayed size, which includes the pixel aspect ratio.
  package init(picture: (width: Double, height: Double), view: (width: Double, height: Double)) {
    guard picture.width > 0, picture.height > 0, view.width > 0, view.height > 0 else {
      (x, y, width, height) = (0, 0, 0, 0)
      return
    }
    let scale = min(view.width / picture.width, view.height / picture.height)
    (width, height) = (picture.width * scale, picture.height * scale)
    (x, y) = ((view.width - width) / 2, (view.height - height) / 2)
  }

  /// A point of the view as a pixel of the picture; nil beside the picture.
  package func picturePixel(
    _ point: (x: Double, y: Double), pixels: (width: Int, height: Int)
  ) -> (x: Double, y: Double)? {
    let (u, v) = ((point.x - x) / width, (point.y - y) / height)
    guard (0..<1).contains(u), (0..<1).contains(v) else { return nil }
    return (u * Double(pixels.width), v * Double(pixels.height))
  }

  /// The picture's size on the screen in pixels, at most `maximum`; both sides are even and at least 2.
  ///
  /// `scale`: screen pixels per unit of the view.
  package func screenSize(scale: Int, maximum: (width: Int, height: Int)) -> (
    width: Int, height: Int
  ) {
    let factor = min(1, Double(maximum.width) / max(1, width * Double(scale)))
    func even(_ side: Double) -> Int { max(2, Int((side * Double(scale) * factor).rounded()) & ~1) }
    return (even(width), even(height))
  }
}
