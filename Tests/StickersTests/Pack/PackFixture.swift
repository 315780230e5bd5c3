import Glibc
import Support

/// A folder on disk that vanishes with it, for packs that tests make up.
final class PackFixture {
  private let scratch = ScratchFolder()
  var path: String { scratch.path }

  init() { mkdir(pack, 0o755) }

  var pack: String { path + "/pack" }

  func write(_ name: String, _ text: String = "x") { write(name, Array(text.utf8)) }

  func write(_ name: String, _ bytes: [UInt8]) { scratch.write("pack/" + name, bytes) }

  func folder(_ name: String, frames: Int = 0, prefix: String = "") {
    mkdir(pack + "/" + name, 0o755)
    for frame in 0..<frames { write("\(name)/\(prefix)\(frame).png") }
  }

  func link(_ name: String, to target: String) { symlink(target, pack + "/" + name) }

  /// The "angel" pack: version 1, two items on faces and one on the screen.
  static let angel = """
    { "version": 1, "name": "angel", "preview": "preview.jpg", "audio": "angel_audio.mp3",
      "items": [ { "type": 1, "alignPos": 0, "scaleWidth": 1, "scaleHight": 0, "offsetX": 0,
                   "offsetY": 0, "folder": "light", "frames": 41, "frameDuration": 100,
                   "width": 375, "height": 667, "triggerType": 1 },
                 { "type": 0, "scaleWidth": 3.5, "offsetX": 0, "offsetY": 2,
                   "alignIndexes": [1, 46, 8], "folder": "halo", "frames": 41,
                   "frameDuration": 100, "width": 351, "height": 159, "triggerType": 1 },
                 { "type": 0, "scaleWidth": 1.5, "offsetX": 0, "offsetY": 0,
                   "alignIndexes": [56, 48, 55], "folder": "shy", "frames": 41,
                   "frameDuration": 100, "width": 182, "height": 44, "triggerType": 1 } ] }
    """

  static let version2 = """
    { "version": 2, "name": "second", "items": [
      { "type": 0, "anchor": "head-top", "scaleWidth": 2, "folder": "halo", "frames": 3,
        "width": 10, "height": 5, "trigger": "smile", "loop": 2, "alpha": 0.5, "blend": "screen",
        "rotate": false, "z": -3, "somethingNew": [1, 2] },
      { "type": 1, "anchor": "cover", "scaleWidth": 1, "file": "one.png", "width": 4,
        "height": 3 } ] }
    """

  func makeAngel() {
    write("meta.json", Self.angel)
    write("preview.jpg")
    write("angel_audio.mp3")
    for name in ["light", "halo", "shy"] { folder(name, frames: 41, prefix: name + "_") }
    write("one.png")
  }
}
