import Faces
import Files
import Inference
import Pixels
import Support
import Threads

@testable import Vision

extension FaceFinder {
  /// A finder with all networks that `settings` need.
  static func loaded(
    _ settings: Settings = Settings(), cancellation: CancellationFlag = CancellationFlag()
  ) throws -> FaceFinder {
    let finder = FaceFinder(cancellation: cancellation)
    for network in FaceFinder.networks(for: settings) {
      try finder.install(
        Graph(path: FilePath(Photograph.models + "/" + network.fileName)), as: network)
    }
    return finder
  }

  func found(
    in picture: OwnedPicture, frame: Int, orientation: Orientation = .up, settings: Settings
  ) throws -> [Face] {
    try found(
      in: picture, time: UInt64(frame) * 33_333_333, orientation: orientation, settings: settings)
  }

  func found(
    in picture: OwnedPicture, time: UInt64?, orientation: Orientation = .up, settings: Settings
  ) throws -> [Face] {
    try picture.withPicture { (p: borrowing Picture) throws(ModelError) in
      try process(p, orientation: orientation, time: time, settings: settings)
    }
  }
}
