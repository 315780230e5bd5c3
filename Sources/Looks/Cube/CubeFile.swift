/// A table of colours over a domain.
struct CubeTable: Sendable {
  var size = 0
  var values: [SIMD3<Float>] = []
  /// The inputs that its ends stand for.
  var low = SIMD3<Double>.zero
  var high = SIMD3<Double>.one

  func checkDomain() throws(CubeFault) {
    guard (0..<3).allSatisfy({ high[$0] - low[$0] > 1e-6 }) else {
      throw CubeFault(reason: "the domain's upper ends must lie above its lower ones")
    }
  }

  /// What the table has for a colour; `inside` reads it at a place, from 0 to `size` - 1 along each axis.
  ///
  /// What lies outside 0...1 and outside the domain goes on as a line, so that colours at the edge of
  /// what can be shown have neighbours beyond it; a domain that ends inside holds its last value.
  func value(_ color: Color, _ inside: (Color) -> Color) -> Color {
    let bounded = color.clamped(
      lowerBound: low.replacing(with: SIMD3(repeating: -8), where: low .<= 0),
      upperBound: high.replacing(with: SIMD3(repeating: 8), where: high .>= 1))
    let last = Double(size - 1)
    let place = (bounded - low) / (high - low) * last
    let held = place.clamped(lowerBound: .zero, upperBound: SIMD3(repeating: last))
    let value = inside(held)
    guard held != place else { return value }
    var result = value
    for axis in 0..<3 where held[axis] != place[axis] {
      var neighbour = held
      neighbour[axis] += place[axis] > held[axis] ? -1 : 1
      let distance = abs(place[axis] - held[axis])
      result += (value - inside(neighbour)) * distance
    }
    return result
  }
}

/// What a .cube file says: curves, a cube, or curves before a cube.
package struct CubeFile: Sendable {
  let curve, cube: CubeTable?
  let readsVideoRange, writesVideoRange: Bool

  /// The look that it describes.
  package var map: ColorMap {
    ColorMap { color in
      var color = color
      if readsVideoRange { color = color * (219 / 255.0) + 16 / 255.0 }
      if let curve { color = curve.value(color) { Self.curves(curve, $0) } }
      if let cube { color = cube.value(color) { Self.tetrahedron(cube, $0) } }
      return writesVideoRange ? (color - 16 / 255.0) * (255 / 219.0) : color
    }
  }

  private static func curves(_ table: CubeTable, _ place: Color) -> Color {
    var result = Color.zero
    for axis in 0..<3 {
      let index = min(Int(place[axis]), table.size - 2)
      let (a, b) = (table.values[index][axis], table.values[index + 1][axis])
      result[axis] = Double(a) + (place[axis] - Double(index)) * Double(b - a)
    }
    return result
  }

  /// Between four nodes: from the one below along the axis that is furthest on, and so forth.
  private static func tetrahedron(_ table: CubeTable, _ place: Color) -> Color {
    let last = table.size - 2
    let node = SIMD3(
      min(Int(place.x), last), min(Int(place.y), last), min(Int(place.z), last))
    var rest = place - Color(Double(node.x), Double(node.y), Double(node.z))
    let strides = SIMD3(1, table.size, table.size * table.size)
    var at = node.x + node.y * strides.y + node.z * strides.z
    var result = Color(table.values[at])
    for _ in 0..<3 {
      let axis = rest.x >= max(rest.y, rest.z) ? 0 : rest.y >= rest.z ? 1 : 2
      let before = Color(table.values[at])
      at += strides[axis]
      result += (Color(table.values[at]) - before) * rest[axis]
      rest[axis] = -1
    }
    return result
  }
}
