package import Pixels

/// Whether a place is inside a polygon.
package func isInside(_ ring: [Point], _ place: Point) -> Bool {
  var isInside = false
  var a = ring[ring.count - 1]
  for b in ring {
    if (a.y <= place.y) != (b.y <= place.y),
      a.x + (b.x - a.x) * (place.y - a.y) / (b.y - a.y) > place.x
    {
      isInside.toggle()
    }
    a = b
  }
  return isInside
}

/// A flag for each pixel of a frame, by rows: whether it is inside any of the polygons.
package func pixels(inside rings: [[Point]], width: Int, height: Int) -> [Bool] {
  product(0..<height, 0..<width).map { y, x in
    rings.contains { isInside($0, Point(x: Double(x) + 0.5, y: Double(y) + 0.5)) }
  }
}

/// Indices of the pixels outside `flags` with a flagged pixel within `distance`; pixels closer than
/// that to the frame's border are excluded.
package func band(round flags: [Bool], width: Int, height: Int, distance: Int) -> [Int] {
  let disc: [(Int, Int)] = product(-distance...distance, -distance...distance)
    .filter { dy, dx in dy * dy + dx * dx <= distance * distance }
  let offsets = disc.map { dy, dx in dy * width + dx }
  let rows = distance..<max(distance, height - distance)
  let columns = distance..<max(distance, width - distance)
  let indices: [Int] = product(rows, columns).map { y, x in y * width + x }
  return indices.filter { index in
    !flags[index] && offsets.contains { flags[index + $0] }
  }
}
