import Compose
import Pixels

/// Samples a frame of more than 8 bits on the matte's grid, in 8-bit codes and their fractions, on
/// one thread; kept, so that frames allocate nothing.
final class DeepGridRows {
  typealias Colors = (Row<Float>, Row<Float>, Row<Float>)

  private let words: Grid<UInt16>
  private let floats: Grid<Float>

  init(width: Int) {
    words = Grid(width: width, height: 2, of: 0)
    floats = Grid(width: width, height: 3, of: 0)
  }

  /// The three components of a span of a row.
  func components(
    _ frame: DeepFrame, _ y: Int, _ samples: Range<Int>, _ codes: DeepCodes
  ) -> Colors {
    let (grid, x, n) = (frame.grid, samples.lowerBound, samples.count)
    let unit = 1 / codes.scale
    func read(_ index: Int) -> Row<Float> {
      let row = words.row(0)[..<n]
      frame.source[index].gather(row: y, from: x, into: row)
      let out = floats.row(index)[..<n]
      Self.scale(out, row, unit)
      return out
    }
    let chroma = (read(1), read(2))
    guard grid.hShift > 0 else { return (read(0), chroma.0, chroma.1) }
    let line = y << grid.vShift
    let next = grid.vShift > 0 ? min(line + 1, grid.height - 1) : line
    // With the sample before, for luma beside cosited chroma.
    let lead = min(x, 1)
    let (left, end) = (2 * (x - lead), min(2 * (x + n), grid.width))
    let (upper, lower) = (words.row(0)[..<(end - left)], words.row(1)[..<(end - left)])
    frame.source[0].gather(row: line, from: left, into: upper)
    frame.source[0].gather(row: next, from: left, into: lower)
    let luma = floats.row(0)[..<n]
    Self.downsample(
      luma, upper, lower, lead: lead, isCosited: grid.chromaSite.isCositedHorizontally, unit)
    return (luma, chroma.0, chroma.1)
  }

  @inline(never)
  private static func scale(_ out: Row<Float>, _ codes: Row<UInt16>, _ unit: Float) {
    let n = out.count
    let codes = codes[..<n]
    for i in 0..<n { out[i] = Float(codes[i]) * unit }
  }

  /// As `FilterKernels.downsample2x2`, from pair `lead` on.
  @inline(never)
  private static func downsample(
    _ out: Row<Float>, _ a: Row<UInt16>, _ b: Row<UInt16>, lead: Int, isCosited: Bool,
    _ unit: Float
  ) {
    let last = a.count - 1
    let b = b[..<a.count]
    func sum(_ x: Int) -> Float { Float(UInt32(a[x]) &+ UInt32(b[x])) }
    for i in 0..<out.count {
      let x = min(2 &* (i &+ lead), last)
      let (before, after) = (sum(max(x &- 1, 0)), sum(min(x &+ 1, last)))
      let four = isCosited ? 2 * sum(x) + before + after : 2 * (sum(x) + after)
      out[i] = four * (unit * 0.125)
    }
  }
}
