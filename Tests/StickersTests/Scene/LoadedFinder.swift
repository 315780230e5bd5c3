import Files
import Inference
import Support

@testable import Vision

extension FaceFinder {
  /// A finder with every network that `settings` want.
  static func loaded(_ settings: Settings) throws -> FaceFinder {
    let finder = FaceFinder()
    for network in FaceFinder.networks(for: settings) {
      try finder.install(
        Graph(path: FilePath(Photograph.models + "/" + network.fileName)), as: network)
    }
    return finder
  }
}
