package import Files

/// The source of the video.
package enum VideoSource: Equatable, Sendable {
  /// The photograph of the installation.
  case photograph(FilePath)
  case picture(FilePath)
  case film(FilePath)
  case camera(Camera)

  /// The file; nil for a camera.
  package var file: FilePath? {
    switch self {
    case .photograph(let path), .picture(let path), .film(let path): path
    case .camera: nil
    }
  }
}

/// A camera, as a source element.
package struct Camera: Equatable, Sendable {
  /// The device's display name.
  package let name: String
  /// The name of the element's factory.
  package let factory: String
  /// The element's properties.
  package let properties: [PropertyAssignment]
  /// The chosen format as caps in gst-launch syntax; nil where the camera's own choice is used.
  package var caps: String?
  /// The formats that the user may choose from.
  package let formats: [Format]

  /// A format of a camera.
  package struct Format: Equatable, Sendable {
    /// The size in pixels and frames per second.
    package let width, height, rate: Int
    package let caps: String

    package init(width: Int, height: Int, rate: Int, caps: String) {
      (self.width, self.height, self.rate, self.caps) = (width, height, rate, caps)
    }
  }

  package init(
    name: String, factory: String, properties: [PropertyAssignment], caps: String? = nil,
    formats: [Format] = []
  ) {
    (self.name, self.factory, self.properties, self.caps) = (name, factory, properties, caps)
    self.formats = formats
  }

  /// The same camera with another format.
  package func with(_ format: Format) -> Camera {
    var camera = self
    camera.caps = format.caps
    return camera
  }

  /// Whether it is the same device, which after it was plugged in again may have another file.
  package func isSameDevice(as other: Camera) -> Bool {
    name == other.name && factory == other.factory
  }

  /// A V4L2 device, as /dev/video0.
  package init(device: FilePath) {
    self.init(
      name: device.split.name.description, factory: "v4l2src",
      properties: [PropertyAssignment("device", .path(device))]
    )
  }
}
