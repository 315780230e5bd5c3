import Pixels

/// The colours of a `ChromaKeyScene` at twice its size.
struct ChromaKeySceneSurface {
  struct Point {
    let share: Float
    /// The subject's own colour; the same with spill; and the screen's colour.
    let color: SIMD3<Float>
    let lit: SIMD3<Float>
    let screen: SIMD3<Float>
  }

  /// Four skin colours, three greys, yellow, cyan, olive, dark green cloth, wine red.
  private static let patches: [SIMD3<Float>] = [
    SIMD3(246, 214, 192), SIMD3(198, 134, 98), SIMD3(122, 76, 52), SIMD3(58, 36, 28),
    SIMD3(245, 245, 245), SIMD3(128, 128, 128), SIMD3(16, 16, 16), SIMD3(220, 190, 40),
    SIMD3(40, 160, 200), SIMD3(96, 104, 64), SIMD3(30, 60, 40), SIMD3(150, 40, 60),
  ]
  /// The spill, relative to the screen's colour.
  private static let bounce = SIMD3<Float>(0.2, 1, 0.3) * 0.25

  private static let photograph = Result { try texture(Photograph.load()) { $0 } }
  /// Parts of a portrait, repeated by mirroring.
  private static let shirt = Result { try texture(Portrait.obama.load(), 506..<536, 432..<490) }
  private static let tie = Result { try texture(Portrait.obama.load(), 450..<466, 470..<520) }

  private let matte: ChromaKeySceneMatte
  private let near: [Float]
  private let photograph: [SIMD3<Float>]
  private let screen: SIMD3<Float>
  private let unevenness: Float
  /// A coarse grid of random light, 16 by 9.
  private let lattice: [Float]
  private let rowWeights: [SIMD4<Float>]
  private let columnWeights: [SIMD4<Float>]

  init(matte: ChromaKeySceneMatte, settings: ChromaKeyScene.Settings) throws {
    self.matte = matte
    near = matte.spillStrength()
    photograph =
      switch settings.cloth {
      case .photograph: try Self.photograph.get()
      case .shirt: try Self.shirt.get()
      case .tie: try Self.tie.get()
      }
    screen = SIMD3(settings.screen.0, settings.screen.1, settings.screen.2)
    unevenness = settings.unevenness
    var random = SplitMix(settings.seed &+ 1000)
    lattice = (0..<9 * 16).map { _ in random.normal() }
    rowWeights = Self.catmullRomWeights(matte.height, 9)
    columnWeights = Self.catmullRomWeights(matte.width, 16)
  }

  /// A texture of 512 by 512 pixels from a part of a picture, repeated by mirroring.
  private static func texture(
    _ picture: OwnedPicture, _ columns: Range<Int>, _ rows: Range<Int>
  ) -> [SIMD3<Float>] {
    func mirrored(_ index: Int, _ range: Range<Int>) -> Int {
      let place = index % (2 * range.count)
      return range.lowerBound + min(place, 2 * range.count - 1 - place)
    }
    return texture(picture) { (mirrored($0.x, columns), mirrored($0.y, rows)) }
  }

  /// A texture of 512 by 512 pixels; `place` maps texture coordinates to picture coordinates.
  private static func texture(
    _ picture: OwnedPicture, _ place: ((x: Int, y: Int)) -> (x: Int, y: Int)
  ) -> [SIMD3<Float>] {
    picture.withPicture { picture in
      let (r, g, b) = (picture.component(0), picture.component(1), picture.component(2))
      return (0..<512 * 512).map {
        let (x, y) = place(($0 & 511, $0 >> 9))
        return SIMD3(Float(r[x, y]), Float(g[x, y]), Float(b[x, y]))
      }
    }
  }

  func point(_ x: Int, _ y: Int) -> Point {
    let index = y * matte.width + x
    let share = matte.shares[index]
    let color = share > 0 ? self.color(x, y) : .zero
    let lit = color + screen * Self.bounce * near[index]
    return Point(share: share, color: color, lit: lit, screen: screen * screenLight(x, y))
  }

  private func color(_ x: Int, _ y: Int) -> SIMD3<Float> {
    let w = Float(matte.width)
    let h = Float(matte.height)
    let unit = matte.unit
    let head = matte.head
    let px = Float(x) + 0.5
    let py = Float(y) + 0.5
    if py < 0.5 * h, px > 0.72 * w { return SIMD3(205, 205, 210) }
    if px > 0.64 * w { return SIMD3(200, 150, 120) }
    let column = (px - head.x + 240 * unit) / (80 * unit)
    let row = (py - 0.86 * h) / (48 * unit)
    if row >= 0, row < 2, column >= 0, column < 6, column - column.rounded(.down) < 0.95,
      row - row.rounded(.down) < 0.917
    {
      return Self.patches[Int(row) * 6 + Int(column)]
    }
    let cloth = sampleTexture(px / w * 1024, py / h * 512)
    guard py < head.y else { return cloth }
    // Dark hair around the upper half of the head.
    let off = SIMD2(px, py) - head + SIMD2(0, 60 * unit)
    let t = min(max((280 * unit - (off * off).sum().squareRoot()) / (80 * unit), 0), 1)
    let dark = t * t * (3 - 2 * t)
    return cloth + (SIMD3(70, 50, 35) - cloth) * dark
  }

  /// The photograph, repeated horizontally, with bilinear interpolation.
  private func sampleTexture(_ u: Float, _ v: Float) -> SIMD3<Float> {
    let x = min(max(u - 0.5, 0), 1023)
    let y = min(max(v - 0.5, 0), 511)
    let (left, top) = (Int(x), Int(y))
    let (fx, fy) = (x - Float(left), y - Float(top))
    func at(_ x: Int, _ y: Int) -> SIMD3<Float> { photograph[min(y, 511) << 9 | (x & 511)] }
    let above = at(left, top) + (at(left + 1, top) - at(left, top)) * fx
    let below = at(left, top + 1) + (at(left + 1, top + 1) - at(left, top + 1)) * fx
    return above + (below - above) * fy
  }

  /// The light on the screen: it decreases towards one corner, with smooth random variations.
  private func screenLight(_ x: Int, _ y: Int) -> Float {
    let fx = Float(x) / Float(matte.width)
    let fy = Float(y) / Float(matte.height)
    let slope = 0.84 * (0.5 - fx) + 0.84 * (0.5 - fy)
    return 1 + unevenness * (slope + 0.18 * latticeNoise(x, y))
  }

  private func latticeNoise(_ x: Int, _ y: Int) -> Float {
    let column = Self.latticeIndex(x, matte.width, 16)
    let row = Self.latticeIndex(y, matte.height, 9)
    var sum: Float = 0
    for j in 0..<4 {
      let start = min(max(row + j - 1, 0), 8) * 16
      var line: Float = 0
      for i in 0..<4 {
        line += lattice[start + min(max(column + i - 1, 0), 15)] * columnWeights[x][i]
      }
      sum += line * rowWeights[y][j]
    }
    return sum
  }

  /// The index of the grid point at or before a sample.
  private static func latticeIndex(_ x: Int, _ size: Int, _ points: Int) -> Int {
    Int((((Float(x) + 0.5) * Float(points)) / Float(size) - 0.5).rounded(.down))
  }

  /// Catmull-Rom weights of the four grid points around each sample.
  private static func catmullRomWeights(_ size: Int, _ points: Int) -> [SIMD4<Float>] {
    (0..<size).map {
      let exact = (Float($0) + 0.5) * Float(points) / Float(size) - 0.5
      let t = exact - exact.rounded(.down)
      let square = t * t
      let cube = square * t
      return SIMD4(
        -0.5 * cube + square - 0.5 * t, 1.5 * cube - 2.5 * square + 1,
        -1.5 * cube + 2 * square + 0.5 * t, 0.5 * cube - 0.5 * square)
    }
  }
}
