package import Faces
import Files
import Inference
package import Pixels
package import Threads
package import Vision

/// Finders with the models that `make setup` fetched, and what they find in pictures.
extension FaceFinder {
  /// A finder with all networks that `settings` need.
  package static func loaded(
    _ settings: Settings = Settings(), cancellation: CancellationFlag = CancellationFlag()
  ) throws -> FaceFinder {
    let finder = FaceFinder(cancellation: cancellation)
    for network in FaceFinder.networks(for: settings) {
      try finder.install(
        network, from: FilePath(Photograph.models + "/" + network.fileName))
    }
    return finder
  }

  /// The faces in a frame of a film with 30 frames a second.
  package func found(
    in picture: OwnedPicture, frame: Int, orientation: Orientation = .up, settings: Settings
  ) throws -> [Face] {
    try found(
      in: picture, time: UInt64(frame) * 33_333_333, orientation: orientation, settings: settings)
  }

  package func found(
    in picture: OwnedPicture, time: UInt64?, orientation: Orientation = .up, settings: Settings
  ) throws -> [Face] {
    try picture.withPicture { (p: borrowing Picture) throws(ModelError) in
      try process(p, orientation: orientation, time: time, settings: settings)
    }
  }

  /// The faces in the first frame of a film, found by a new finder.
  package static func faces(
    in picture: OwnedPicture, mesh: MeshChoice = .auto
  ) throws -> [Face] {
    var settings = Settings()
    settings.mesh = mesh
    return try loaded(settings).found(in: picture, time: 0, settings: settings)
  }
}

extension RealScene {
  /// Lends each frame in turn with its time and the faces that a tracking finder finds in it.
  package func forEachFrame(
    _ format: PixelFormat, _ body: @escaping (OwnedPicture, UInt64, [Face]) throws -> Void
  ) throws {
    let settings = FaceFinder.Settings()
    let finder = try FaceFinder.loaded(settings)
    try forEachFrame(format) { picture, time in
      try body(picture, time, finder.found(in: picture, time: time, settings: settings))
    }
  }
}

extension HandFinder {
  /// A finder with its networks.
  package static func loaded() throws -> HandFinder {
    let finder = HandFinder()
    func graph(_ network: FaceFinder.Network) throws -> Graph {
      try Graph(path: FilePath(Photograph.models + "/" + network.fileName))
    }
    try finder.installPalms(graph(.palms))
    try finder.installLandmarks(graph(.handPoints))
    return finder
  }
}
