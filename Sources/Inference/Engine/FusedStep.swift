/// A prologue, weighted sums and an epilogue for each position of a map, band by band.
struct FusedStep: EngineStep {
  let input: MapLayout
  let prologue: (any Prologue)?
  let bands: Bands
  let cost: Int
  private let layout: ScratchLayout?
  private let weights: PackedWeights
  private let epilogue: Epilogue
  /// Whether the prologue's results are the step's, so that there is nothing to sum.
  private let isPrologueOnly: Bool

  /// A step of which each part may be missing.
  ///
  /// Without a prologue the sums read the map in place; without a filter each channel is the
  /// prologue's result plus `bias`.
  init(
    _ input: MapLayout, _ prologue: (any Prologue)?, _ filter: ConvolutionParameters?,
    bias: FloatBuffer?, epilogue: (_ vectors: Int) -> Epilogue
  ) {
    (self.input, self.prologue) = (input, prologue)
    let (output, residual) = (epilogue(1).output, epilogue(1).residual)
    let values = filter.map { FloatView($0.weights.buffer) }
    let estimate =
      values.map {
        CostEstimate(
          $0, channels: output.channels,
          residualChannels: min(residual?.channels ?? 0, output.channels))
      } ?? CostEstimate(channels: output.channels)
    bands = Bands(output, runs: prologue?.runs ?? input.channels, estimate) {
      prologue?.cyclesPerVector(rows: $0) ?? 0
    }
    let size = bands.vectorsPerBand
    var layout = prologue?.scratchLayout(vectors: size)
    isPrologueOnly =
      layout != nil && filter == nil && bias == nil && residual == nil
      && output.acceptsStores(from: input)
    if isPrologueOnly { layout?.output = output }
    let stride = layout?.runStride ?? input.channelStride
    let taps =
      (prologue as? Im2Col).flatMap { im2Col in layout.map { im2Col.tapOffsets($0) } }
      ?? (0..<input.channels).map { $0 * stride * 4 }
    self.layout = layout
    if let values, let filter {
      weights = PackedWeights(
        values, taps: taps, bias: filter.bias.buffer, groupSize: bands.groupSize)
    } else {
      weights = PackedWeights(taps: taps, bias: bias ?? FloatBuffer(count: input.channels))
    }
    self.epilogue = isPrologueOnly ? epilogue(size).withoutTiles() : epilogue(size)
    let cells = (prologue as? DepthwiseConvolution).map { $0.window.height * $0.window.width } ?? 2
    cost = output.vectorCount * Vector.lanes * (weights.weights.count + cells * input.channels)
  }

  var output: MapLayout { epilogue.output }
  var units: Int { bands.count }
  var scratchFloats: Int { layout?.floatCount ?? 0 }

  func run(_ units: Range<Int>, _ memory: Memory) {
    for unit in units {
      let band = bands[unit]
      if let prologue, let layout {
        let start = prologue.computeBand(band, layout, memory)
        if !isPrologueOnly {
          sumBand(band, BandInput(memory: memory.scratch, start: start), memory)
        }
      } else {
        let source = BandInput(
          memory: memory.maps, start: input.index(ofVector: band.lowerBound),
          rows: input.isFlat ? nil : input)
        sumBand(band, source, memory)
      }
      epilogue.runSeparatePass(band, memory.maps)
    }
  }

  private func sumBand(_ band: Range<Int>, _ source: BandInput, _ memory: Memory) {
    let kernel = BandKernel(weights, epilogue, band, source, memory.maps)
    kernel.compute(0..<weights.fullGroupCount, groupSize: weights.groupSize)
    kernel.compute(weights.fullGroupCount..<weights.groups.count, groupSize: 1)
  }
}
