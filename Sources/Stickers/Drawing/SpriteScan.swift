import Pixels

/// Maps the rows of a picture to one level of a sprite under an affine transform.
///
/// Coordinates in the level have 32 fractional bits and include the stored border, so that integers
/// are the centres of stored pixels.
struct SpriteScan: TapSource {
  /// The columns of one row that the sprite can cover, and their path in the sprite.
  struct Run: TapRun {
    let columns: Range<Int>
    let path: SpritePath

    static let none = Run(columns: 0..<0, path: SpritePath(u: 0, v: 0, stepU: 0, stepV: 0))
  }

  let level: SpriteLevel
  private let stepU, stepV: Int
  private let toLevel: Affine
  /// Columns that may be requested: the picture's, and one on each side for chroma.
  private let limits: Range<Int>
  /// Picture rows that the sprite can cover, not clipped to the picture.
  let rows: Range<Int>

  private static let one = 4294967296.0

  /// Nil if the transform is not finite, singular or out of range, or if the sprite is transparent
  /// or lies outside the picture.
  init?(_ sprite: Sprite, transform: Affine, width: Int, height: Int) {
    guard let back = transform.inverse, back.a.isFinite, back.b.isFinite, back.c.isFinite,
      back.d.isFinite, back.tx.isFinite, back.ty.isFinite
    else { return nil }
    let shrink = max(
      (back.a * back.a + back.b * back.b).squareRoot(),
      (back.c * back.c + back.d * back.d).squareRoot())
    guard shrink > 1e-6, shrink < 16384 else { return nil }
    let scale: Double
    (level, scale) = sprite.level(for: 1 / shrink)
    guard !level.rows.isEmpty else { return nil }
    // Maps picture columns and rows to stored pixels: pixel centres lie at halves, the border adds
    // one, and the stored rectangle begins at the origin.
    let (originX, originY) = (Double(sprite.origin.x), Double(sprite.origin.y))
    // Rotations and scales below the resolution of the weights over the whole sprite are dropped:
    // upright sprites at scale 1 have a fast path.
    let slack = 1 / (256 * Double(max(level.width, level.height)))
    func snapped(_ step: Double) -> Double {
      abs(step - step.rounded()) < slack && abs(step) < 1.5 ? step.rounded() : step
    }
    toLevel = Affine(
      a: snapped(back.a * scale), b: snapped(back.b * scale), c: snapped(back.c * scale),
      d: snapped(back.d * scale),
      tx: (back.tx + (back.a + back.c) / 2 - originX) * scale + 0.5,
      ty: (back.ty + (back.b + back.d) / 2 - originY) * scale + 0.5)
    stepU = Int((toLevel.a * Self.one).rounded())
    stepV = Int((toLevel.b * Self.one).rounded())
    limits = -1..<width + 1
    // The corners of the opaque bounds, extended by the half pixel over which edges fade.
    let left = (Double(level.columns.lowerBound) - 1.5) / scale + originX
    let right = (Double(level.columns.upperBound) - 0.5) / scale + originX
    let above = (Double(level.rows.lowerBound) - 1.5) / scale + originY
    let below = (Double(level.rows.upperBound) - 0.5) / scale + originY
    let acrossLow = min(transform.b * left, transform.b * right)
    let acrossHigh = max(transform.b * left, transform.b * right)
    let top = acrossLow + min(transform.d * above, transform.d * below) + transform.ty
    let bottom = acrossHigh + max(transform.d * above, transform.d * below) + transform.ty
    guard top.isFinite, bottom.isFinite else { return nil }
    let first = Int(min(max(top - 2, -2), Double(height)))
    let last = Int(min(max(bottom + 2, -2), Double(height + 2)))
    guard first < last else { return nil }
    rows = first..<last
  }

  /// The part of picture row `y` that the sprite can cover; empty if none.
  @inline(__always)
  func coveredRun(_ y: Int) -> Run {
    let startU = toLevel.c * Double(y) + toLevel.tx
    let startV = toLevel.d * Double(y) + toLevel.ty
    var (low, high) = (Double(limits.lowerBound), Double(limits.upperBound))
    Self.narrowToRange(&low, &high, startU, toLevel.a, level.columns)
    Self.narrowToRange(&low, &high, startV, toLevel.b, level.rows)
    guard low < high else { return .none }
    let first = max(Int(low.rounded(.down)) - 1, limits.lowerBound)
    let count = min(Int(high.rounded(.up)) + 1, limits.upperBound) - first
    let positionU = startU + toLevel.a * Double(first)
    let positionV = startV + toLevel.b * Double(first)
    guard count > 0, abs(positionU) < 1e8, abs(positionV) < 1e8 else { return .none }
    // Adding half of 1/256 once rounds the upper 8 bits of the fraction.
    let u = Int((positionU * Self.one).rounded()) &+ (1 << 23)
    let v = Int((positionV * Self.one).rounded()) &+ (1 << 23)
    var cells = Self.indicesInRange(u, stepU, level.columns, 0..<count)
    cells = Self.indicesInRange(v, stepV, level.rows, cells)
    if stepV == 0, !cells.isEmpty {
      // An upright sprite samples only two of its rows here.
      let row = v >> 32
      let upper = level.spans[row]
      let lower = level.spans[row + 1]
      var span =
        Int(min(upper.lowerBound, lower.lowerBound))..<Int(max(upper.upperBound, lower.upperBound))
      if upper.isEmpty { span = Int(lower.lowerBound)..<Int(lower.upperBound) }
      if lower.isEmpty { span = Int(upper.lowerBound)..<Int(upper.upperBound) }
      guard !span.isEmpty else { return .none }
      cells = Self.indicesInRange(u, stepU, span, cells)
    }
    guard !cells.isEmpty else { return .none }
    return Run(
      columns: first + cells.lowerBound..<first + cells.upperBound,
      path: SpritePath(u: u, v: v, stepU: stepU, stepV: stepV).dropping(cells.lowerBound))
  }

  func fill(
    _ taps: SpriteTaps, from first: Int, run: Run, clear: UInt32, _ scratch: SpriteScratch
  ) {
    let inside = clearOutside(taps, from: first, run: run, clear: clear)
    guard !inside.isEmpty else { return }
    let path = run.path.dropping(first + inside.lowerBound - run.columns.lowerBound)
    SpriteKernels.sample(level.pixels, path, into: taps[inside], scratch.words)
  }

  /// Narrows `low..<high` to approximately the x where start + step x lies within a pixel of
  /// `range`.
  @inline(__always)
  private static func narrowToRange(
    _ low: inout Double, _ high: inout Double, _ start: Double, _ step: Double,
    _ range: Range<Int>
  ) {
    let near = Double(range.lowerBound - 2)
    let far = Double(range.upperBound + 1)
    guard abs(step) > 1e-9 else {
      if !(start > near && start < far) { high = low }
      return
    }
    let (a, b) = ((near - start) / step, (far - start) / step)
    low = max(low, min(a, b))
    high = min(high, max(a, b))
  }

  /// The k in `within` for which the integer part of position + k step is in `range` or one below:
  /// there one of the two interpolated pixels is in `range`.
  @inline(__always)
  private static func indicesInRange(
    _ position: Int, _ step: Int, _ range: Range<Int>, _ within: Range<Int>
  ) -> Range<Int> {
    var low = (range.lowerBound - 1) << 32
    var high = range.upperBound << 32
    var position = position
    var step = step
    if step < 0 {
      (low, high) = (1 - high, 1 - low)
      position = -position
      step = -step
    }
    guard step > 0 else { return position >= low && position < high ? within : 0..<0 }
    let first = max(within.lowerBound, low <= position ? 0 : (low - position + step - 1) / step)
    let end = min(within.upperBound, high <= position ? 0 : (high - position + step - 1) / step)
    return first < end ? first..<end : 0..<0
  }
}
