import Glibc
import Pixels
import Support

/// A program that keys a file of I420 frames into a file of frames with alpha.
struct Keyer: Sendable {
  let name: String
  /// The name of the file that `make bench` keeps, for pictures.
  let file: String
  /// The output format.
  let format: PixelFormat
  var isOurs = false
  /// The name of the row that interprets its colours as premultiplied, if measured.
  var premultiplied: String?
  /// The settings to search.
  let settings: [String]
  /// The settings that are best in most scenes.
  let usual: String
  /// Returns the command for a shot; `environment` is its environment.
  let command: @Sendable (_ shot: KeyedShot, _ settings: String) -> [String]
  var environment: [String: String] = Environment.peers

  static let all = [ours, alpha, chromakey]

  private static let ours = Keyer(
    name: "chromakey, defaults", file: "ours.a420", format: .a420, isOurs: true, settings: [""],
    usual: "", command: { shot, _ in launch(shot, "chromakey ! video/x-raw,format=A420") },
    environment: Environment.ours)

  /// Mien's keyer with a preset instead of the defaults.
  static func ours(preset name: String) -> Keyer? {
    guard let preset = Preset("MienChromaKey", name) else { return nil }
    return Keyer(
      name: "chromakey, \"\(name)\"", file: "preset.a420", format: .a420, settings: [""],
      usual: "",
      command: { shot, _ in launch(shot, "chromakey \(preset.text) ! video/x-raw,format=A420") },
      environment: Environment.ours)
  }

  /// Its alpha output is nominally straight, but the screen's part is subtracted from the colours.
  ///
  /// Read as straight, edges are too dark; so it is also measured as premultiplied.
  private static let alpha = Keyer(
    name: "gst alpha, at its best", file: "alpha.ayuv", format: .ayuv,
    premultiplied: "  the same, read as premultiplied",
    settings: ["30", "40", "50", "55", "60", "70", "80"].flatMap { angle in
      ["8", "12", "16", "20", "24", "32"].map { "angle=\(angle) noise-level=\($0)" }
    }, usual: "angle=55 noise-level=16",
    command: { shot, settings in
      let (r, g, b) = shot.scene.screen
      return launch(
        shot,
        "alpha method=custom target-r=\(Int(r)) target-g=\(Int(g)) target-b=\(Int(b)) \(settings)"
          + " ! video/x-raw,format=AYUV")
    })

  private static let chromakey = Keyer(
    name: "ffmpeg chromakey, at its best", file: "ffmpeg.a420", format: .a420,
    settings: [".02", ".03", ".04", ".05", ".06"].flatMap { similarity in
      [".04", ".06", ".08", ".1", ".14"].map { "similarity=\(similarity):blend=\($0)" }
    }, usual: "similarity=.03:blend=.08",
    command: { shot, settings in
      let (r, g, b) = shot.scene.screen
      let code = Colorimetry.bt709.ycc(r: r, g: g, b: b)
      let color = [code.y, code.cb, code.cr].map { value -> String in
        let digits = String(Int(value.rounded()), radix: 16)
        return digits.count < 2 ? "0" + digits : digits
      }
      return words(
        "ffmpeg -v error -y -f rawvideo -pix_fmt yuv420p -s"
          + " \(shot.scene.width)x\(shot.scene.height) -i \(shot.input) -vf"
          + " format=yuva420p,chromakey=color=0x\(color.joined()):\(settings):yuv=1 -f rawvideo"
          + " -pix_fmt yuva420p \(shot.output)")
    })

  private static func launch(_ shot: KeyedShot, _ elements: String) -> [String] {
    words(
      "gst-launch-1.0 -q filesrc location=\(shot.input) ! rawvideoparse format=i420"
        + " width=\(shot.scene.width) height=\(shot.scene.height) colorimetry=bt709 ! \(elements)"
        + " ! filesink location=\(shot.output)")
  }
}

/// The frames of a scene as a raw file, the input of all keyers.
final class KeyedShot {
  let scene: ChromaKeyScene.Settings
  private let folder = ScratchFolder()
  private let count: Int

  var input: String { folder.path + "/shot.i420" }
  var output: String { folder.path + "/keyed.raw" }

  /// If `quality` is set, the frames are encoded by x264 with this constant rate factor, and
  /// decoded again.
  init(_ scene: ChromaKeyScene, frames: [OwnedPicture], quality: Int? = nil) {
    self.scene = scene.settings
    count = frames.count
    folder.write("shot.i420", frames.flatMap(\.tightBytes))
    guard let quality else { return }
    let raw = "-f rawvideo -pix_fmt yuv420p"
    let film = folder.path + "/shot.mkv"
    let encode = words(
      "ffmpeg -v error -y \(raw) -s \(scene.width)x\(scene.height) -i \(input)"
        + " -c:v libx264 -crf \(quality) \(film)")
    let decode = words("ffmpeg -v error -y -i \(film) \(raw) \(input)")
    if execute(encode, Environment.peers) == nil || execute(decode, Environment.peers) == nil {
      unlink(input)
    }
  }

  /// Copies the shot and a keyer's last output for `pipelines/keyers.sh`.
  func keep(_ keyer: Keyer) {
    mkdir(".build/quality", 0o755)
    _ = execute(["cp", input, ".build/quality/shot.i420"])
    _ = execute(["cp", output, ".build/quality/" + keyer.file])
  }

  /// The frames as keyed; empty if the keyer cannot run here.
  func frames(_ keyer: Keyer, _ settings: String) -> [OwnedPicture] {
    unlink(output)
    guard execute(keyer.command(self, settings), keyer.environment) != nil else { return [] }
    let bytes = ScratchFolder.bytes(output)
    guard count > 0, !bytes.isEmpty, bytes.count % count == 0 else { return [] }
    let size = bytes.count / count
    return (0..<count).map { index in
      let frame = OwnedPicture(
        format: keyer.format, width: scene.width, height: scene.height, colorimetry: .bt709)
      frame.fill(tightlyFrom: Array(bytes[index * size..<(index + 1) * size]))
      return frame
    }
  }
}
