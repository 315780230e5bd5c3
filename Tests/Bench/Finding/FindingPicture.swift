import CGStreamer
import Glibc
import Pixels
import Support

/// Pictures of what was found: due and found green, due and missed red, neither grey, false yellow.
enum FindingPicture {
  /// Writes the picture if a variable of the environment names a folder.
  static func writeIfWanted(
    _ picture: OwnedPicture, _ truth: [FaceTruth], _ score: FindingScore, _ variable: String,
    _ name: String
  ) throws {
    guard let folder = FindingBench.setting(variable) else { return }
    try write(picture, truth, score, to: "\(folder)/\(name).png")
  }

  /// Writes a copy of an RGB picture with boxes as a PNG file.
  static func write(
    _ picture: OwnedPicture, _ truth: [FaceTruth], _ score: FindingScore, to path: String
  ) throws {
    let copy = picture.copy()
    copy.withPicture { picture in
      for (index, face) in truth.enumerated() {
        let color: (UInt8, UInt8, UInt8) =
          !face.isDue ? (150, 150, 150) : score.last.isFound[index] ? (0, 255, 0) : (255, 0, 0)
        draw(face.box, color, picture)
      }
      for (box, isFalse) in zip(score.last.boxes, score.last.isFalse) {
        draw(box, isFalse ? (255, 255, 0) : (0, 200, 255), picture)
      }
    }
    try write(copy.tightBytes, format: "rgb", copy.width, copy.height, to: path)
  }

  /// Writes the bytes of a frame as a PNG file, whose folders are made.
  static func write(
    _ bytes: [UInt8], format: String, _ width: Int, _ height: Int, to path: String
  ) throws {
    var made = ""
    for part in path.split(separator: "/").dropLast() {
      made += (made.isEmpty && !path.hasPrefix("/") ? "" : "/") + part
      mkdir(made, 0o777)
    }
    let scratch = ScratchFolder()
    let raw = scratch.write("picture", bytes)
    try Pipeline(
      "filesrc location=\(raw) blocksize=\(bytes.count) ! rawvideoparse format=\(format)"
        + " width=\(width) height=\(height) ! videoconvert ! pngenc ! filesink location=\(path)"
    ).run()
  }

  private static func draw(
    _ box: Rectangle, _ color: (UInt8, UInt8, UInt8), _ picture: borrowing Picture
  ) {
    let (left, top) = (Int(box.x.rounded()), Int(box.y.rounded()))
    let (right, bottom) = (Int(box.maxX.rounded()), Int(box.maxY.rounded()))
    guard left <= right, top <= bottom else { return }
    for y in max(0, top)...max(0, min(bottom, picture.height - 1)) where y <= bottom {
      let row = picture.plane(0).row(y)
      for x in max(0, left)...max(0, min(right, picture.width - 1)) where x <= right {
        guard y == top || y == bottom || x == left || x == right else { continue }
        (row[3 * x], row[3 * x + 1], row[3 * x + 2]) = color
      }
    }
  }
}
