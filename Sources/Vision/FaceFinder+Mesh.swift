import Faces
import Inference
import Pixels
import Threads

/// Which mesh network measures faces.
package enum MeshChoice: String, Sendable, CaseIterable {
  /// That of 478 points for up to four faces whose expressions are wanted, else that of 468.
  case auto
  case points468 = "468"
  case points478 = "478"
}

/// Meshes: the network of each face, and the measurements of tracked faces.
extension FaceFinder {
  /// With more faces than this, new ones have the smaller mesh.
  private static let maximumFacesWithIrises = 4
  /// The size in pixels from which the larger mesh is better.
  private static let minimumSizeWithIrises = 40.0

  /// The installed network of this kind, else the other one.
  func meshModel(_ kind: FaceMeshModel.Kind) -> FaceMeshModel? {
    meshes[kind] ?? meshes[kind == .points468 ? .points478 : .points468]
  }

  /// The network of all faces; nil where each has its own.
  private static func forcedKind(_ settings: Settings) -> FaceMeshModel.Kind? {
    switch settings.mesh {
    case .auto: settings.blendshapes ? .points478 : nil
    case .points468: .points468
    case .points478: .points478
    }
  }

  /// The network of a known face; nil before its first mesh.
  func meshKind(of track: Track, _ context: Context) -> FaceMeshModel.Kind? {
    Self.forcedKind(context.settings) ?? track.meshKind
  }

  /// The network of a new face of `size` pixels.
  func meshKind(size: Double, _ context: Context) -> FaceMeshModel.Kind {
    if let kind = Self.forcedKind(context.settings) { return kind }
    return context.settings.expressions
      && min(context.expectedFaces, context.settings.maxFaces) <= Self.maximumFacesWithIrises
      && size >= Self.minimumSizeWithIrises ? .points478 : .points468
  }

  /// Measures the tracked faces at their predicted positions.
  func measureTracked(
    _ picture: borrowing Picture, _ context: Context
  ) throws(ModelError) {
    guard context.settings.needsMesh else { return }
    var expected: [(track: Track, kind: FaceMeshModel.Kind, region: Region)] = []
    for track in tracker.tracks {
      guard let region = track.predictedMeshRegion(at: clock),
        let kind = meshKind(of: track, context), let model = meshModel(kind)
      else { continue }
      guard tracker.shouldMeasure(track) else {
        tracker.recordMeasurement(track, nil, probability: 0)
        continue
      }
      expected.append((track, model.kind, region))
    }
    for kind in FaceMeshModel.Kind.allCases {
      guard let mesh = meshes[kind] else { continue }
      let own = expected.filter { $0.kind == kind }
      let found = try mesh.measure(
        picture, orientation: context.view.orientation, regions: own.map(\.region),
        gain: context.gain, unless: cancellation)
      for case (let item, let found?) in zip(own, found) {
        tracker.recordMeasurement(
          item.track, found.mesh.map { Observation($0) }, probability: found.probability)
      }
    }
  }

  /// The height of each eye's opening divided by its width: of a mesh with irises from that, of
  /// others from the eye model if there is one.
  func eyeAspects(
    _ picture: borrowing Picture, _ context: Context, _ eyes: [EyeOpennessModel.Eye]
  ) throws(ModelError) -> [(value: Double, source: EyeBaseline.Source)] {
    let others = eyes.filter { !$0.mesh.hasIrises }
    let detected =
      others.isEmpty
      ? nil
      : try eyeModel?.aspects(
        picture, orientation: context.view.orientation, eyes: others, gain: context.gain,
        unless: cancellation)
    var next = 0
    return eyes.map { eye in
      let aspect = eye.mesh.eyeAspect(isLeft: eye.isLeft)
      guard !eye.mesh.hasIrises else { return (aspect, .meshWithIrises) }
      defer { next += 1 }
      return (detected?[next]).map { ($0, .irisModel) } ?? (aspect, .mesh)
    }
  }
}
