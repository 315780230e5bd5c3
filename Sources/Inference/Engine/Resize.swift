/// Resizes a map, first along rows, then between them.
///
/// Bilinear interpolation is between half-pixel centres; the nearest pixel is that of the
/// rounded-down position, without half a pixel.
struct Resize: Prologue {
  /// Two neighbours, and the weight of the second.
  struct Sample {
    var first, second: Int
    var weight: Float
  }

  let input, output: MapLayout
  let columns, rows: [Sample]

  private let interpolation: Layer.Interpolation

  init(_ input: MapLayout, _ output: MapLayout, _ interpolation: Layer.Interpolation) {
    (self.input, self.output, self.interpolation) = (input, output, interpolation)
    func samples(_ from: Int, _ to: Int) -> [Sample] {
      (0..<to).map { number in
        guard interpolation == .bilinear else {
          return Sample(first: number * from / to, second: number * from / to, weight: 0)
        }
        let position = max(0, (Float(number) + 0.5) * (Float(from) / Float(to)) - 0.5)
        let first = min(Int(position), from - 1)
        return Sample(
          first: first, second: min(first + 1, from - 1), weight: position - Float(first))
      }
    }
    rows = samples(input.height, output.height)
    columns = samples(input.width, output.width)
  }

  /// Numbers from a resampled row to the next.
  private var rowStride: Int { Vector.count(holding: output.width) * Vector.lanes }

  /// Runs, and after them one channel's input rows at the output's width.
  func scratchLayout(vectors: Int) -> ScratchLayout {
    let rows = min(
      input.height, output.maximumRows(vectors: vectors) * input.height / output.height + 3)
    return ScratchLayout(output, vectors: vectors, runs: runs, extra: rows * rowStride)
  }

  func computeBand(_ band: Range<Int>, _ layout: ScratchLayout, _ memory: Memory) -> Int {
    let (outputRows, start) = (output.rows(touchedBy: band), layout.runStride * runs)
    let top = rows[outputRows.lowerBound].first
    let bottom = rows[outputRows.upperBound - 1].second
    var vertical = Traversal(input, SlidingWindow(), output, band, layout)
    var horizontal = vertical
    horizontal.rows = bottom - top + 1
    horizontal.source = Traversal.Operand(
      start: input.origin + top * input.rowStride, channelStride: input.channelStride,
      rowStride: input.rowStride)
    horizontal.destination = Traversal.Operand(start: start, channelStride: 0, rowStride: rowStride)
    (horizontal.vectorStride, horizontal.readRange) = (Kernels.size / 2, -4..<5)
    vertical.source = Traversal.Operand(start: start, channelStride: 0, rowStride: 0)
    vertical.readRange = 0..<(bottom - top) * rowStride * 4 + 1
    let resampled = Kernels.channelRows(horizontal, from: memory.maps, to: memory.scratch)
    let results = Kernels.channelRows(
      vertical, from: memory.scratch, to: layout.destination(memory))
    for channel in 0..<input.channels {
      let first = horizontal.source.start + channel * input.channelStride
      resampleRows(resampled.channel(channel), memory, from: first, to: start)
      interpolateRows(results.channel(channel), from: outputRows.lowerBound, top)
    }
    return layout.first
  }

  /// Interpolates the output's rows from `first` on between resampled rows, which begin with the
  /// input's row `top`.
  private func interpolateRows(_ result: Kernels.ChannelRows, from start: Int, _ top: Int) {
    for row in 0..<result.count {
      let sample = rows[start + row]
      let first = (sample.first &- top) &* rowStride &* 4
      let second = (sample.second &- top) &* rowStride &* 4
      let weight = Vector(sample.weight)
      for vector in 0..<result.vectorsPerRow {
        let position = result[row, vector]
        var x = position[first]
        x.add(position[second] - x, times: weight)
        position.store(x)
      }
    }
  }

  /// Resamples the rows of a channel, the first of which begins at `source`, to the output's width.
  private func resampleRows(
    _ rows: Kernels.ChannelRows, _ memory: Memory, from source: Int, to destination: Int
  ) {
    let doublesWidth = output.width == 2 * input.width
    if doublesWidth { upsampleRows2x(rows) }
    let (maps, scratch) = (memory.maps, memory.scratch)
    for row in 0..<rows.count {
      let (from, to) = (source + row * input.rowStride, destination + row * rowStride)
      if doublesWidth {
        // Outside the map its outermost numbers continue.
        scratch[to] = maps[from]
        scratch[to + output.width - 1] = maps[from + input.width - 1]
      } else {
        for (x, sample) in columns.enumerated() {
          let left = maps[from + sample.first]
          scratch[to + x] = left + (maps[from + sample.second] - left) * sample.weight
        }
      }
    }
  }

  /// Weights 1/4, 3/4 and 3/4, 1/4 by turns; the ends of rows are left to the caller.
  private func upsampleRows2x(_ rows: Kernels.ChannelRows) {
    guard interpolation == .bilinear else { return repeatPixels(rows) }
    rows.forEachVector { position in
      let center = position[0] * Vector(0.75)
      var (even, odd, both) = (center, center, Vector(0))
      even.add(position[-4], times: Vector(0.25))
      odd.add(position[4], times: Vector(0.25))
      both.evenHalf = even.lowHalf
      both.oddHalf = odd.lowHalf
      position.store(both)
    }
  }

  /// Each number twice.
  private func repeatPixels(_ rows: Kernels.ChannelRows) {
    rows.forEachVector { position in
      var both = Vector(0)
      both.evenHalf = position[0].lowHalf
      both.oddHalf = position[0].lowHalf
      position.store(both)
    }
  }
}
