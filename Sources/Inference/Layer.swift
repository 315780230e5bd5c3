/// The size of a feature map, a tensor of shape [1, height, width, channels].
struct MapShape: Equatable {
  var height, width, channels: Int

  var isPixel: Bool { height * width == 1 }

  var tensorShape: [Int] { [1, height, width, channels] }
}

/// The windows that slide over a map: their size, stride and number, and the zeros round the map.
package struct SlidingWindow: Equatable {
  package var height = 1, width = 1
  package var strideHeight = 1, strideWidth = 1
  /// The number of windows, which is the size of the result.
  package var rows = 1, columns = 1
  package var top = 0, bottom = 0, left = 0, right = 0
  package var activation = FusedActivation.none

  package var hasPadding: Bool { top > 0 || bottom > 0 || left > 0 || right > 0 }
}

/// A constant of the network.
package struct Constant {
  package let shape: [Int]
  package let buffer: FloatBuffer
}

/// The windows, weights and bias of a convolution.
package struct ConvolutionParameters {
  package var window: SlidingWindow
  package let weights: Constant
  package let bias: Constant
}

/// One operation of a network, with checked shapes and with constants that were read.
package struct Layer {
  package enum Operation {
    /// The shape of the weights is [outputs, height, width, inputs].
    case convolution(ConvolutionParameters)
    /// The shape of the weights is [1, height, width, channels].
    case depthwiseConvolution(ConvolutionParameters)
    /// Each input pixel becomes a block. The shape of the weights is [outputs, height, width,
    /// inputs].
    case transposeConvolution(ConvolutionParameters)
    /// A pointwise convolution of one pixel. The shape of the weights is [outputs, 1, 1, inputs].
    case fullyConnected(ConvolutionParameters)
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
    case resize(Interpolation)
    case depthToSpace(block: Int)
  }

  package enum Interpolation: Sendable {
    /// Between pixels' centres.
    case bilinear
    /// Each pixel becomes a block of equal ones.
    case nearest
  }

  package enum Input {
    case value(Int)
    case constant(Constant)
  }

  package let operation: Operation
  package let inputs: [Input]
  /// The tensor that it computes.
  package let output: Int
  /// The number and the name of its operator in the model file.
  package let number: Int
  package let title: String

  /// The tensor that it reads first.
  package var input: Int {
    guard case .value(let tensor)? = inputs.first else { return -1 }
    return tensor
  }

  /// The error with the operator's number and name.
  package func addingLocation(to error: ModelError) -> ModelError {
    ModelError("operator \(number) (\(title)): \(error)")
  }
}
