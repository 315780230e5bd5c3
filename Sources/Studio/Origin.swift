package import Files

/// Where the pictures come from.
package enum Origin: Equatable, Sendable {
  /// The photograph that comes with the studio.
  case photograph(FilePath)
  case picture(FilePath)
  case film(FilePath)
  case camera(Camera)

  /// The file that is shown; nil where it is none.
  package var file: FilePath? {
    switch self {
    case .photograph(let path), .picture(let path), .film(let path): path
    case .camera: nil
    }
  }
}

/// A camera, as the element that gives its pictures.
package struct Camera: Equatable, Sendable {
  /// As it calls itself.
  package let name: String
  /// The element, by the name that GStreamer knows it by.
  package let kind: String
  private let names: [String]
  private let values: [Setting]

  /// What is set on the element.
  package var settings: [(name: String, value: Setting)] {
    zip(names, values).map { ($0, $1) }
  }

  package init(name: String, kind: String, settings: [(name: String, value: Setting)]) {
    (self.name, self.kind) = (name, kind)
    (names, values) = (settings.map(\.name), settings.map(\.value))
  }

  /// A device of Linux, as /dev/video0.
  package init(device: FilePath) {
    self.init(
      name: device.split.name.description, kind: "v4l2src", settings: [("device", .file(device))])
  }
}
