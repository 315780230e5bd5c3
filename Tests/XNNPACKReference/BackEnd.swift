import CXNNPACK
package import Inference
package import Threads

/// The library that runs a network.
package enum BackEnd: Sendable {
  /// The plugin's engine.
  case engine
  /// Debian's XNNPACK, which only tests and the bench use.
  case xnnpack

  /// The largest relative difference between the mean of a network's outputs and LiteRT's.
  ///
  /// XNNPACK of 2024, in Debian 13, has another sigmoid: the sum of the selfie network's 65,536 values
  /// differs by 3.2.
  package var meanTolerance: Double {
    self == .xnnpack && cxnn_flag_keep_dims != 0 ? 5e-5 : 1e-5
  }
}

extension Graph {
  /// Builds the network of `model` for one of the two.
  package convenience init(
    _ model: TFLiteModel, threads: ThreadPool? = nil, backEnd: BackEnd
  ) throws(ModelError) {
    switch backEnd {
    case .engine: try self.init(model, threads: threads)
    case .xnnpack:
      try self.init(model, threads: threads) { (network, threads) throws(ModelError) in
        try XNNPACKNetwork(network, threads: threads)
      }
    }
  }

  /// The network of an ONNX model in XNNPACK, on the calling thread.
  package convenience init(
    xnnpack model: ONNXModel, height: Int, width: Int
  ) throws(ModelError) {
    try self.init(model, height: height, width: width, threads: nil) {
      (network, threads) throws(ModelError) in try XNNPACKNetwork(network, threads: threads)
    }
  }
}
