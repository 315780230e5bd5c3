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

  /// The scale of the sprite, at most 1, at a time from -0.5 to 0.5.
  func scale(_ time: Double) -> Double { exp(approach * time - abs(approach) / 2) }

  /// The centre of the face in a frame.
  func place(_ frame: Int, of count: Int) -> (center: Point, scale: Double) {
    let offset = Double(frame) - Double(count) / 2
    let time = offset / Double(count)
    let step = sin(2 * .pi * (Double(frame) / bob.period + bob.phase))
    let center = Point(
      x: middle.x + speed * offset,
      y: horizon + (middle.y - horizon) * exp(approach * time) + bob.height * step)
    return (center, scale(time))
  }
}
