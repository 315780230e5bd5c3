import CGStreamer
package import Pixels

/// The films and portraits that `make setup` downloads; they were not used in development.
package enum RealScene: String, CaseIterable, Sendable {
  /// Five people side by side.
  case group = "multi_face.jpg"
  case hiker = "single_face.jpg"
  case highForehead = "biden.jpg"
  case portrait = "obama.jpg"
  case smile = "obama2.jpg"
  case flags = "obama3.jpg"
  case halfFace = "obama_partial_face.jpg"
  case otherHalf = "obama_partial_face2.jpg"
  /// A man who looks up and smiles.
  case man = "single_face.mp4"
  /// The same man, then letters before the sky; and in the reverse order.
  case manThenLetters = "face_noface.mov"
  case lettersThenMan = "noface_face.mov"
  case letters = "no_face.mp4"
  /// A woman who cries behind her hands, and laughs, with her head tilted.
  case moods = "WolfgangLanger_Pexels.mp4"

  package var path: String { "\(Photograph.models)/scenes/\(rawValue)" }

  package var size: (width: Int, height: Int) {
    switch self {
    case .group: (1000, 667)
    case .hiker: (572, 562)
    case .highForehead: (970, 2204)
    case .portrait: (910, 1137)
    case .smile: (626, 1200)
    case .flags: (1434, 2333)
    case .halfFace: (491, 1137)
    case .otherHalf: (551, 1137)
    case .man, .moods: (640, 360)
    case .manThenLetters, .lettersThenMan, .letters: (960, 540)
    }
  }

  /// The source elements of a launch line.
  package var source: String { "filesrc location=\"\(path)\" ! decodebin ! videoconvert" }

  /// Calls `body` with each frame in its own size, up to the first error, which is thrown at the end.
  package func forEachFrame(
    _ format: PixelFormat = .rgb, _ body: @escaping (OwnedPicture, UInt64) throws -> Void
  ) throws {
    let (width, height) = size
    let picture = OwnedPicture(
      format: format, width: width, height: height,
      colorimetry: format.colorimetry(.bt601))
    let pipeline = try Pipeline(
      "\(source) ! video/x-raw,format=\(format.rawValue),width=\(width),height=\(height)"
        + " ! fakesink name=sink")
    var failure: (any Error)?
    try pipeline.watch("sink") { buffer in
      guard failure == nil else { return }
      let frame = CapturedFrame(buffer)
      picture.fill(tightlyFrom: frame.bytes)
      do { try body(picture, frame.pts) } catch { failure = error }
    }
    try pipeline.run()
    if let failure { throw failure }
  }

  /// The picture, or a film's first frame.
  package func picture(_ format: PixelFormat = .rgb) throws -> OwnedPicture {
    var first: OwnedPicture?
    try forEachFrame(format) { frame, _ in
      if first == nil { first = frame.copy() }
    }
    guard let first else { throw Missing(path: path) }
    return first
  }

  private struct Missing: Error { let path: String }
}
