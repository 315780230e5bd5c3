import Pixels

/// Maps the rows of a picture to a texture on a mesh.
struct SurfaceScan: TapSource {
  struct Run: TapRun {
    let columns: Range<Int>
    let row: Int
    /// The row of the picture whose lighting is applied.
    let lightingRow: Int

    static let none = Run(columns: 0..<0, row: 0, lightingRow: 0)
  }

  private let level: SpriteLevel
  private let layout: SurfaceLayout
  private let light: SurfaceLight?
  private let head: HeadOccluder?
  /// Depths and light, for bodies.
  private let shading: BodyShading?
  /// Vertical samples per pixel, as a power of two.
  private let supersamplingShift: Int
  /// Columns that may be requested: the picture's, and one on each side for chroma.
  private let limits: Range<Int>

  var rows: Range<Int> { layout.rows }

  /// Nil if nothing is visible, and for vertices that cannot be those of a face.
  init?(
    _ texture: SurfaceTexture, at points: SurfaceVertices, light: SurfaceLight? = nil,
    head: HeadOccluder? = nil, shading: BodyShading? = nil, width: Int, height: Int,
    _ scratch: SurfaceScratch
  ) {
    let sprite = texture.sprite
    let whole = Point(x: Double(sprite.width), y: Double(sprite.height))
    var (low, high) = (Point(x: 0, y: 0), Point(x: 1, y: 1))
    if texture.mesh.isBillboard { (low, high) = Self.paintedBounds(sprite) }
    let own = points.cropped(from: low, to: high)
    guard var size = SurfaceLayout.projectVertices(texture.mesh, own, whole, scratch) else {
      return nil
    }
    var supersamplingShift = 0
    if texture.mesh.isBillboard {
      size = Self.cropCoordinates(scratch.corners.row(0), low, high, whole, size)
      let (across, down) = points.sides
      let ratio = down * whole.x / max(across * whole.y, 1e-9)
      // A vertically foreshortened billboard is supersampled vertically, to stay sharp
      // horizontally.
      if ratio < 1 {
        size = across / whole.x
        supersamplingShift = ratio > 0.6 ? 0 : ratio > 0.3 ? 1 : ratio > 0.15 ? 2 : 3
      }
    }
    let scale: Double
    (level, scale) = sprite.level(for: min(max(size, 1 / 16384), 1e6))
    guard !level.rows.isEmpty else { return nil }
    Self.scaleCoordinates(scratch.corners.row(0), sprite, scale)
    guard
      let layout = SurfaceLayout(
        texture.mesh, isPainted: texture.isPainted, height: height, scratch)
    else { return nil }
    (self.layout, self.light, self.head, self.supersamplingShift) = (
      layout, light, head, supersamplingShift
    )
    self.shading = shading
    limits = -1..<width + 1
  }

  /// The opaque bounds of a sprite with a small border, as fractions of its size.
  private static func paintedBounds(_ sprite: Sprite) -> (Point, Point) {
    let level = sprite.level(for: 1).level
    let (width, height) = (Double(sprite.width), Double(sprite.height))
    // Smaller mipmap levels extend slightly beyond.
    let (x, y) = (0.03 + 2 / width, 0.03 + 2 / height)
    return (
      Point(
        x: max(Double(sprite.origin.x) / width - x, 0),
        y: max(Double(sprite.origin.y) / height - y, 0)),
      Point(
        x: min(Double(sprite.origin.x + level.width) / width + x, 1),
        y: min(Double(sprite.origin.y + level.height) / height + y, 1))
    )
  }

  /// Sets the texture coordinates of a cropped billboard's corners; returns the adjusted scale.
  private static func cropCoordinates(
    _ corners: Row<SurfaceCorner>, _ low: Point, _ high: Point, _ whole: Point, _ scale: Double
  ) -> Double {
    for index in 0..<corners.count {
      var corner = corners[index]
      corner.u = (index & 1 == 0 ? low.x : high.x) * whole.x
      corner.v = (index < 2 ? low.y : high.y) * whole.y
      corners[index] = corner
    }
    return scale / ((high.x - low.x) * (high.y - low.y)).squareRoot()
  }

  /// Converts texture coordinates from pixels of the texture to stored pixels of the level; see
  /// `SpriteScan`.
  private static func scaleCoordinates(
    _ corners: Row<SurfaceCorner>, _ sprite: Sprite, _ scale: Double
  ) {
    let whole = sprite.level(for: 1).level
    // Half the resolution of the weights is added once, so that they are rounded.
    func levelCoordinate(_ position: Double, _ origin: Int, _ kept: Int, _ size: Int) -> Double {
      let own = (position - Double(origin)) * scale + 0.5 + 1 / 512
      // Coordinates are clamped to the outermost pixels' centres at the picture's own edges; at
      // edges of the opaque bounds the pixels beyond are transparent.
      var inside = own
      if origin + kept >= size { inside = min(inside, Double(kept) * scale) }
      if origin == 0 { inside = max(inside, 1) }
      return inside
    }
    for index in 0..<corners.count {
      var corner = corners[index]
      corner.u = levelCoordinate(corner.u, sprite.origin.x, whole.width, sprite.width)
      corner.v = levelCoordinate(corner.v, sprite.origin.y, whole.height, sprite.height)
      corners[index] = corner
    }
  }

  @inline(__always)
  func coveredRun(_ y: Int) -> Run { coveredRun(y, lightingRow: y) }

  @inline(__always)
  func coveredRun(_ y: Int, lightingRow: Int) -> Run {
    let columns = layout.columns(y)
    guard columns.upperBound > limits.lowerBound, columns.lowerBound < limits.upperBound else {
      return .none
    }
    return Run(columns: columns.clamped(to: limits), row: y, lightingRow: lightingRow)
  }

  func fill(
    _ taps: SpriteTaps, from first: Int, run: Run, clear: UInt32, _ scratch: SpriteScratch
  ) {
    let inside = clearOutside(taps, from: first, run: run, clear: clear)
    guard !inside.isEmpty else { return }
    let columns = first + inside.lowerBound..<first + inside.upperBound
    let taps = taps[inside]
    sampleTexture(run.row, columns, taps, scratch)
    let coverage = scratch.coverage[0..<columns.count]
    let blocks = scratch.blocks[0..<SurfaceKernels.blockCount(columns: columns.count)]
    layout.writeCoverage(run.row, columns, coverage, blocks, scratch.coverageDeltas)
    if let shading {
      let depths = scratch.depths[0..<columns.count]
      let gains = scratch.bodyGain[0..<columns.count]
      shading.write(run.row, columns, depths: depths, gains: gains, scratch)
      head?.occlude(run.row, columns, coverage, WrittenDepth(depths), scratch)
      SurfaceKernels.multiplyByCoverage(taps, coverage, clear: clear)
      shading.apply(gains, to: taps)
    } else if let head {
      head.occlude(run.row, columns, coverage, scratch)
      SurfaceKernels.multiplyByCoverage(taps, coverage, clear: clear)
    } else {
      SurfaceKernels.multiplyByCoverage(taps, coverage, blocks, clear: clear)
    }
    light?.apply(run.lightingRow, columns, taps, scratch)
  }

  /// Samples the texture without regard to coverage.
  private func sampleTexture(
    _ row: Int, _ columns: Range<Int>, _ taps: SpriteTaps, _ scratch: SpriteScratch
  ) {
    let (us, vs) = (scratch.u[0..<columns.count], scratch.v[0..<columns.count])
    guard supersamplingShift > 0 else {
      layout.writeCoordinates(row, columns, scratch.u, scratch.v)
      SpriteKernels.sample(level.pixels, us, vs, into: taps, scratch.words)
      return
    }
    let fine = scratch.fine[0..<columns.count]
    let count = 1 << supersamplingShift
    for k in 0..<count {
      let shift = (Double(k) + 0.5) / Double(count) - 0.5
      layout.writeCoordinates(row, columns, scratch.u, scratch.v, shift: shift)
      SpriteKernels.sample(level.pixels, us, vs, into: fine, scratch.words)
      for component in 0..<4 {
        SurfaceKernels.accumulate(
          fine[component], shifted: supersamplingShift, to: taps[component], isFirst: k == 0)
      }
    }
  }
}
