/// A closed ring of points.
enum Ring {
  /// Whether a position lies inside, by the crossings of the ring beside it (even-odd rule).
  static func contains(_ position: SIMD2<Float>, _ ring: [SIMD2<Float>]) -> Bool {
    guard var last = ring.last else { return false }
    var isInside = false
    for point in ring {
      if (point.y > position.y) != (last.y > position.y),
        position.x
          < (last.x - point.x) * (position.y - point.y) / (last.y - point.y) + point.x
      {
        isInside.toggle()
      }
      last = point
    }
    return isInside
  }
}
