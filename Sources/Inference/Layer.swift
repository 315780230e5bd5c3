/// A picture-like tensor: one of the four-dimensional values [1, height, width, channels].
struct MapShape: Equatable {
  var height: Int
  var width: Int
  var channels: Int

  var shape: [Int] { [1, height, width, channels] }
}

/// A window laid over a map: how it moves, and how many zeros it sees round the map.
package struct SlidingWindow: Equatable {
  package var height = 1
  package var width = 1
  package var strideHeight = 1
  package var strideWidth = 1
  /// How many windows there are.
  package var rows = 1
  package var columns = 1
  package var top = 0
  package var bottom = 0
  package var left = 0
  package var right = 0
  package var activation = FusedActivation.none

  package var hasPadding: Bool { top > 0 || bottom > 0 || left > 0 || right > 0 }
}

/// The weights of a convolution.
package struct ConvolutionParameters {
  package var window: SlidingWindow
  package let weights: Constant
  package let bias: Constant
}

/// One step of a network whose shapes were worked out and whose constants were read: what those
/// who run it may rely on.
package struct Layer {
  package enum Operation {
    /// Weights are [outputs, height, width, inputs].
    case convolution(ConvolutionParameters)
    /// Weights are [1, height, width, channels].
    case depthwiseConvolution(ConvolutionParameters)
    /// Every input pixel becomes a block; weights are [outputs, height, width, inputs].
    case transposeConvolution(ConvolutionParameters)
    case maxPool(SlidingWindow)
    case globalAverage(FusedActivation)
    case add(FusedActivation)
    case multiply(FusedActivation)
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

  package enum Input {
    case value(Int)
    case constant(Constant)
  }

  package let operation: Operation
  package let inputs: [Input]
  /// The tensor that it makes.
  package let output: Int
  /// Its place in the model file, and what it is called there.
  package let number: Int
  package let title: String

  /// The tensor that it reads first.
  package var input: Int {
    guard case .value(let tensor)? = inputs.first else { return -1 }
    return tensor
  }

  /// Adds where the problem is to an error.
  package func locate(_ error: ModelError) -> ModelError {
    ModelError("operator \(number) (\(title)): \(error)")
  }
}
