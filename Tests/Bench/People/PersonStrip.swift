import Glibc
import Support

/// Pictures of one case side by side, for inspection: the shot, the mattes of mediapipe and of
/// Mien, and both composites; at half size.
struct PersonStrip {
  /// The folder that `pipelines/people.sh` reads.
  static let folder = "out/people"

  private let width, height: Int
  private var cells: [[SIMD3<Float>]] = []

  init(width: Int, height: Int) { (self.width, self.height) = (width, height) }

  /// Adds a picture on the right.
  mutating func add(_ colors: [SIMD3<Float>]) {
    guard colors.count == width * height else { return }
    var cell: [SIMD3<Float>] = []
    cell.reserveCapacity(colors.count / 4)
    for (y, x) in product(
      stride(from: 0, to: height - 1, by: 2), stride(from: 0, to: width - 1, by: 2))
    {
      let at = y * width + x
      cell.append(
        (colors[at] + colors[at + 1] + colors[at + width] + colors[at + width + 1]) / 4)
    }
    cells.append(cell)
  }

  /// Adds a matte, 0...1, as grey.
  mutating func add(matte: [Float]) { add(matte.map { SIMD3(repeating: 255 * $0) }) }

  /// Writes the strip as a PNG file of this name.
  func write(_ name: String) {
    let (w, h) = (width / 2, height / 2)
    var strip: [SIMD3<Float>] = []
    for (y, cell) in product(0..<h, cells) {
      strip += cell[y * w..<(y + 1) * w]
    }
    mkdir("out", 0o777)
    mkdir(Self.folder, 0o777)
    let scratch = ScratchFolder()
    let bytes = Self.bytes(strip)
    scratch.write("strip.raw", bytes)
    let text =
      "gst-launch-1.0 -q filesrc location=\(scratch.path)/strip.raw blocksize=\(bytes.count)"
      + " ! rawvideoparse format=rgb width=\(w * cells.count) height=\(h) ! pngenc"
      + " ! filesink location=\(Self.folder)/\(name).png"
    _ = execute(words(text), Environment.peers)
  }

  /// Red, green and blue, one byte each.
  static func bytes(_ colors: [SIMD3<Float>]) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(3 * colors.count)
    for (color, channel) in product(colors, 0..<3) {
      bytes.append(UInt8(max(0, min(255, color[channel].rounded()))))
    }
    return bytes
  }
}
