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
    case meshWithIrises
    case eyeOpenness
    case blendshapes
    /// Those that find hands.
    case palms
    case handPoints
    /// Those that recognize their gestures, the first by points of its own.
    case gesturePoints
    case gestureEmbedder
    case gestureClassifier
    /// That of people, for the heads of those without a face.
    case person

    package var fileName: String {
      switch self {
      case .yuNet: YuNet.fileName
      case .shortRange: FaceDetector.fileName
      case .mesh: FaceMeshModel.Kind.points468.fileName
      case .meshWithIrises: FaceMeshModel.Kind.points478.fileName
      case .eyeOpenness: EyeOpennessModel.fileName
      case .blendshapes: BlendshapeModel.fileName
      case .palms: PalmDetector.fileName
      case .handPoints: HandLandmarkModel.fileName
      case .gesturePoints: HandLandmarkModel.largeFileName
      case .gestureEmbedder: GestureEmbedder.fileName
      case .gestureClassifier: GestureClassifier.fileName
      case .person: PersonSegmenter.Network.general.fileName
      }
    }
  }

  /// The networks that `settings` use; see `isRequired`.
  package static func networks(for settings: Settings) -> [Network] {
    var networks: [Network] = settings.accuracy == .high ? [.yuNet, .shortRange] : [.shortRange]
    // Without meshes it only verifies new faces.
    networks += meshNetworks(for: settings)
    // Meshes with irises need no eye model.
    if settings.expressions, networks.contains(.mesh) { networks.append(.eyeOpenness) }
    if settings.blendshapes, networks.contains(.meshWithIrises) { networks.append(.blendshapes) }
    if settings.occlusion && settings.landmarks || settings.maxHands > 0 {
      networks += [.palms, .handPoints]
    }
    if settings.heads { networks.append(.person) }
    if settings.maxHands > 0 { networks += [.gesturePoints, .gestureEmbedder, .gestureClassifier] }
    return networks
  }

  private static func meshNetworks(for settings: Settings) -> [Network] {
    switch settings.mesh {
    case .points468: [.mesh]
    case .points478: [.meshWithIrises]
    case .auto:
      settings.blendshapes
        ? [.meshWithIrises] : settings.expressions ? [.mesh, .meshWithIrises] : [.mesh]
    }
  }

  /// Whether faces cannot be found without this network.
  package static func isRequired(_ network: Network, for settings: Settings) -> Bool {
    switch network {
    case .yuNet, .shortRange: true
    case .mesh: settings.needsMesh
    case .meshWithIrises:
      settings.blendshapes || (settings.needsMesh && settings.mesh == .points478)
    case .eyeOpenness: false
    case .blendshapes, .person: true
    case .palms, .handPoints, .gesturePoints, .gestureEmbedder, .gestureClassifier:
      settings.requiresHands && settings.maxHands > 0
    }
  }

  package func has(_ network: Network) -> Bool {
    switch network {
    case .yuNet: searcher.hasYuNet
    case .shortRange: searcher.shortRange != nil
    case .mesh: meshes[.points468] != nil
    case .meshWithIrises: meshes[.points478] != nil
    case .eyeOpenness: eyeModel != nil
    case .blendshapes: blendshapeModel != nil
    case .palms: hands.hasPalms
    case .handPoints: hands.hasLandmarks
    case .gesturePoints: hands.gestures.points != nil
    case .gestureEmbedder: hands.gestures.embedder != nil
    case .gestureClassifier: hands.gestures.classifier != nil
    case .person: headFinder != nil
    }
  }

  /// Reads a network's file and installs it; throws unless it is readable and its tensors are as
  /// expected.
  package func install(
    _ network: Network, from path: FilePath, threads: ThreadPool? = nil
  ) throws(ModelError) {
    switch network {
    case .yuNet: try searcher.install(ONNXModel(path: path), threads: threads)
    case .blendshapes:
      blendshapeModel = try BlendshapeModel(TFLiteModel(path: path), threads: threads)
    case .gestureEmbedder: hands.gestures.embedder = try GestureEmbedder(TFLiteModel(path: path))
    case .gestureClassifier:
      hands.gestures.classifier = try GestureClassifier(TFLiteModel(path: path))
    default: try install(Graph(path: path, threads: threads), as: network)
    }
  }

  /// Installs a network that the engine runs as its file has it, with an input of fixed size.
  package func install(_ graph: Graph, as network: Network) throws(ModelError) {
    switch network {
    case .yuNet, .blendshapes, .gestureEmbedder, .gestureClassifier:
      throw ModelError("\(graph.name) is not a graph of fixed size")
    case .shortRange: searcher.shortRange = try FaceDetector(graph)
    case .mesh: meshes[.points468] = try FaceMeshModel(graph, .points468)
    case .meshWithIrises: meshes[.points478] = try FaceMeshModel(graph, .points478)
    case .eyeOpenness: eyeModel = try EyeOpennessModel(graph)
    case .palms: try hands.installPalms(graph)
    case .handPoints: try hands.installLandmarks(graph)
    case .gesturePoints: hands.gestures.points = try HandLandmarkModel(graph)
    case .person: headFinder = try HeadFinder(graph)
    }
  }

  /// Drops the networks that `settings` do not need, but for those of hands, which may be wanted again
  /// at any time.
  package func dropUnused(_ settings: Settings) {
    if settings.accuracy == .low { searcher.removeYuNet() }
    let networks = Self.networks(for: settings)
    if !networks.contains(.mesh) { meshes[.points468] = nil }
    if !networks.contains(.meshWithIrises) { meshes[.points478] = nil }
    if !networks.contains(.eyeOpenness) { eyeModel = nil }
    if !networks.contains(.blendshapes) { blendshapeModel = nil }
    if !networks.contains(.person) { headFinder = nil }
  }
}
