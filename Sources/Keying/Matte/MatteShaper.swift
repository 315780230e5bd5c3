import Pixels

/// What is done to a matte after it was made.
struct MatteShape: Equatable {
  /// Pixels by which the subject's edge is pulled in, or out when negative.
  var shrink = 0.0
  /// Standard deviation of the edge's blur, in pixels.
  var soften = 0.0
  /// Keep what is to go, and drop the rest.
  var isInverted = false

  /// Whether there is nothing to do.
  var isPlain: Bool { self == MatteShape() }
}

/// Shrinks, blurs and inverts mattes, whatever made them.
///
/// Shrinking is repeated 3-tap maxima of what is to go; blurring is 1 2 1 filters with their taps
/// 1, 2, 4, 8 samples apart. The last step of either is mixed in by its fraction.
final class MatteShaper {
  private let grid: ChromaGrid
  /// The matte in the making, and the next step's; none until one is shaped.
  private var planes: (shaped: Matte, spare: Matte)?

  init(grid: ChromaGrid) {
    self.grid = grid
  }

  /// The shaped matte: `matte` itself where there is nothing to do, else one that is valid until
  /// the next call.
  func shape(_ matte: Matte, _ shape: MatteShape, _ slices: KeySlices) -> Matte {
    guard !shape.isPlain else { return matte }
    func plane() -> Matte { Matte(width: grid.gridWidth, height: grid.gridHeight) }
    var (shaped, spare) = planes ?? (plane(), plane())
    defer { planes = (shaped, spare) }
    var source = matte.rows
    /// Runs `body` on each row; it may read the source's rows about it.
    func pass(_ body: (Row<UInt8>, (_ dx: Int, _ dy: Int) -> Row<UInt8>) -> Void) {
      let (from, to) = (source, spare.rows)
      slices.run(grid.gridHeight) { rows, _ in
        for y in rows {
          body(to.row(y)) { dx, dy in from.row(y + dy, dx: dx) }
          to.finish(y)
        }
      }
      swap(&shaped, &spare)
      source = to
    }
    var plan = ShapingPlan(shape, hShift: grid.hShift, vShift: grid.vShift)
    while let step = plan.next() {
      let (dx, dy) = step.isVertical ? (0, step.distance) : (step.distance, 0)
      let weight = UInt16(min(max(step.share * 256, 0), 256))
      pass { out, row in
        MatteKernels.tap3(out, row(-dx, -dy), row(0, 0), row(dx, dy), step.kind, weight)
      }
    }
    if shape.isInverted { pass { out, row in MatteKernels.complement(out, row(0, 0)) } }
    return shaped
  }
}

/// The filter steps that shrink and blur a matte on a subsampled grid, one after another.
struct ShapingPlan {
  enum Kind { case grow, thin, blur }

  struct Step {
    var kind: Kind
    var isVertical: Bool
    var distance: Int
    /// How far the step is taken, 0...1.
    var share: Double
  }

  private let isThinning: Bool
  /// Samples of the grid still to shrink, and variance still to blur, across and down.
  private var shrink: (across: Double, down: Double)
  private var variance: (across: Double, down: Double)
  private var distance = (across: 1, down: 1)

  init(_ shape: MatteShape, hShift: Int, vShift: Int) {
    let (across, down) = (1 / Double(1 << hShift), 1 / Double(1 << vShift))
    isThinning = shape.shrink > 0
    let pixels = abs(shape.shrink)
    shrink = (pixels * across, pixels * down)
    let deviation = (across: shape.soften * across, down: shape.soften * down)
    variance = (deviation.across * deviation.across, deviation.down * deviation.down)
  }

  /// The next step, nil after the last.
  mutating func next() -> Step? {
    Self.morph(&shrink.across, isThinning, isVertical: false)
      ?? Self.morph(&shrink.down, isThinning, isVertical: true)
      ?? Self.blur(&variance.across, &distance.across, isVertical: false)
      ?? Self.blur(&variance.down, &distance.down, isVertical: true)
  }

  private static func morph(_ rest: inout Double, _ isThinning: Bool, isVertical: Bool) -> Step? {
    guard rest > 0 else { return nil }
    defer { rest -= 1 }
    // The matte holds what is to go: pulling the subject in grows it.
    return Step(
      kind: isThinning ? .grow : .thin, isVertical: isVertical, distance: 1, share: min(rest, 1))
  }

  /// A 1 2 1 filter with taps d apart has variance d^2 / 2.
  private static func blur(
    _ variance: inout Double, _ distance: inout Int, isVertical: Bool
  ) -> Step? {
    guard variance > 0 else { return nil }
    let full = Double(distance * distance) / 2
    let step = Step(
      kind: .blur, isVertical: isVertical, distance: distance, share: min(variance / full, 1))
    variance -= full
    distance *= 2
    if distance > 8 { variance = 0 }
    return step
  }
}

/// The part of a picture inside the garbage matte.
struct MatteCrop {
  let columns, lines: Range<Int>

  init(_ video: VideoFormat, _ settings: MatteSettings) {
    func kept(_ size: Int, _ before: Double, _ after: Double) -> Range<Int> {
      let start = Int((Double(size) * before).rounded())
      let end = size - Int((Double(size) * after).rounded())
      return start..<max(start, end)
    }
    columns = kept(video.width, settings.cropLeft, settings.cropRight)
    lines = kept(video.height, settings.cropTop, settings.cropBottom)
  }

  /// Whether it is all of the picture.
  func isWhole(_ video: VideoFormat) -> Bool {
    columns == 0..<video.width && lines == 0..<video.height
  }

  /// Drops what lies wholly outside from row `line` of a matte, from column `x` on.
  func apply(_ matte: Row<UInt8>, x: Int, line: Int) {
    if lines.contains(line) {
      applyColumns(matte, x: x, hShift: 0)
    } else {
      matte.fill(255)
    }
  }

  /// The same without regard to the line, of samples that stand for 2^`hShift` columns each.
  func applyColumns(_ matte: Row<UInt8>, x: Int, hShift: Int) {
    let first = (columns.lowerBound >> hShift) - x
    let end = PixelLayout.subsampled(columns.upperBound, by: hShift) - x
    matte[..<min(max(first, 0), matte.count)].fill(255)
    matte[min(max(end, 0), matte.count)...].fill(255)
  }
}
