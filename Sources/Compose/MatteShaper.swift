import Pixels

/// What is done to a matte after it was made.
struct MatteShape: Equatable {
  /// Pixels by which the subject's edge is pulled in, or out when negative.
  var shrink = 0.0
  /// Standard deviation of the edge's blur, in pixels.
  var soften = 0.0
  /// Exchange foreground and background.
  var isInverted = false

  /// Whether the matte stays as it is.
  var isPlain: Bool { self == MatteShape() }
}

/// A plane that is shaped: of 8 or of 16 bits.
protocol MattePlane: AnyObject {
  associatedtype Rows: MatteRows
  /// An opaque plane.
  static func make(width: Int, height: Int) -> Self
  var rows: Rows { get }
}

/// The rows of a plane that is shaped, and the kernels for them.
protocol MatteRows {
  associatedtype Sample: BitwiseCopyable
  /// Row `y`, moved by `dx` columns; above and below the plane are its first and its last row.
  func row(_ y: Int, dx: Int) -> Row<Sample>
  /// Completes row `y` after it was written.
  func padAndMark(_ y: Int)
  /// Writes the minimum, maximum or 1 2 1 mean of three rows, mixed with `b` by `step.weight`.
  static func filter(
    _ out: Row<Sample>, _ a: Row<Sample>, _ b: Row<Sample>, _ c: Row<Sample>,
    _ step: ShapingPlan.Step)
  static func complement(_ out: Row<Sample>, _ source: Row<Sample>)
}

extension GridPlane: MattePlane {
  static func make(width: Int, height: Int) -> GridPlane { GridPlane(width: width, height: height) }
}

extension GridPlane.Rows: MatteRows {
  static func filter(
    _ out: Row<UInt8>, _ a: Row<UInt8>, _ b: Row<UInt8>, _ c: Row<UInt8>, _ step: ShapingPlan.Step
  ) {
    MatteKernels.filterThreeRows(
      out, a, b, c, step.operation, UInt16(min(max(step.weight * 256, 0), 256)))
  }

  static func complement(_ out: Row<UInt8>, _ source: Row<UInt8>) {
    MatteKernels.complement(out, source)
  }
}

/// Erodes or dilates, blurs and inverts mattes.
///
/// Shrinking is erosion by repeated 3-tap minima of alpha; blurring is 1 2 1 filters with their
/// taps 1, 2, 4, 8 samples apart. The last step of either is mixed in by its fraction.
final class MatteShaper<Plane: MattePlane> {
  private let grid: ChromaGrid
  /// The result of the last step, and memory for the next; nil until a matte is shaped.
  private var planes: (shaped: Plane, spare: Plane)?

  init(grid: ChromaGrid) {
    self.grid = grid
  }

  /// The shaped matte: `matte` itself where there is nothing to do, else one that is valid until
  /// the next call.
  func shape(_ matte: Plane, _ shape: MatteShape, _ slices: FrameSlices) -> Plane {
    guard !shape.isPlain else { return matte }
    func makePlane() -> Plane { Plane.make(width: grid.gridWidth, height: grid.gridHeight) }
    var (shaped, spare) = planes ?? (makePlane(), makePlane())
    defer { planes = (shaped, spare) }
    var source = matte.rows
    typealias Line = Row<Plane.Rows.Sample>
    /// Runs `body` on each row; it may read the source's rows about it.
    func forEachRow(_ body: (Line, (_ dx: Int, _ dy: Int) -> Line) -> Void) {
      let (from, to) = (source, spare.rows)
      slices.run(grid.gridHeight) { rows, _ in
        for y in rows {
          body(to.row(y, dx: 0)) { dx, dy in from.row(y + dy, dx: dx) }
          to.padAndMark(y)
        }
      }
      swap(&shaped, &spare)
      source = to
    }
    var plan = ShapingPlan(shape, hShift: grid.hShift, vShift: grid.vShift)
    while let step = plan.nextStep() {
      let (dx, dy) = step.isVertical ? (0, step.distance) : (step.distance, 0)
      forEachRow { out, row in
        Plane.Rows.filter(out, row(-dx, -dy), row(0, 0), row(dx, dy), step)
      }
    }
    if shape.isInverted { forEachRow { out, row in Plane.Rows.complement(out, row(0, 0)) } }
    return shaped
  }
}

/// The filter steps that shrink and blur a matte on a subsampled grid, one after another.
struct ShapingPlan {
  enum Operation { case erode, dilate, blur }

  struct Step {
    var operation: Operation
    var isVertical: Bool
    var distance: Int
    /// The weight of the result against what was there, 0...1.
    var weight: Double
  }

  private let isEroding: Bool
  /// Samples of the grid still to shrink, and variance still to blur, across and down.
  private var shrink: (across: Double, down: Double)
  private var variance: (across: Double, down: Double)
  private var distance = (across: 1, down: 1)

  init(_ shape: MatteShape, hShift: Int, vShift: Int) {
    let (across, down) = (1 / Double(1 << hShift), 1 / Double(1 << vShift))
    isEroding = shape.shrink > 0
    let pixels = abs(shape.shrink)
    shrink = (pixels * across, pixels * down)
    let deviation = (across: shape.soften * across, down: shape.soften * down)
    variance = (deviation.across * deviation.across, deviation.down * deviation.down)
  }

  /// The next step, nil after the last.
  mutating func nextStep() -> Step? {
    Self.morphologyStep(&shrink.across, isEroding, isVertical: false)
      ?? Self.morphologyStep(&shrink.down, isEroding, isVertical: true)
      ?? Self.blurStep(&variance.across, &distance.across, isVertical: false)
      ?? Self.blurStep(&variance.down, &distance.down, isVertical: true)
  }

  private static func morphologyStep(_ remaining: inout Double, _ isEroding: Bool, isVertical: Bool)
    -> Step?
  {
    guard remaining > 0 else { return nil }
    defer { remaining -= 1 }
    return Step(
      operation: isEroding ? .erode : .dilate, isVertical: isVertical, distance: 1,
      weight: min(remaining, 1))
  }

  /// A 1 2 1 filter with taps d apart has variance d^2 / 2.
  private static func blurStep(
    _ variance: inout Double, _ distance: inout Int, isVertical: Bool
  ) -> Step? {
    guard variance > 0 else { return nil }
    let full = Double(distance * distance) / 2
    let step = Step(
      operation: .blur, isVertical: isVertical, distance: distance, weight: min(variance / full, 1))
    variance -= full
    distance *= 2
    if distance > 8 { variance = 0 }
    return step
  }
}
