/// A picture-like tensor: one of the four-dimensional values [1, height, width, channels].
struct Map: Equatable {
  var height: Int
  var width: Int
  var channels: Int

  var shape: [Int] { [1, height, width, channels] }
}

/// A window laid over a map: how it moves, and how many zeros it sees round the map.
struct LaidWindow: Equatable {
  var height = 1
  var width = 1
  var strideHeight = 1
  var strideWidth = 1
  /// How many windows there are.
  var rows = 1
  var columns = 1
  var top = 0
  var bottom = 0
  var left = 0
  var right = 0
  var activation = Activation.none

  var hasPadding: Bool { top > 0 || bottom > 0 || left > 0 || right > 0 }
}

/// The weights of a convolution.
struct Filter {
  var window: LaidWindow
  let weights: Constant
  let bias: Constant
}

/// One step of a network whose shapes were worked out and whose constants were read: what either
/// back end may rely on.
struct Layer {
  enum Operation {
    /// Weights are [outputs, height, width, inputs].
    case convolution(Filter)
    /// Weights are [1, height, width, channels].
    case depthwiseConvolution(Filter)
    /// Every input pixel becomes a block; weights are [outputs, height, width, inputs].
    case transposeConvolution(Filter)
    case maxPool(LaidWindow)
    case globalAverage(Activation)
    case add(Activation)
    case multiply(Activation)
    case relu
    case logistic
    case hardSwish
    /// One slope for each channel.
    case prelu(Constant)
    /// Zeros before and after, for each dimension.
    case pad(before: [Int], after: [Int])
    case reshape
    case resize
    case depthToSpace(block: Int)
  }

  enum Input {
    case value(Int)
    case constant(Constant)
  }

  let operation: Operation
  let inputs: [Input]
  /// The tensor that it makes.
  let output: Int
  /// Its place in the model file, and what it is called there.
  let number: Int
  let title: String

  /// The tensor that it reads first.
  var input: Int {
    guard case .value(let tensor)? = inputs.first else { return -1 }
    return tensor
  }

  /// Adds where the problem is to an error.
  func locate(_ error: ModelError) -> ModelError {
    ModelError("operator \(number) (\(title)): \(error)")
  }
}
