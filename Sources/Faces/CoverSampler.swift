package import Pixels

/// Samples a `CoverMap` at the pixels of a frame, bilinearly.
///
/// Beyond the map nothing is covered. Keeps its memory from frame to frame; one thread at a time
/// may set it.
package final class CoverSampler {
  private var map = CoverMap()
  /// Cells by pixels: cell coordinate = pixel coordinate * scale + offset.
  private var scale = Point.zero
  private var offset = Point.zero
  /// The pixels that may be covered, clipped to the frame.
  package private(set) var columns = 0..<0
  package private(set) var rows = 0..<0
  /// A row of cells, interpolated between two, with a cell of 0 at each end.
  private let line = Grid<Float>(of: 0)

  package init() {}

  /// Sets the map, in a frame of this size in pixels, moved by `shift` pixels; false if it covers
  /// nothing.
  package func set(
    _ map: CoverMap, width: Int, height: Int, shift: Point = .zero
  ) -> Bool {
    (columns, rows) = (0..<0, 0..<0)
    guard !map.isEmpty, map.alpha.count >= map.width * map.height else { return false }
    let region = map.region.scaled(x: Double(width), y: Double(height))
    guard region.width > 1, region.height > 1, abs(region.x) < 1e6, abs(region.y) < 1e6,
      region.width < 1e6, region.height < 1e6, abs(shift.x) < 1e6, abs(shift.y) < 1e6
    else { return false }
    self.map.assign(map)
    scale = Point(x: Double(map.width) / region.width, y: Double(map.height) / region.height)
    offset = Point(
      x: 0.5 * scale.x - (region.x + shift.x) * scale.x - 0.5,
      y: 0.5 * scale.y - (region.y + shift.y) * scale.y - 0.5)
    func range(_ start: Double, _ length: Double, _ cell: Double, _ limit: Int) -> Range<Int> {
      let low = min(max(start - cell, 0), Double(limit))
      let high = min(max(start + length + cell + 1, low), Double(limit))
      return Int(low)..<Int(high)
    }
    columns = range(region.x + shift.x, region.width, 1 / scale.x, width)
    rows = range(region.y + shift.y, region.height, 1 / scale.y, height)
    line.resize(width: map.width + 2, height: 1)
    return !columns.isEmpty && !rows.isEmpty
  }

  /// Prepares `line` for a row of cells at vertical position `v`; false if nothing is covered there.
  private func interpolateLine(_ v: Double) -> Bool {
    guard v > -1, v < Double(map.height) else { return false }
    let upper = Int(v.rounded(.down))
    let weight = Float(v - Double(upper))
    let line = line.row(0)
    let width = map.width
    line[0] = 0
    line[width + 1] = 0
    let first = max(upper, 0) * width
    let second = min(upper + 1, map.height - 1) * width
    let (a, b) = (
      upper >= 0 ? (1 - weight) / 255 : 0, upper + 1 < map.height ? weight / 255 : 0
    )
    var most: UInt8 = 0
    for x in 0..<width {
      let (above, below) = (map.alpha[first &+ x], map.alpha[second &+ x])
      most = max(most, above, below)
      line[x &+ 1] = Float(above) * a + Float(below) * b
    }
    return most > 0
  }

  /// Writes how much of the face is visible, 65535 where nothing covers it, at the pixels of row
  /// `y` from column `first` on; false, and nothing is written, if all of it is.
  package func writeVisibility(row y: Int, from first: Int, into target: Row<UInt16>) -> Bool {
    guard rows.contains(y), first < columns.upperBound, first + target.count > columns.lowerBound,
      interpolateLine(Double(y) * scale.y + offset.y)
    else { return false }
    let line = line.row(0)
    let last = line.count - 1
    // One cell of 0 is at the beginning.
    let start = Float(Double(first) * scale.x + offset.x + 1)
    let step = Float(scale.x)
    for i in 0..<target.count {
      let position = min(max(start + step * Float(i), 0), Float(last))
      let cell = min(Int(position), last - 1)
      let weight = position - Float(cell)
      let alpha = line[cell] + (line[cell &+ 1] - line[cell]) * weight
      target[i] = UInt16(truncatingIfNeeded: nearest((1 - min(alpha, 1)) * 65535))
    }
    return true
  }

  /// How much of the face is visible at a position in pixels, 0...1; (0, 0) is the corner of the
  /// first pixel.
  package func visibility(at position: Point) -> Float {
    let u = (position.x - 0.5) * scale.x + offset.x
    let v = (position.y - 0.5) * scale.y + offset.y
    guard u > -1, v > -1, u < Double(map.width), v < Double(map.height) else { return 1 }
    let (x, y) = (Int(u.rounded(.down)), Int(v.rounded(.down)))
    let (wx, wy) = (Float(u - Double(x)), Float(v - Double(y)))
    func cell(_ x: Int, _ y: Int) -> Float {
      x >= 0 && y >= 0 && x < map.width && y < map.height ? Float(map.alpha[y * map.width + x]) : 0
    }
    let upper = cell(x, y) + (cell(x + 1, y) - cell(x, y)) * wx
    let lower = cell(x, y + 1) + (cell(x + 1, y + 1) - cell(x, y + 1)) * wx
    return 1 - (upper + (lower - upper) * wy) / 255
  }
}
