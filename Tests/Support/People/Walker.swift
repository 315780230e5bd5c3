import Pixels

#if canImport(Glibc)
  import Glibc
#endif

/// A person that crosses a made street: a sprite with its path.
struct Walker {
  let sprite: PersonSprite
  /// The place of the face's centre in the middle of the film, and its motion a frame, in pixels.
  let middle: Point
  let speed: Double
  /// The change of the logarithm of the size over the whole film; positive for approaching persons.
  let approach: Double
  /// The amplitude in pixels, the frames of a period, and the phase of the vertical bob.
  let bob: (height: Double, period: Double, phase: Double)
  /// The row toward which persons shrink as they move away.
  let horizon: Double

  /// The person in one of `count` frames.
  func place(_ frame: Int, of count: Int) -> PlacedPerson {
    let offset = Double(frame) - Double(count) / 2
    let growth = approach * offset / Double(count)
    let step = sin(2 * .pi * (Double(frame) / bob.period + bob.phase))
    let center = Point(
      x: middle.x + speed * offset,
      y: horizon + (middle.y - horizon) * exp(growth) + bob.height * step)
    // The sprite has the largest size on the way.
    return PlacedPerson(sprite, at: center, scale: exp(growth - abs(approach) / 2))
  }
}
