import Pixels

/// How the rows of a picture run through one level of a sprite.
///
/// Coordinates in the level have 32 fractional bits and count the stored border, so that whole
/// numbers are the centres of stored pixels.
struct SpriteScan: TapSource {
  /// The columns of one row that the sprite can reach, and its pixels there.
  struct Run: TapRun {
    let columns: Range<Int>
    let path: SpritePath

    static let none = Run(columns: 0..<0, path: SpritePath(u: 0, v: 0, stepU: 0, stepV: 0))
  }

  let level: SpriteLevel
  private let stepU, stepV: Int
  private let toLevel: Affine
  /// Columns that may be asked for: the picture's, and one beyond each side for chroma.
  private let limits: Range<Int>
  /// Picture rows that can hold anything, not clipped to the picture.
  let rows: Range<Int>

  private static let one = 4294967296.0

  /// Nil where nothing can be drawn: a map that is not finite, collapses, or is beyond all use,
  /// a sprite that is transparent everywhere, or one that lies outside the picture.
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
    // From picture columns and rows to stored pixels: centres lie at halves, the border moves
    // everything by one, and what is stored begins at the origin.
    let (originX, originY) = (Double(sprite.origin.x), Double(sprite.origin.y))
    // A turn or a scale that comes to less than weights can tell, over all of the sprite, is
    // none: upright sprites of their own size have a quicker way.
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
    // The corners of what is not transparent, and the half pixel over which it fades.
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

  /// The part of picture row `y` that the sprite can reach; empty columns where it is none.
  @inline(__always)
  func run(_ y: Int) -> Run {
    let startU = toLevel.c * Double(y) + toLevel.tx
    let startV = toLevel.d * Double(y) + toLevel.ty
    var (low, high) = (Double(limits.lowerBound), Double(limits.upperBound))
    Self.clip(&low, &high, startU, toLevel.a, level.columns)
    Self.clip(&low, &high, startV, toLevel.b, level.rows)
    guard low < high else { return .none }
    let first = max(Int(low.rounded(.down)) - 1, limits.lowerBound)
    let count = min(Int(high.rounded(.up)) + 1, limits.upperBound) - first
    let placeU = startU + toLevel.a * Double(first)
    let placeV = startV + toLevel.b * Double(first)
    guard count > 0, abs(placeU) < 1e8, abs(placeV) < 1e8 else { return .none }
    // Half of 1/256 is added here, once, so that the fraction's upper 8 bits are rounded.
    let u = Int((placeU * Self.one).rounded()) &+ (1 << 23)
    let v = Int((placeV * Self.one).rounded()) &+ (1 << 23)
    var cells = Self.inside(u, stepU, level.columns, 0..<count)
    cells = Self.inside(v, stepV, level.rows, cells)
    if stepV == 0, !cells.isEmpty {
      // An upright sprite meets only two of its rows here.
      let row = v >> 32
      let upper = level.spans[row]
      let lower = level.spans[row + 1]
      var span =
        Int(min(upper.lowerBound, lower.lowerBound))..<Int(max(upper.upperBound, lower.upperBound))
      if upper.isEmpty { span = Int(lower.lowerBound)..<Int(lower.upperBound) }
      if lower.isEmpty { span = Int(upper.lowerBound)..<Int(upper.upperBound) }
      guard !span.isEmpty else { return .none }
      cells = Self.inside(u, stepU, span, cells)
    }
    guard !cells.isEmpty else { return .none }
    return Run(
      columns: first + cells.lowerBound..<first + cells.upperBound,
      path: SpritePath(u: u, v: v, stepU: stepU, stepV: stepV).dropping(cells.lowerBound))
  }

  func fill(
    _ taps: SpriteTaps, from first: Int, run: Run, clear: UInt32, _ scratch: SpriteScratch
  ) {
    let inside = fillOutside(taps, from: first, run: run, clear: clear)
    guard !inside.isEmpty else { return }
    let path = run.path.dropping(first + inside.lowerBound - run.columns.lowerBound)
    SpriteKernels.sample(level.pixels, path, into: taps[inside], scratch.words)
  }

  /// Narrows `low..<high` to about where start + step x lies within a pixel of `range`.
  @inline(__always)
  private static func clip(
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

  /// The part of `within` for which place + k step, whole part, is one of `range` or the one
  /// before it: there, one of the two pixels to be mixed is in `range`.
  @inline(__always)
  private static func inside(
    _ place: Int, _ step: Int, _ range: Range<Int>, _ within: Range<Int>
  ) -> Range<Int> {
    var low = (range.lowerBound - 1) << 32
    var high = range.upperBound << 32
    var place = place
    var step = step
    if step < 0 {
      (low, high) = (1 - high, 1 - low)
      place = -place
      step = -step
    }
    guard step > 0 else { return place >= low && place < high ? within : 0..<0 }
    let first = max(within.lowerBound, low <= place ? 0 : (low - place + step - 1) / step)
    let end = min(within.upperBound, high <= place ? 0 : (high - place + step - 1) / step)
    return first < end ? first..<end : 0..<0
  }
}
