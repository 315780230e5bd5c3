/// Pixels from `left` up to `right` and from `top` up to `bottom`.
struct PixelBox {
  var left, top, right, bottom: Int

  var isEmpty: Bool { left >= right || top >= bottom }

  func intersects(_ other: PixelBox) -> Bool {
    left < other.right && other.left < right && top < other.bottom && other.top < bottom
  }

  func union(_ other: PixelBox) -> PixelBox {
    PixelBox(
      left: min(left, other.left), top: min(top, other.top), right: max(right, other.right),
      bottom: max(bottom, other.bottom))
  }
}
