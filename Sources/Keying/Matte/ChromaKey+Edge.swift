import Pixels
import Threads

/// Shrinking, blurring and inverting the matte.
extension ChromaKey {
  /// Makes `edgeMatte` from `keyMatte` where the settings ask for a different one.
  ///
  /// Shrinking is repeated 3-tap maxima of the screen's share; blurring is 1 2 1 filters with
  /// their taps 1, 2, 4, 8 samples apart. The last step of either is mixed in by its fraction.
  func shapeEdge(_ runner: any SliceRunner) {
    guard needsEdgePlanes, let grid else { return }
    var plan = EdgePlan(settings: settings, hShift: grid.hShift, vShift: grid.vShift)
    unsafe pass(from: keyMatte, runner) { out, row, n in
      unsafe out.update(from: row(0, 0), count: n)
    }
    while let step = plan.next() {
      let reach = step.distance
      let weight = UInt16(min(max(step.share * 256, 0), 256))
      let kind = step.kind
      if step.isVertical {
        unsafe pass(from: edgeMatte, runner) { out, row, n in
          unsafe KeyKernels.tap3(out, row(0, -reach), row(0, 0), row(0, reach), kind, weight, n)
        }
      } else {
        unsafe pass(from: edgeMatte, runner) { out, row, n in
          unsafe KeyKernels.tap3(out, row(-reach, 0), row(0, 0), row(reach, 0), kind, weight, n)
        }
      }
    }
    guard settings.invert else { return }
    unsafe pass(from: edgeMatte, runner) { out, row, n in
      unsafe KeyKernels.complement(out, row(0, 0), n)
    }
  }

  /// Runs `body` on each row of `matte`, into the spare plane, which becomes the edge's.
  @unsafe private func pass(
    from matte: MattePlane, _ runner: any SliceRunner,
    _ body: (
      UnsafeMutablePointer<UInt8>, (_ dx: Int, _ dy: Int) -> UnsafeMutablePointer<UInt8>, Int
    ) -> Void
  ) {
    let out = spareMatte
    runSlices(matte.height, runner) { rows, _ in
      for y in rows {
        unsafe body(out.row(y), { dx, dy in unsafe matte.row(y + dy) + dx }, matte.width)
        out.finish(y)
      }
    }
    swap(&edgeMatte, &spareMatte)
  }
}

/// The filter steps that shrink and blur a matte on a subsampled grid, one after another.
struct EdgePlan {
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

  init(settings: ChromaKeySettings, hShift: Int, vShift: Int) {
    let across = 1 / Double(1 << hShift)
    let down = 1 / Double(1 << vShift)
    isThinning = settings.shrink > 0
    let pixels = abs(settings.shrink)
    shrink = (pixels * across, pixels * down)
    let deviation = (across: settings.soften * across, down: settings.soften * down)
    variance = (deviation.across * deviation.across, deviation.down * deviation.down)
  }

  /// The next step, nil after the last.
  mutating func next() -> Step? {
    // The matte holds the screen's share: pulling the subject in grows it.
    let kind: Kind = isThinning ? .grow : .thin
    if shrink.across > 0 {
      let share = min(shrink.across, 1)
      shrink.across -= 1
      return Step(kind: kind, isVertical: false, distance: 1, share: share)
    }
    if shrink.down > 0 {
      let share = min(shrink.down, 1)
      shrink.down -= 1
      return Step(kind: kind, isVertical: true, distance: 1, share: share)
    }
    if variance.across > 0 {
      return Self.blur(&variance.across, &distance.across, isVertical: false)
    }
    if variance.down > 0 { return Self.blur(&variance.down, &distance.down, isVertical: true) }
    return nil
  }

  /// A 1 2 1 filter with taps d apart has variance d^2 / 2.
  private static func blur(
    _ variance: inout Double, _ distance: inout Int, isVertical: Bool
  ) -> Step {
    let full = Double(distance * distance) / 2
    let step = Step(
      kind: .blur, isVertical: isVertical, distance: distance, share: min(variance / full, 1))
    variance -= full
    distance *= 2
    if distance > 8 { variance = 0 }
    return step
  }
}

extension KeyKernels {
  /// Maximum, minimum or 1 2 1 mean of three rows, mixed with the middle one by `weight`/256.
  @inline(never)
  @unsafe static func tap3(
    _ out: Bytes, _ a: Bytes, _ b: Bytes, _ c: Bytes, _ kind: EdgePlan.Kind, _ weight: UInt16,
    _ n: Int
  ) {
    let rest = 256 &- weight
    switch kind {
    case .grow:
      for i in 0..<n {
        let new = unsafe UInt16(max(a[i], b[i], c[i]))
        unsafe out[i] = UInt8(
          truncatingIfNeeded: (new &* weight &+ UInt16(b[i]) &* rest &+ 128) &>> 8)
      }
    case .thin:
      for i in 0..<n {
        let new = unsafe UInt16(min(a[i], b[i], c[i]))
        unsafe out[i] = UInt8(
          truncatingIfNeeded: (new &* weight &+ UInt16(b[i]) &* rest &+ 128) &>> 8)
      }
    case .blur:
      for i in 0..<n {
        let middle = unsafe UInt16(b[i])
        let new = unsafe (UInt16(a[i]) &+ UInt16(c[i]) &+ 2 &* middle &+ 2) &>> 2
        unsafe out[i] = UInt8(
          truncatingIfNeeded: (new &* weight &+ middle &* rest &+ 128) &>> 8)
      }
    }
  }
}
