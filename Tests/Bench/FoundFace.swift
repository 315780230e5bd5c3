import Faces
import Pixels
import Support
import Vision

/// The largest face that `FaceFinder` detects in a single picture.
enum FoundFace {
  enum Missing: Error { case face }

  static func largest(in picture: OwnedPicture) throws -> Face {
    var settings = FaceFinder.Settings()
    settings.tracking = false
    let finder = try FaceFinder.loaded(settings)
    guard let face = try finder.found(in: picture, time: nil, settings: settings).first else {
      throw Missing.face
    }
    return face
  }
}
