/// How a picture lies in the place that is there for it: whole, in the middle.
package struct Fit: Equatable, Sendable {
  /// In the place's own units.
  package let x, y, width, height: Double

  /// `picture` may have pixels that are not square: its sides are those that are seen.
  package init(picture: (width: Double, height: Double), place: (width: Double, height: Double)) {
    guard picture.width > 0, picture.height > 0, place.width > 0, place.height > 0 else {
      (x, y, width, height) = (0, 0, 0, 0)
      return
    }
    let scale = min(place.width / picture.width, place.height / picture.height)
    (width, height) = (picture.width * scale, picture.height * scale)
    (x, y) = ((place.width - width) / 2, (place.height - height) / 2)
  }

  /// Where a point of the place is in a picture of so many pixels; nil beside the picture.
  package func point(
    _ place: (x: Double, y: Double), pixels: (width: Int, height: Int)
  ) -> (x: Double, y: Double)? {
    let (along, down) = ((place.x - x) / width, (place.y - y) / height)
    guard (0..<1).contains(along), (0..<1).contains(down) else { return nil }
    return (along * Double(pixels.width), down * Double(pixels.height))
  }

  /// How many pixels of the screen the picture takes, and no more than it has.
  ///
  /// Both are even, and at least 2. `scale`: the screen's pixels in one unit of the place.
  package func pixels(scale: Int, most: (width: Int, height: Int)) -> (width: Int, height: Int) {
    let factor = min(1, Double(most.width) / max(1, width * Double(scale)))
    func even(_ side: Double) -> Int { max(2, Int((side * Double(scale) * factor).rounded()) & ~1) }
    return (even(width), even(height))
  }
}
