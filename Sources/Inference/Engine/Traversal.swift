/// The vectors that a loop goes through, row by row and channel by channel.
struct Traversal {
  /// The numbers that are read, or those that are written.
  struct Operand {
    /// The index of the first number, and the strides to the next channel and row.
    var start, channelStride, rowStride: Int
  }

  var channels, rows, vectorsPerRow: Int
  var source, destination: Operand
  /// Bytes from the source of a vector to that of the next.
  var vectorStride = Kernels.size
  /// The offsets from a vector's source at which vectors are read, in bytes.
  var readRange = 0..<1
  /// The distance in bytes from a number that is written to the one that is added to it.
  var residualOffset: Int?

  /// A band of a map that goes to the same positions of scratch, or of another map.
  init(_ map: MapLayout, _ band: Range<Int>, _ layout: ScratchLayout) {
    self.init(map, band)
    destination = layout.operand(band, start: layout.first, rowStride: map.bandRowStride)
  }

  /// A band of a map in place.
  init(_ map: MapLayout, _ band: Range<Int>) {
    channels = map.channels
    (rows, vectorsPerRow) =
      map.isFlat ? (1, band.count) : (band.count / map.vectorsPerRow, map.vectorsPerRow)
    source = map.operand(band)
    destination = source
  }

  /// Windows over `input` whose results are the rows that a band of `output` touches.
  init(
    _ input: MapLayout, _ window: SlidingWindow, _ output: MapLayout, _ band: Range<Int>,
    _ layout: ScratchLayout
  ) {
    let outputRows = output.rows(touchedBy: band)
    (channels, rows) = (input.channels, outputRows.count)
    vectorsPerRow = Vector.count(holding: output.width)
    let top = outputRows.lowerBound * window.strideHeight - window.top
    source = Operand(
      start: input.origin + top * input.rowStride - window.left,
      channelStride: input.channelStride, rowStride: window.strideHeight * input.rowStride)
    destination = layout.operand(
      band,
      start: layout.first + outputRows.lowerBound * output.bandRowStride
        - band.lowerBound * Vector.lanes,
      rowStride: output.bandRowStride)
    if window.strideWidth == 2 { vectorStride *= 2 }
    let second = window.strideWidth == 2 ? Kernels.size : 0
    readRange = 0..<((window.height - 1) * input.rowStride + window.width - 1) * 4 + second + 1
  }
}
