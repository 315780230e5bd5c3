import Pixels

/// Fills areas with one colour.
final class ColorFill {
  private let bytes = Grid<UInt8>(of: 0)

  func hide(
    _ picture: borrowing Picture, _ deep: DeepPlanes?, _ shape: HideShape, _ color: UInt32
  ) {
    let codes = Self.codes(color, picture.format, picture.colorimetry)
    let top = Self.clampedIndex(shape.bounds.y, picture.height)
    let bottom = Self.clampedIndex(shape.bounds.maxY + 1, picture.height)
    for plane in 0..<picture.format.layout.planeCount {
      let units = PlaneUnits(plane, picture)
      fillRow(units, codes, picture.plane(plane).rowBytes)
      for y in units.rows(top..<max(top, bottom)) {
        let (low, high) = (Double(y * units.pixelsDown), Double((y + 1) * units.pixelsDown))
        guard let span = shape.columns(from: low, to: high) else { continue }
        let left = Self.clampedIndex(span.lowerBound, picture.width)
        let right = Self.clampedIndex(span.upperBound.rounded(.up), picture.width)
        guard left < right else { continue }
        if units.hasFiller, let pixels = PackedPixels(picture) {
          pixels.fill(
            row: y, from: left, count: right - left, (codes[0], codes[1], codes[2]), alpha: 255)
          continue
        }
        let unitRange = units.units(left..<right)
        let count = min(unitRange.count * units.bytes, bytes.width)
        let first = unitRange.lowerBound * units.bytes
        picture.plane(plane).write(
          bytes.row(0)[..<count], row: y, from: first, skipping: units.padding)
        deep?.write(bytes.row(0)[..<count], component: plane, row: y, from: first)
      }
    }
  }

  private static func clampedIndex(_ value: Double, _ size: Int) -> Int {
    Int(min(max(value.rounded(.down), 0), Double(size)))
  }

  private func fillRow(_ units: PlaneUnits, _ codes: InlineArray<4, UInt8>, _ rowBytes: Int) {
    bytes.resize(width: rowBytes, height: 1)
    let line = bytes.row(0)
    for x in 0..<rowBytes { line[x] = codes[units.components[x % units.bytes] ?? 0] }
  }

  /// The codes of an ARGB colour in a format: its components, then alpha.
  static func codes(
    _ color: UInt32, _ format: PixelFormat, _ colorimetry: Colorimetry
  ) -> InlineArray<4, UInt8> {
    func byte(_ shift: UInt32) -> Float { Float(color &>> shift & 255) }
    let (r, g, b, alpha) = (byte(16), byte(8), byte(0), UInt8(color &>> 24))
    if format.family == .rgb { return [nearestByte(r), nearestByte(g), nearestByte(b), alpha] }
    let ycc = colorimetry.ycc(r: r, g: g, b: b)
    return [nearestByte(ycc.y), nearestByte(ycc.cb), nearestByte(ycc.cr), alpha]
  }
}
