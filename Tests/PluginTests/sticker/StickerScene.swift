import CGStreamer
import Pixels
import Support

#if canImport(Glibc)
  import Glibc
#endif

/// Streams with faces in their metadata, and packs made for a test.
enum StickerScene {
  /// The photograph, its face found once, as frames of any format and size at 10 a second.
  static func photograph(
    _ format: PixelFormat = .i420, width: Int = 256, height: Int = 256, count: Int = 1,
    detector: String = "facedetect updates=none"
  ) -> String {
    "filesrc location=\(Photograph.path) ! pngdec ! videoconvert ! \(detector)"
      + " ! imagefreeze num-buffers=\(count) ! video/x-raw,framerate=10/1 ! videoconvert"
      + " ! videoscale add-borders=false ! video/x-raw,width=\(width),height=\(height)"
      + ",pixel-aspect-ratio=1/1 ! videoconvert ! video/x-raw,format=\(format.rawValue)"
  }

  /// Frames without a face that say so.
  static func blank(_ format: PixelFormat = .i420, count: Int) -> String {
    "videotestsrc pattern=solid-color foreground-color=0xff808080 num-buffers=\(count)"
      + " ! video/x-raw,format=\(format.rawValue),width=64,height=48,framerate=10/1"
      + " ! facedetect updates=none"
  }

  /// The detector without the mesh, for where the face's place alone matters.
  static let fast = "facedetect accuracy=low landmarks=false expressions=false updates=none"

  static let packs = [
    "halo", "glasses", "hat", "moustache", "dog", "hearts", "frame", "lipstick", "blush",
    "facepaint",
    "mask",
  ]

  /// The path of a pack that comes with the project.
  static func pack(_ name: String) -> String { Photograph.root + "/stickers/" + name }
}

/// A folder of its own that goes when the test ends.
final class StickerFolder {
  private let scratch = ScratchFolder()
  var path: String { scratch.path }

  @discardableResult
  func write(_ name: String, _ bytes: [UInt8]) -> String { scratch.write(name, bytes) }

  /// Writes a picture of one colour (0xAARRGGBB) and returns its path.
  @discardableResult
  func paint(_ name: String, _ color: UInt32, width: Int = 32, height: Int = 32) throws -> String {
    let file = path + "/" + name
    try Pipeline(
      "videotestsrc num-buffers=1 pattern=solid-color foreground-color=\(color)"
        + " ! video/x-raw,format=RGBA,width=\(width),height=\(height) ! pngenc"
        + " ! filesink location=\(file)"
    ).run()
    return file
  }

  /// Writes a film that is red for a second, then blue for a second, and returns its path.
  func film() throws -> String {
    let film = path + "/film.avi"
    func part(_ color: String) -> String {
      " videotestsrc pattern=solid-color foreground-color=\(color) num-buffers=2"
        + " ! video/x-raw,format=I420,width=32,height=24,framerate=2/1 ! c."
    }
    try Pipeline(
      "concat name=c ! jpegenc ! avimux ! filesink location=\(film)"
        + part("0xffff0000") + part("0xff0000ff")
    ).run()
    return film
  }

  /// Writes a pack of one item whose frames have the given colours; `fields` go into the item.
  func pack(_ fields: String, colors: [UInt32] = [0xFFFF_0000], side: Int = 32) throws {
    mkdir(path + "/frames", 0o755)
    for (index, color) in colors.enumerated() {
      try paint("frames/\(index).png", color, width: side, height: side)
    }
    write(
      "meta.json",
      Array(
        """
        {"version": 2, "name": "made", "preview": "frames/0.png", "items": [{\(fields),
          "folder": "frames", "frames": \(colors.count), "width": 32, "height": 32}]}
        """.utf8))
  }
}

/// Counts of changed samples and where they lie.
extension CapturedFrame {
  func changes(from other: CapturedFrame) -> Int {
    zip(bytes, other.bytes).reduce(0) { $0 + ($1.0 != $1.1 ? 1 : 0) }
  }
}
