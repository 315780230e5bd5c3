package import Pixels

/// A flag for each pixel of a frame, by rows: whether it is inside any of the polygons.
package func pixels(inside rings: [[Point]], width: Int, height: Int) -> [Bool] {
  var result = [Bool](repeating: false, count: width * height)
  for ring in rings {
    for y in 0..<height {
      let line = Double(y) + 0.5
      for x in 0..<width {
        var isInside = false
        var a = ring[ring.count - 1]
        for b in ring {
          if (a.y <= line) != (b.y <= line),
            a.x + (b.x - a.x) * (line - a.y) / (b.y - a.y) > Double(x) + 0.5
          {
            isInside.toggle()
          }
          a = b
        }
        if isInside { result[y * width + x] = true }
      }
    }
  }
  return result
}

/// Indices of the pixels outside `flags` with a flagged pixel within `distance`; pixels closer than
/// that to the frame's border are excluded.
package func band(round flags: [Bool], width: Int, height: Int, distance: Int) -> [Int] {
  var result: [Int] = []
  for y in distance..<max(distance, height - distance) {
    for x in distance..<max(distance, width - distance) where !flags[y * width + x] {
      var isNear = false
      for v in -distance...distance where !isNear {
        for u in -distance...distance where u * u + v * v <= distance * distance {
          if flags[(y + v) * width + x + u] {
            isNear = true
            break
          }
        }
      }
      if isNear { result.append(y * width + x) }
    }
  }
  return result
}
