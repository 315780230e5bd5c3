package import Files
package import Inference
package import Threads

/// The networks of a finder, and how they are installed.
extension FaceFinder {
  /// A network and the file it comes from.
  package enum Network: Sendable, Hashable {
    case yuNet
    case shortRange
    case mesh
    case eyeOpenness

    package var fileName: String {
      switch self {
      case .yuNet: YuNet.fileName
      case .shortRange: FaceDetector.fileName
      case .mesh: FaceMeshModel.fileName
      case .eyeOpenness: EyeOpennessModel.fileName
      }
    }
  }

  /// The networks that `settings` use; see `isRequired`.
  package static func networks(for settings: Settings) -> [Network] {
    var networks: [Network] = settings.accuracy == .high ? [.yuNet, .shortRange] : [.shortRange]
    // Without meshes it only verifies new faces.
    networks.append(.mesh)
    if settings.expressions { networks.append(.eyeOpenness) }
    return networks
  }

  /// Whether faces cannot be found without this network.
  package static func isRequired(_ network: Network, for settings: Settings) -> Bool {
    switch network {
    case .yuNet, .shortRange: true
    case .mesh: settings.needsMesh
    case .eyeOpenness: false
    }
  }

  package func has(_ network: Network) -> Bool {
    switch network {
    case .yuNet: searcher.hasYuNet
    case .shortRange: searcher.shortRange != nil
    case .mesh: mesh != nil
    case .eyeOpenness: eyeModel != nil
    }
  }

  /// Reads a network's file and installs it; throws unless it is readable and its tensors are as
  /// expected.
  package func install(
    _ network: Network, from path: FilePath, threads: ThreadPool? = nil
  ) throws(ModelError) {
    if network == .yuNet {
      try searcher.install(ONNXModel(path: path), threads: threads)
    } else {
      try install(Graph(path: path, threads: threads), as: network)
    }
  }

  /// Installs a network with an input of fixed size, which all but YuNet have.
  package func install(_ graph: Graph, as network: Network) throws(ModelError) {
    switch network {
    case .yuNet: throw ModelError("\(graph.name): YuNet is no graph of fixed size")
    case .shortRange: searcher.shortRange = try FaceDetector(graph)
    case .mesh: mesh = try FaceMeshModel(graph)
    case .eyeOpenness: eyeModel = try EyeOpennessModel(graph)
    }
  }

  /// Drops the networks that `settings` do not need.
  package func dropUnused(_ settings: Settings) {
    if settings.accuracy == .low { searcher.removeYuNet() }
    if !settings.expressions { eyeModel = nil }
  }
}
