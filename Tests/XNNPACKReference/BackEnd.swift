import CXNNPACK
package import Inference
package import Threads

/// Who runs a network.
package enum BackEnd: Sendable {
  /// The plugin's engine.
  case own
  /// Debian's XNNPACK, which only tests and the bench use.
  case xnnpack

  /// How far the mean of a network's outputs may be from LiteRT's, as a share of their size.
  ///
  /// XNNPACK of 2024, Debian 13's, has another sigmoid: the selfie network's mask of 65,536 values is
  /// 3.2 off in all.
  package var meanTolerance: Double {
    self == .xnnpack && cxnn_flag_keep_dims != 0 ? 5e-5 : 1e-5
  }
}

extension Graph {
  /// Builds the network of `model` for either to run.
  package convenience init(
    _ model: TFLiteModel, threads: ThreadPool? = nil, backEnd: BackEnd
  ) throws(ModelError) {
    switch backEnd {
    case .own: try self.init(model, threads: threads)
    case .xnnpack:
      try self.init(model, threads: threads) { (plan, threads) throws(ModelError) in
        try XNNPACKNetwork(plan, threads: threads)
      }
    }
  }
}
