import Compose

/// Finds the screen colour: the peak of the chroma histogram inside a hue's wedge, over the first
/// frames that show a screen.
struct ScreenFinder {
  /// The hues of screens, as pure colours in 0xffRRGGBB.
  enum Hue: UInt32 {
    case green = 0xff00_ff00
    case blue = 0xff00_00ff
    case magenta = 0xffff_00ff

    /// By how much the hue's primaries exceed the rest, in RGB codes.
    func excess(_ r: Float, _ g: Float, _ b: Float) -> Float {
      switch self {
      case .green: min(g - r, g - b)
      case .blue: min(b - r, b - g)
      case .magenta: min(r - g, b - g)
      }
    }
  }

  /// Frames with a screen after which the colour stays.
  static let frames = 8
  /// Excess under which a colour is no screen's, in RGB codes.
  static let minimumExcess: Float = 36
  /// Samples read of a frame, about.
  static let samples = 32768

  /// Count, and sums of three components, for each of 64 x 64 bins of 4 codes.
  private var bins = [SIMD4<UInt32>](repeating: .zero, count: 4096)
  private var total: Float = 0
  private var framesFound = 0
  private(set) var components: (Float, Float, Float)?

  var isSettled: Bool { framesFound >= Self.frames }

  mutating func reset() {
    for index in bins.indices { bins[index] = .zero }
    total = 0
    framesFound = 0
    components = nil
  }

  /// Adds one sample's chroma and components.
  @inline(__always)
  mutating func addSample(cb: UInt8, cr: UInt8, _ c0: UInt8, _ c1: UInt8, _ c2: UInt8) {
    let index = Int(cb >> 2) << 6 | Int(cr >> 2)
    bins[index] &+= SIMD4(1, UInt32(c0), UInt32(c1), UInt32(c2))
    total += 1
  }

  /// Finds the peak once all samples of a frame are added; drops frames without a screen.
  mutating func finishFrame(_ hues: [Hue], minimumCoverage: Float, grid: ChromaGrid) {
    var best: (coverage: Float, components: (Float, Float, Float))?
    for hue in hues {
      guard let found = findPeak(hue, grid: grid), found.coverage >= minimumCoverage else {
        continue
      }
      if found.coverage > best?.coverage ?? 0 { best = found }
    }
    if let best {
      components = best.components
      framesFound += 1
    } else if components == nil {
      reset()
    }
  }

  private func findPeak(
    _ hue: Hue, grid: ChromaGrid
  ) -> (coverage: Float, components: (Float, Float, Float))? {
    var best = 0
    var highest: UInt32 = 0
    for index in bins.indices where bins[index].x > 0 {
      guard isBinOfHue(index, hue, grid) else { continue }
      let count = neighbourhoodCount(index)
      if count > highest {
        highest = count
        best = index
      }
    }
    guard highest > 0, total > 0 else { return nil }
    let center = Self.binCenter(best)
    let (u, v) = (center.cb - 128, center.cr - 128)
    let square = u * u + v * v
    var sum: (n: Float, a: Float, b: Float, c: Float) = (0, 0, 0, 0)
    for index in bins.indices where bins[index].x > 0 {
      let other = Self.binCenter(index)
      let x = (other.cb - 128) * u + (other.cr - 128) * v
      let z = (other.cr - 128) * u - (other.cb - 128) * v
      // Lit by half to by 1.6 times as much light, and within 20 degrees of hue.
      guard x > 0.5 * square, x < 1.6 * square, abs(z) < 0.364 * x else { continue }
      let bin = bins[index]
      sum.n += Float(bin.x)
      sum.a += Float(bin.y)
      sum.b += Float(bin.z)
      sum.c += Float(bin.w)
    }
    guard sum.n > 0 else { return nil }
    return (sum.n / total, (sum.a / sum.n, sum.b / sum.n, sum.c / sum.n))
  }

  private func isBinOfHue(_ index: Int, _ hue: Hue, _ grid: ChromaGrid) -> Bool {
    let chroma = Self.binCenter(index)
    let rgb = grid.pureColor(cb: chroma.cb, cr: chroma.cr)
    return hue.excess(rgb.r, rgb.g, rgb.b) >= Self.minimumExcess
  }

  private func neighbourhoodCount(_ index: Int) -> UInt32 {
    let row = index >> 6
    let column = index & 63
    var count: UInt32 = 0
    for y in max(0, row - 1)...min(63, row + 1) {
      for x in max(0, column - 1)...min(63, column + 1) { count &+= bins[y << 6 | x].x }
    }
    return count
  }

  private static func binCenter(_ index: Int) -> (cb: Float, cr: Float) {
    (Float(index >> 6) * 4 + 1.5, Float(index & 63) * 4 + 1.5)
  }
}
