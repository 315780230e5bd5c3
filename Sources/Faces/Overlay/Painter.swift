import Pixels

/// Draws clipped shapes of one colour into a picture of any format, at each component's own
/// resolution.
struct Painter: ~Copyable {
  private let components: [Component]
  /// The components of a picture of more than 8 bits, which has no `components`.
  private let deepComponents: [DeepComponent]
  private let shifts: [(h: Int, v: Int)]
  private let codes: [Float]
  let width, height: Int

  /// Red, green and blue are 0...255; the picture must be writable.
  init(_ picture: borrowing Picture, red: Float, green: Float, blue: Float) {
    (width, height) = (picture.width, picture.height)
    let layout = picture.format.layout
    let isDeep = layout.bitDepth > 8
    components = isDeep ? [] : (0..<layout.componentCount).map { picture.component($0) }
    deepComponents = isDeep ? (0..<layout.componentCount).map { picture.deepComponent($0) } : []
    shifts = layout.components.map { ($0.hShift, $0.vShift) }
    let ycc = picture.colorimetry.ycc(r: red, g: green, b: blue)
    let codes =
      layout.family == .rgb ? [red, green, blue, 255] : [ycc.y, ycc.cb, ycc.cr, 255]
    let scale = Float(1 << (layout.bitDepth - 8))
    self.codes = codes.map { (max(0, min($0, 255)) * scale).rounded() }
  }

  /// Fills columns `x` and rows `y`.
  borrowing func fill(x: Range<Int>, y: Range<Int>) {
    let (columns, rows) = (x.clamped(to: 0..<width), y.clamped(to: 0..<height))
    guard !columns.isEmpty, !rows.isEmpty else { return }
    func samples(_ index: Int) -> (x: ClosedRange<Int>, y: ClosedRange<Int>) {
      let (h, v) = shifts[index]
      return (
        (columns.lowerBound >> h)...((columns.upperBound - 1) >> h),
        (rows.lowerBound >> v)...((rows.upperBound - 1) >> v)
      )
    }
    for (index, component) in components.enumerated() {
      let (area, code) = (samples(index), UInt8(codes[index]))
      for y in area.y { for x in area.x { component[x, y] = code } }
    }
    for (index, component) in deepComponents.enumerated() {
      // An opaque alpha is all ones.
      let code = index == 3 ? component.maximum : UInt16(codes[index])
      let area = samples(index)
      for y in area.y { for x in area.x { component[x, y] = code } }
    }
  }

  /// Fills a square of `size` pixels round a point, unless it is far outside the picture.
  borrowing func drawDot(_ center: Point, size: Int) {
    guard let x = rounded(center.x), let y = rounded(center.y) else { return }
    fill(x: (x - size / 2)..<(x - size / 2 + size), y: (y - size / 2)..<(y - size / 2 + size))
  }

  /// Draws a line of `thickness` pixels, unless one end is far outside the picture.
  borrowing func drawLine(from a: Point, to b: Point, thickness: Int) {
    guard rounded(a.x) != nil, rounded(a.y) != nil, rounded(b.x) != nil, rounded(b.y) != nil else {
      return
    }
    let steps = max(1, max(abs(b.x - a.x), abs(b.y - a.y)).rounded(.up))
    for step in 0...Int(steps) {
      drawDot(a + (b - a) * (Double(step) / steps), size: thickness)
    }
  }

  /// Draws the outline of a rectangle inside its edge.
  borrowing func drawOutline(_ box: Rectangle, thickness: Int) {
    guard let left = rounded(box.x), let top = rounded(box.y), let right = rounded(box.maxX),
      let bottom = rounded(box.maxY), right >= left, bottom >= top
    else { return }
    fill(x: left..<right, y: top..<min(top + thickness, bottom))
    fill(x: left..<right, y: max(bottom - thickness, top)..<bottom)
    fill(x: left..<min(left + thickness, right), y: top..<bottom)
    fill(x: max(right - thickness, left)..<right, y: top..<bottom)
  }

  /// Draws a number with digits of 3 x 5 cells of `cell` pixels, its top left corner at (x, y).
  borrowing func drawNumber(_ value: UInt32, x: Int, y: Int, cell: Int) {
    for (position, digit) in String(value).utf8.enumerated() {
      let rows = Self.digits[Int(digit - UInt8(ascii: "0"))]
      for (row, bits) in rows.enumerated() {
        for column in 0..<3 where bits & (4 >> column) != 0 {
          let left = x + (position * 4 + column) * cell
          fill(x: left..<left + cell, y: y + row * cell..<y + (row + 1) * cell)
        }
      }
    }
  }

  /// Rounds a coordinate; nil for one far outside the picture, and for NaN.
  private borrowing func rounded(_ value: Double) -> Int? {
    let far = Double(4 * max(width, height))
    return value > -far && value < far ? Int(value.rounded()) : nil
  }

  /// The rows of the digits 0 to 9, three bits each.
  private static let digits: [[UInt8]] = [
    [7, 5, 5, 5, 7], [2, 6, 2, 2, 7], [7, 1, 7, 4, 7], [7, 1, 7, 1, 7], [5, 5, 7, 1, 1],
    [7, 4, 7, 1, 7], [7, 4, 7, 5, 7], [7, 1, 2, 2, 2], [7, 5, 7, 5, 7], [7, 5, 7, 1, 7],
  ]
}
