/// Procedural backgrounds that differ strongly, the same in every run.
package enum DrawnRoom: Int, CaseIterable, Sendable {
  /// Shelves of books, a window and a plant.
  case study
  /// Dark, with boxes and a lamp.
  case garage
  /// Wood with a round cup on it.
  case wood
  /// A night sky with lights.
  case night
  /// Bricks, and a door in a red that the space suit does not have.
  case bricks
  /// A bright wall with nothing but its shading.
  case wall

  /// Red, green and blue, 0...255; coordinates are relative to the picture's height, from its upper
  /// left.
  func color(_ x: Float, _ y: Float) -> SIMD3<Float> {
    switch self {
    case .study: study(x, y)
    case .garage: garage(x, y)
    case .wood: wood(x, y)
    case .night: night(x, y)
    case .bricks: bricks(x, y)
    case .wall:
      SIMD3(206, 200, 188) - SIMD3(repeating: 40 * (x - 0.9) * (x - 0.9) + 24 * y)
    }
  }

  /// A hash of two integers, from 0 up to 1.
  private static func randomUnit(_ a: Int, _ b: Int) -> Float {
    var source = SplitMix(UInt64(bitPattern: Int64(a &* 7919 &+ b)))
    return source.uniform()
  }

  /// Value noise with about one period per unit, -1...1.
  private static func valueNoise(_ x: Float, _ y: Float) -> Float {
    let (left, top) = (Int(x.rounded(.down)), Int(y.rounded(.down)))
    let (u, v) = (x - Float(left), y - Float(top))
    let (s, t) = (u * u * (3 - 2 * u), v * v * (3 - 2 * v))
    func at(_ x: Int, _ y: Int) -> Float { randomUnit(x, y) * 2 - 1 }
    let above = at(left, top) * (1 - s) + at(left + 1, top) * s
    let below = at(left, top + 1) * (1 - s) + at(left + 1, top + 1) * s
    return above * (1 - t) + below * t
  }

  private func study(_ x: Float, _ y: Float) -> SIMD3<Float> {
    if x > 1.15, x < 1.6, y > 0.1, y < 0.62 {
      // Panes, brighter on top.
      let isFrame = abs(x - 1.375) < 0.012 || abs(y - 0.36) < 0.012
      return isFrame ? SIMD3(230, 226, 218) : SIMD3(190, 214, 240) - SIMD3(60, 40, 20) * y
    }
    if x < 0.95 {
      let shelf = Int(y / 0.2)
      if y - Float(shelf) * 0.2 < 0.018 { return SIMD3(96, 66, 42) }
      let book = Int(x / 0.034)
      let height = 0.05 * Self.randomUnit(book, shelf)
      if y - Float(shelf) * 0.2 < 0.03 + height { return SIMD3(52, 38, 28) }
      let shade = 1 - 0.4 * abs((x / 0.034 - Float(book)) - 0.5)
      return SIMD3(
        60 + 150 * Self.randomUnit(book, shelf &+ 91),
        50 + 120 * Self.randomUnit(book, shelf &+ 57),
        50 + 120 * Self.randomUnit(book, shelf &+ 23)) * shade
    }
    let leaf = Self.valueNoise(x * 14, y * 14)
    if x > 1.55, y > 0.45, leaf > 0.05 { return SIMD3(46, 104, 52) * (0.8 + 0.5 * leaf) }
    return SIMD3(186, 176, 160) - SIMD3(repeating: 30 * y)
  }

  private func garage(_ x: Float, _ y: Float) -> SIMD3<Float> {
    let dx = x - 1.3
    let dy = y - 0.12
    let lamp = 150 / (1 + 60 * (dx * dx + dy * dy))
    let box = (Int(x / 0.27), Int(y / 0.31))
    let inBox = y > 0.5 && x - Float(box.0) * 0.27 > 0.02 && y - Float(box.1) * 0.31 > 0.02
    let tone = 0.7 + 0.6 * Self.randomUnit(box.0, box.1)
    let base = inBox ? SIMD3<Float>(98, 78, 52) * tone : SIMD3(58, 60, 64)
    return base + SIMD3(1, 0.94, 0.8) * lamp + SIMD3(repeating: 6 * Self.valueNoise(x * 30, y * 30))
  }

  private func wood(_ x: Float, _ y: Float) -> SIMD3<Float> {
    let dx = x - 1.35
    let dy = y - 0.7
    let distance = (dx * dx + dy * dy).squareRoot()
    if distance < 0.17 { return SIMD3(70, 40, 22) + SIMD3(repeating: 40 * (0.17 - distance)) }
    if distance < 0.2 { return SIMD3(236, 234, 230) }
    let grain = Self.valueNoise(x * 3 + 2 * Self.valueNoise(x, y * 6), y * 42)
    let board = Self.randomUnit(Int(y / 0.19), 3)
    return SIMD3(152, 104, 66) * (0.8 + 0.35 * board) + SIMD3(24, 18, 12) * grain
  }

  private func night(_ x: Float, _ y: Float) -> SIMD3<Float> {
    let cell = (Int(x / 0.045), Int(y / 0.045))
    let light = Self.randomUnit(cell.0, cell.1)
    let dx = x / 0.045 - Float(cell.0) - 0.5
    let dy = y / 0.045 - Float(cell.1) - 0.5
    let sky = SIMD3<Float>(14, 18, 40) + SIMD3(30, 22, 30) * y
    guard light > (y > 0.6 ? 0.6 : 0.93), dx * dx + dy * dy < 0.06 else { return sky }
    return SIMD3(240, 214, 150) * (0.5 + 0.5 * Self.randomUnit(cell.1, cell.0))
  }

  private func bricks(_ x: Float, _ y: Float) -> SIMD3<Float> {
    if x > 0.1, x < 0.5, y > 0.2 {
      let isPanel = abs(x - 0.3) < 0.13 && abs(y - 0.5) < 0.2
      return isPanel ? SIMD3(96, 30, 34) : SIMD3(120, 38, 42)
    }
    let row = Int(y / 0.045)
    let shifted = x + (row % 2 == 0 ? 0 : 0.06)
    let column = Int(shifted / 0.12)
    let isMortar =
      y - Float(row) * 0.045 < 0.006 || shifted - Float(column) * 0.12 < 0.006
    if isMortar { return SIMD3(168, 160, 150) }
    return SIMD3(140, 84, 66) * (0.75 + 0.45 * Self.randomUnit(row, column))
  }
}
