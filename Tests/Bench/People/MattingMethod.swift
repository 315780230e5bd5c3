import Glibc
import Pixels
import Support

/// A method that computes a matte of people, and a composite over (90, 150, 120).
///
/// Mien's method is the element with its defaults, behind facedetect. The masks of the others are
/// the output of the network for the whole frame, as their users get it; the composite blends the
/// frame's colours with that mask.
struct MattingMethod {
  /// The result by rows: alpha, 0...1, and red, green and blue, 0...255.
  struct Keyed {
    let matte: [Float]
    let composite: [SIMD3<Float>]
  }

  let name: String
  /// The job for `setup/peer_selfie.py`; nil for the element.
  var peer: String?
  /// The number of identical frames; the last one is measured, since the element tracks people.
  var frames = 1

  static let all = [
    MattingMethod(name: "facedetect ! personkey, defaults"),
    MattingMethod(name: "the same, after 30 frames at rest", frames: 30),
    MattingMethod(name: "mediapipe 0.10.14, general", peer: "keep"),
    MattingMethod(name: "the same, as OBS cuts it", peer: "obs"),
    MattingMethod(name: "live-backgroundremoval-lite's recipe", peer: "lite"),
    MattingMethod(name: "Jitsi Meet's recipe", peer: "jitsi"),
  ]
  /// Indices in `all`.
  static let (ours, mediapipe) = (0, 2)

  /// Processes a picture of a scene; nil if the method cannot run here.
  func key(_ picture: OwnedPicture) -> Keyed? {
    guard let peer else { return element(picture) }
    let folder = ScratchFolder()
    let (input, output) = (folder.path + "/scene.raw", folder.path + "/out.raw")
    let colors = picture.rgbValues
    folder.write("scene.raw", PersonStrip.bytes(colors))
    let command =
      "/usr/bin/python3 setup/peer_selfie.py .build/peers \(picture.width) \(picture.height) 1"
      + " \(peer) \(input) \(output)"
    guard execute(words(command)) != nil else { return nil }
    let mask = ScratchFolder.bytes(output).map { Float($0) / 255 }
    guard mask.count == colors.count else { return nil }
    let behind = SIMD3<Float>(90, 150, 120)
    return Keyed(
      matte: mask, composite: zip(colors, mask).map { $0 * $1 + behind * (1 - $1) })
  }

  private func element(_ picture: OwnedPicture) -> Keyed? {
    let folder = ScratchFolder()
    folder.write("scene.raw", picture.tightBytes)
    func launched(_ properties: String, _ format: PixelFormat) -> OwnedPicture? {
      let output = folder.path + "/out.raw"
      let text =
        "gst-launch-1.0 -q filesrc location=\(folder.path)/scene.raw ! rawvideoparse format=i420"
        + " width=\(picture.width) height=\(picture.height) colorimetry=bt709"
        + " ! imagefreeze num-buffers=\(frames) ! facedetect updates=none ! personkey \(properties)"
        // multifilesink without a number in the name overwrites the file; the last frame remains.
        + " ! video/x-raw,format=\(format.rawValue) ! multifilesink location=\(output)"
      guard execute(words(text), Environment.ours) != nil else { return nil }
      let frame = OwnedPicture(
        format: format, width: picture.width, height: picture.height, colorimetry: .bt709)
      frame.fill(tightlyFrom: ScratchFolder.bytes(output))
      return frame
    }
    guard let keyed = launched("", .a420),
      let composite = launched("background-color=0xff5a9678", .i420)
    else { return nil }
    return Keyed(
      matte: Samples(keyed, 3).values.map { $0 / 255 }, composite: composite.rgbValues)
  }
}
