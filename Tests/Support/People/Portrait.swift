package import Pixels

/// The real portraits that `make setup` downloads.
package enum Portrait: String, CaseIterable, Sendable {
  case biden, obama, obama2, obama3
  case single = "single_face"

  private var size: (width: Int, height: Int) {
    switch self {
    case .biden: (970, 2204)
    case .obama: (910, 1137)
    case .obama2: (626, 1200)
    case .obama3: (1434, 2333)
    case .single: (572, 562)
    }
  }

  /// The portrait in full size, as RGB.
  package func load() throws -> OwnedPicture {
    let pipeline = try Pipeline(
      "filesrc location=\(Photograph.models)/scenes/\(rawValue).jpg ! jpegdec ! videoconvert"
        + " ! video/x-raw,format=RGB ! fakesink name=sink")
    let bytes = try pipeline.frames().last?.bytes ?? []
    let picture = OwnedPicture(
      format: .rgb, width: size.width, height: size.height, colorimetry: .rgb)
    picture.fill(tightlyFrom: bytes)
    return picture
  }
}
