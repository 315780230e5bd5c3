/// A 1D or 3D table of colours over a domain.
struct CubeTable: Sendable {
  var size = 0
  var values: [SIMD3<Float>] = []
  /// The domain: the inputs of its first and last entries.
  var low = SIMD3<Double>.zero
  var high = SIMD3<Double>.one

  func checkDomain() throws(CubeLineError) {
    guard (0..<3).allSatisfy({ high[$0] - low[$0] > 1e-6 }) else {
      throw CubeLineError(reason: "DOMAIN_MAX must be greater than DOMAIN_MIN")
    }
  }

  /// The table's value for a colour; `interpolate` reads it at a position, 0 to `size` - 1 along
  /// each axis.
  ///
  /// Outside both 0...1 and the domain it is extrapolated linearly, for interpolation at the edge
  /// of the gamut; a domain that ends inside 0...1 is clamped.
  func lookUp(_ color: Color, _ interpolate: (Color) -> Color) -> Color {
    let bounded = color.clamped(
      lowerBound: low.replacing(with: SIMD3(repeating: -8), where: low .<= 0),
      upperBound: high.replacing(with: SIMD3(repeating: 8), where: high .>= 1))
    let last = Double(size - 1)
    let position = (bounded - low) / (high - low) * last
    let clamped = position.clamped(lowerBound: .zero, upperBound: SIMD3(repeating: last))
    let value = interpolate(clamped)
    guard clamped != position else { return value }
    var result = value
    for axis in 0..<3 where clamped[axis] != position[axis] {
      var neighbour = clamped
      neighbour[axis] += position[axis] > clamped[axis] ? -1 : 1
      let distance = abs(position[axis] - clamped[axis])
      result += (value - interpolate(neighbour)) * distance
    }
    return result
  }
}

/// The contents of a .cube file: curves (1D), a cube (3D), or curves before a cube.
package struct CubeFile: Sendable {
  let curve, cube: CubeTable?
  let readsVideoRange, writesVideoRange: Bool

  /// The colour map that it describes.
  package var map: ColorMap {
    ColorMap { color in
      var color = color
      if readsVideoRange { color = color * (219 / 255.0) + 16 / 255.0 }
      if let curve { color = curve.lookUp(color) { Self.interpolateCurves(curve, $0) } }
      if let cube { color = cube.lookUp(color) { Self.interpolateTetrahedron(cube, $0) } }
      return writesVideoRange ? (color - 16 / 255.0) * (255 / 219.0) : color
    }
  }

  private static func interpolateCurves(_ table: CubeTable, _ position: Color) -> Color {
    var result = Color.zero
    for axis in 0..<3 {
      let index = min(Int(position[axis]), table.size - 2)
      let (a, b) = (table.values[index][axis], table.values[index + 1][axis])
      result[axis] = Double(a) + (position[axis] - Double(index)) * Double(b - a)
    }
    return result
  }

  /// Tetrahedral interpolation: from the lower node along the axis with the largest fraction, and
  /// so on.
  private static func interpolateTetrahedron(_ table: CubeTable, _ position: Color) -> Color {
    let last = table.size - 2
    let node = SIMD3(
      min(Int(position.x), last), min(Int(position.y), last), min(Int(position.z), last))
    var fraction = position - Color(Double(node.x), Double(node.y), Double(node.z))
    let strides = SIMD3(1, table.size, table.size * table.size)
    var at = node.x + node.y * strides.y + node.z * strides.z
    var result = Color(table.values[at])
    for _ in 0..<3 {
      let axis = fraction.x >= max(fraction.y, fraction.z) ? 0 : fraction.y >= fraction.z ? 1 : 2
      let before = Color(table.values[at])
      at += strides[axis]
      result += (Color(table.values[at]) - before) * fraction[axis]
      fraction[axis] = -1
    }
    return result
  }
}
