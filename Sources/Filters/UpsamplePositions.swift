package import Pixels

/// The positions of a row's or column's samples relative to the cells of a coarse grid, for
/// bilinear upsampling.
///
/// Each sample lies between the centres of two cells; cells are clamped at the ends.
package final class UpsamplePositions {
  /// For each sample the cell before it, and the weight of the cell after it, in 1/128.
  package let before: Grid<Int32>
  package let weights: Grid<UInt16>
  /// The first sample of each segment between two cell centres; then the number of samples.
  let starts: Grid<Int32>
  /// The number of samples between two cell centres if it is the same for all cells and at most
  /// `UpsampleKernels.maximumSamples`, else 0.
  let regular: Int

  /// For `count` samples of 2^`shift` pixels each, on cells of `step` pixels.
  package init(count: Int, shift: Int, isCosited: Bool, step: Int, cells: Int) {
    before = Grid(width: count, height: 1, of: 0)
    weights = Grid(width: count + FilterKernels.block, height: 1, of: 0)
    starts = Grid(width: cells + 2, height: 1, of: Int32(count))
    let isRegular =
      step & ((1 << shift) - 1) == 0 && step >> shift <= UpsampleKernels.maximumSamples
    regular = isRegular ? step >> shift : 0
    let offset = shift > 0 && !isCosited ? 0.5 : 0
    var last = -1
    starts.row(0)[0] = 0
    for x in 0..<count {
      let position = (Double(x << shift) + offset + 0.5) / Double(step) - 0.5
      let cell = min(max(Int(position.rounded(.down)), -1), cells - 1)
      let inside = cell >= 0 && cell < cells - 1
      before.row(0)[x] = Int32(max(cell, 0))
      weights.row(0)[x] = inside ? UInt16(((position - Double(cell)) * 128).rounded()) : 0
      while last < cell {
        last += 1
        starts.row(0)[last + 1] = Int32(x)
      }
    }
  }

  /// The samples of `segments`; segment c lies between the centres of cells c - 1 and c.
  package func samples(in segments: Range<Int>) -> Range<Int> {
    Int(starts.row(0)[segments.lowerBound])..<Int(starts.row(0)[segments.upperBound])
  }

  /// Writes the interpolated samples of `segments`; `out` has all samples and one block more.
  package func upsampleBilinear(_ cells: Row<Float>, _ segments: Range<Int>, into out: Row<Float>) {
    // The segments before the first and after the last centre are irregular.
    let (first, end) = (max(segments.lowerBound, 1), min(segments.upperBound, cells.count - 1))
    guard regular > 0, first < end else {
      return UpsampleKernels.upsampleBilinear(out, cells, segments, starts.row(0), weights.row(0))
    }
    let inner = first..<end
    if segments.lowerBound < 1 {
      UpsampleKernels.upsampleBilinear(out, cells, 0..<1, starts.row(0), weights.row(0))
    }
    let samples = samples(in: inner)
    UpsampleKernels.upsampleBilinear(
      out[samples], cells[from: inner.lowerBound - 1, count: inner.count + 1],
      weights.row(0)[from: samples.lowerBound, count: regular])
    if segments.upperBound > inner.upperBound {
      UpsampleKernels.upsampleBilinear(
        out, cells, inner.upperBound..<segments.upperBound, starts.row(0), weights.row(0))
    }
  }
}

/// Upsamples grids of bytes bilinearly to a component's samples; valid while the positions live.
package struct GridUpsampler {
  private let before, starts: Grid<Int32>.Rows
  private let weights, downWeights: Grid<UInt16>.Rows
  private let down: Grid<Int32>.Rows
  private let regular: Int

  package init(across: UpsamplePositions, down: UpsamplePositions) {
    (before, starts, weights) = (across.before.rows, across.starts.rows, across.weights.rows)
    (self.down, downWeights) = (down.before.rows, down.weights.rows)
    regular = across.regular
  }

  /// Writes `count` samples of row `y` from column `x` on into `out`, which is a block longer;
  /// `scratch` has the length of a row of cells.
  package func upsampleBilinear(
    _ cells: Grid<UInt8>.Rows, row y: Int, from x: Int, count: Int, into out: Row<UInt8>,
    scratch: Row<UInt16>
  ) {
    guard count > 0 else { return }
    let top = Int(down.row(0)[y])
    let bottom = min(top + 1, cells.height - 1)
    let (first, last) = (Int(before.row(0)[x]), Int(before.row(0)[x + count - 1]))
    let end = min(last + 2, cells.width)
    let mixed = scratch[from: first, count: end - first]
    BilinearRows.blend(
      mixed, cells.row(top)[first..<end], cells.row(bottom)[first..<end],
      downWeights.row(0)[y])
    let (starts, weights) = (starts.row(0), weights.row(0))
    func upsampleIrregular(_ samples: Range<Int>, segment: Int) {
      guard !samples.isEmpty else { return }
      FilterKernels.upsampleIrregular(
        out[(samples.lowerBound - x)...], from: samples.lowerBound, count: samples.count, mixed,
        first: first, columns: cells.width, starts: starts, weights: weights, segment: segment)
    }
    // Samples before the first cell's centre belong to segment 0.
    let segment = first == 0 && x < Int(starts[1]) ? 0 : first + 1
    // Whole segments between two existing cells.
    let from = max(segment + (Int(starts[segment]) < x ? 1 : 0), 1)
    let until = min(last + 1, cells.width - 1)
    guard regular > 0, from < until else {
      return upsampleIrregular(x..<x + count, segment: segment)
    }
    let inner = Int(starts[from])..<Int(starts[until])
    upsampleIrregular(x..<inner.lowerBound, segment: segment)
    UpsampleKernels.upsampleBilinear(
      out[from: inner.lowerBound - x, count: inner.count],
      mixed[from: from - 1 - first, count: until - from + 1],
      weights[from: inner.lowerBound, count: regular])
    upsampleIrregular(inner.upperBound..<x + count, segment: until)
  }
}
