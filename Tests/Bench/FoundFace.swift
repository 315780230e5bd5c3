import Faces
import Files
import Inference
import Pixels
import Support
import Vision

/// The largest face that `FaceFinder` detects in a single picture.
enum FoundFace {
  enum Missing: Error { case face }

  static func largest(in picture: OwnedPicture) throws -> Face {
    var settings = FaceFinder.Settings()
    settings.tracking = false
    let finder = FaceFinder()
    for network in FaceFinder.networks(for: settings) {
      let path = FilePath(Photograph.models + "/" + network.fileName)
      try finder.install(try Graph(path: path), as: network)
    }
    let faces = try picture.withPicture { (picture: borrowing Picture) throws(ModelError) in
      try finder.process(picture, time: nil, settings: settings)
    }
    guard let face = faces.first else { throw Missing.face }
    return face
  }
}
