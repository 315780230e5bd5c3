/// A tensor as a map of the engine's and how it differs from that.
struct TensorView {
  var map: Int
  /// Zeros round the map and after its channels, which the map itself need not have.
  var top = 0, bottom = 0, left = 0, right = 0, channels = 0
  /// The pixels that each pixel's channels are spread over.
  var block = (height: 1, width: 1)
  var isReshaped = false

  /// Whether it is the map itself.
  var isPlain: Bool { isUnpadded && hasOwnLayout }
  var isUnpadded: Bool { hasOwnSize && channels == 0 }
  var hasOwnSize: Bool { top + bottom + left + right == 0 }
  var hasOwnLayout: Bool { block == (1, 1) && !isReshaped }
}

/// A step whose maps have no memory yet; until it is emitted, layers that follow may be fused into
/// it.
struct PlannedStep {
  /// What the sums are made of, or what else the step does.
  enum Source: Equatable {
    case map, scaled, depthwise, im2Col, maxPooled
    case resized(Layer.Interpolation)
    case globalAverage(FusedActivation)
    /// An output of the network, from a number on.
    case output(Int, start: Int, channels: Range<Int>?)
  }

  var source: Source
  var input: Int
  /// What slides over the input, and its weights where each channel has its own.
  var window = SlidingWindow()
  var depthwise: ConvolutionParameters?
  var depthwiseActivation = Activation.identity
  /// A factor for each channel of the input, and the map that is added to the product.
  var scale: Int?
  var scaledResidual: Int?
  /// Nil where each channel stays by itself.
  var filter: ConvolutionParameters?
  var bias: FloatBuffer?
  var shape: MapShape
  var activation = Activation.identity
  var residual: Int?
  var addsAfterActivation = false
  var block = (height: 1, width: 1)
  /// The map that it writes.
  var result: Int?

  /// Whether it has no epilogue.
  var isBare: Bool { residual == nil && activation.isIdentity && filter == nil && bias == nil }

  /// What it reads besides the residual, and all that it reads.
  private var sources: [Int] { [input] + [scale, scaledResidual].compactMap { $0 } }
  var reads: [Int] { sources + [residual].compactMap { $0 } }

  /// The map that its result may replace.
  ///
  /// A band of it reads no more of its residual than the same band, and before it stores. A residual that
  /// is added after the activation is read after that.
  var inPlaceMap: Int? {
    addsAfterActivation ? nil : residual.flatMap { sources.contains($0) ? nil : $0 }
  }
}

extension EnginePlanner {
  func makeSteps() -> [any EngineStep] { planned.map { makeStep($0) } }

  private func makeStep(_ own: PlannedStep) -> any EngineStep {
    let input = self[own.input]
    if case .output(_, let start, let channels) = own.source {
      return OutputStep(
        input: input, block: own.block, start: start,
        channels: channels ?? 0..<input.channels)
    }
    let output = self[own.result!]
    let scaled = ScaleAndResidual(
      input: input, scale: own.scale.map { self[$0] }, residual: own.scaledResidual.map { self[$0] }
    )
    if case .globalAverage(let limits) = own.source {
      return GlobalAverageStep(source: scaled, output: output, limits: limits)
    }
    if own.shape.isPixel, let filter = own.filter {
      return DenseStep(filter, input, output, own.activation)
    }
    // A depthwise convolution alone applies its activation and adds its residual itself.
    let isAlone = own.source == .depthwise && own.filter == nil
    let residual = own.residual.map { self[$0] }
    let addsItself =
      isAlone && (own.addsAfterActivation || own.activation.isIdentity)
      && own.activation.isClamp
      && residual.map { $0.hasSameLayout(as: output) && output.acceptsStores(from: input) } ?? false
    let activatesItself = isAlone && (own.residual == nil || addsItself)
    let prologue: (any Prologue)? =
      switch own.source {
      // Rows of few vectors are copied, so that tiles reach over several rows.
      case .map:
        input.isFlat || input.vectorsPerRow > 3 || own.filter == nil
          ? nil : ScaleAndResidual(input: input)
      case .depthwise:
        own.depthwise.map {
          DepthwiseConvolution(
            $0, activatesItself ? own.activation : own.depthwiseActivation, input, output,
            residual: addsItself ? residual : nil)
        }
      case .im2Col: Im2Col(input: input, output: output, window: own.window)
      case .maxPooled: MaxPooling(input: input, output: output, window: own.window)
      case .resized(let interpolation): Resize(input, output, interpolation)
      case .scaled, .globalAverage, .output: scaled
      }
    return FusedStep(input, prologue, own.filter, bias: own.bias) { vectors in
      Epilogue(
        output, vectors: vectors, activatesItself ? .identity : own.activation,
        residual: addsItself ? nil : residual,
        addsAfterActivation: own.addsAfterActivation && !addsItself)
    }
  }
}
