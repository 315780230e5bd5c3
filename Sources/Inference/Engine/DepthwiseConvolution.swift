/// A depthwise convolution: each channel has a window of its own.
struct DepthwiseConvolution: Prologue {
  let input, output: MapLayout
  let window: SlidingWindow
  /// The weights, all of a channel's together.
  let weights: FloatBuffer
  let bias: FloatBuffer
  let activation: Activation
  /// The map that is added to the results, where these go straight to the output.
  private let residual: MapLayout?
  /// For each window column, 1 where it lies in the same row as its position; nil where a halo
  /// takes the place of such masks.
  private let masks: FloatBuffer?

  /// Whether there is a kernel that masks what windows read beyond the ends of rows.
  static func canMask(_ window: SlidingWindow) -> Bool {
    (window.height == 3 || window.height == 5) && window.height == window.width
      && window.strideHeight * window.strideWidth == 1
  }

  init(
    _ filter: ConvolutionParameters, _ activation: Activation, _ input: MapLayout,
    _ output: MapLayout, residual: MapLayout? = nil
  ) {
    (self.input, self.output, self.residual) = (input, output, residual)
    (window, bias, self.activation) = (filter.window, filter.bias.buffer, activation)
    let columns = max(window.left, window.right)
    let needsMasks =
      input.isFlat && input.halo.columns < columns && Self.canMask(window)
      && input.hasSameSize(as: output)
    masks = needsMasks ? Self.makeMasks(input, window) : nil
    weights = FloatBuffer(count: filter.weights.buffer.count)
    let (from, to) = (FloatView(filter.weights.buffer), FloatView(weights))
    let cells = window.height * window.width
    for cell in 0..<cells {
      for channel in 0..<bias.count {
        to[channel * cells + cell] = from[cell * bias.count + channel]
      }
    }
  }

  private static func makeMasks(_ input: MapLayout, _ window: SlidingWindow) -> FloatBuffer {
    let count = input.vectorCount * Vector.lanes
    let masks = FloatBuffer(count: window.width * count)
    let values = FloatView(masks)
    for x in 0..<window.width {
      for position in 0..<count {
        let column = position % input.rowStride + x - window.left
        values[x * count + position] = column >= 0 && column < input.width ? 1 : 0
      }
    }
    return masks
  }

  /// Each vector that is read serves four rows, where the map has as many.
  func cyclesPerVector(rows: Int) -> Double {
    let cells = Double(window.height * window.width * runs)
    guard window.strideHeight == 1, !output.isFlat else { return cells }
    return cells * (rows % 4 == 0 ? 0.5 : 0.9)
  }

  func computeBand(_ band: Range<Int>, _ layout: ScratchLayout, _ memory: Memory) -> Int {
    let destination = layout.destination(memory)
    let isSameSize = window.strideHeight * window.strideWidth == 1 && input.hasSameSize(as: output)
    var traversal =
      isSameSize
      ? Traversal(input, band, layout) : Traversal(input, window, output, band, layout)
    traversal.residualOffset = residual.map { ($0.origin - output.origin) * 4 }
    if isSameSize {
      traversal.source.start -= window.top * input.rowStride + window.left
      traversal.readRange = 0..<((window.height - 1) * input.rowStride + window.width - 1) * 4 + 1
    }
    if let masks {
      convolveMasked(traversal, band, masks, memory.maps, destination)
    } else {
      if isSameSize { convolveWholeRows(of: &traversal, band, memory.maps, destination) }
      convolve(traversal, memory.maps, destination)
    }
    applyOtherActivation(layout, band, destination)
    return layout.first
  }

  /// Convolves rows of a flat map side by side, as many as are whole, and leaves the rest of the
  /// band in `traversal`.
  ///
  /// Rows need not be whole vectors: what a vector computes beyond its row is right for the next
  /// one.
  private func convolveWholeRows(
    of traversal: inout Traversal, _ band: Range<Int>, _ maps: FloatView, _ destination: FloatView
  ) {
    let (vectorsPerRow, stride) = (Vector.count(holding: input.rowStride), input.rowStride)
    guard Kernels.depthwiseRows > 1, input.isFlat, band.count >= 24,
      5 * vectorsPerRow * Vector.lanes <= 7 * stride
    else { return }
    let count = band.count * Vector.lanes
    let rows = count / stride / Kernels.depthwiseRows * Kernels.depthwiseRows
    var block = traversal
    (block.rows, block.vectorsPerRow) = (rows, vectorsPerRow)
    (block.source.rowStride, block.destination.rowStride) = (stride, stride)
    convolve(block, maps, destination)
    traversal.source.start += rows * stride
    traversal.destination.start += rows * stride
    traversal.vectorsPerRow = Vector.count(holding: count - rows * stride)
  }

  private func convolve(_ traversal: Traversal, _ maps: FloatView, _ destination: FloatView) {
    let kernel = makeKernel(Kernels.channelRows(traversal, from: maps, to: destination))
    let hasStride2 = window.strideWidth == 2
    switch (window.height, window.width, hasStride2, traversal.residualOffset == nil) {
    case (3, 3, false, true): SquareWindow<3, 9, 1, 0>.convolve(kernel)
    case (3, 3, false, false): SquareWindow<3, 9, 1, 1>.convolve(kernel)
    case (3, 3, true, true): SquareWindow<3, 9, 2, 0>.convolve(kernel)
    case (5, 5, false, true): SquareWindow<5, 25, 1, 0>.convolve(kernel)
    case (5, 5, true, true): SquareWindow<5, 25, 2, 0>.convolve(kernel)
    default: kernel.convolve(width: window.width, cells: window.height * window.width, hasStride2)
    }
  }

  /// Convolves a band of a flat map whose rows have no halo.
  private func convolveMasked(
    _ traversal: Traversal, _ band: Range<Int>, _ masks: FloatBuffer, _ maps: FloatView,
    _ destination: FloatView
  ) {
    let kernel = makeKernel(Kernels.channelRows(traversal, from: maps, to: destination))
    let ownMasks = FloatView(masks, band.lowerBound * Vector.lanes..<masks.count)
    let stride = input.vectorCount * Vector.lanes
    if window.width == 3 {
      SquareWindow<3, 9, 1, 0>.convolveMasked(kernel, ownMasks, maskStride: stride)
    } else {
      SquareWindow<5, 25, 1, 0>.convolveMasked(kernel, ownMasks, maskStride: stride)
    }
  }

  private func makeKernel(_ rows: Kernels.ChannelRows) -> DepthwiseKernel {
    DepthwiseKernel(
      weights: FloatView(weights), bias: FloatView(bias),
      minimum: activation.isClamp ? activation.limits.minimum : -.infinity,
      maximum: activation.isClamp ? activation.limits.maximum : .infinity, rows: rows,
      windowRowStride: input.rowStride * 4)
  }

  /// Applies an activation that the kernels do not.
  ///
  /// This goes by the vectors of the band: those of the kernels may overlap, and no number may be
  /// activated twice.
  private func applyOtherActivation(
    _ layout: ScratchLayout, _ band: Range<Int>, _ destination: FloatView
  ) {
    guard !activation.isClamp else { return }
    var traversal = Traversal(output, band, layout)
    (traversal.channels, traversal.source) = (input.channels, traversal.destination)
    ActivationPass(activation: activation)
      .apply(to: Kernels.channelRows(traversal, from: destination, to: destination))
  }
}
