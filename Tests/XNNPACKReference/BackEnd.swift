package import Inference
package import Threads

/// Who runs a network.
package enum BackEnd: Sendable {
  /// The plugin's engine.
  case own
  /// Debian's XNNPACK, which only tests and the bench use.
  case xnnpack
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
