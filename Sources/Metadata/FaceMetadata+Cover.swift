import Faces
import Frames
import Pixels

/// The cover of a face in its structure: `cover`, one byte per cell in row-major order, 255 where
/// something is before the face; `cover-width` and `cover-height`, the cells; and the part of the
/// frame that they span, `cover-x`, `cover-y`, `cover-w` and `cover-h`, normalized to the frame.
extension FaceMetadata {
  /// Reads the cover of a face, reusing its storage; false if there is none, or it is not valid.
  static func readCover(_ s: Fields, into cover: inout CoverMap) -> Bool {
    guard let bytes = s.bytes("cover") else { return false }
    func number(_ field: StaticString) -> Double? {
      // Normalized to the frame; values far outside it, and NaNs, are invalid.
      s.double(field).flatMap { abs($0) <= 64 ? $0 : nil }
    }
    let sides = 1...CoverMap.maximumSide
    guard let width = s.uint("cover-width"), let height = s.uint("cover-height"),
      sides.contains(width), sides.contains(height), bytes.count >= width * height,
      let x = number("cover-x"), let y = number("cover-y"), let w = number("cover-w"),
      let h = number("cover-h"), w > 0, h > 0
    else { return false }
    (cover.width, cover.height) = (width, height)
    cover.region = Rectangle(x: x, y: y, width: w, height: h)
    let count = width * height
    if cover.alpha.count > count { cover.alpha.removeLast(cover.alpha.count - count) }
    let kept = cover.alpha.count
    for index in 0..<kept { cover.alpha[index] = bytes[index] }
    for index in kept..<count { cover.alpha.append(bytes[index]) }
    return true
  }
}

extension Structure {
  /// Sets the fields of a face's cover; none if nothing covers it.
  func set(coverOf face: Face) {
    let cover = face.cover
    guard !cover.isEmpty else { return }
    set("cover-width", UInt32(cover.width))
    set("cover-height", UInt32(cover.height))
    set("cover-x", cover.region.x)
    set("cover-y", cover.region.y)
    set("cover-w", cover.region.width)
    set("cover-h", cover.region.height)
    set("cover", bytes: cover.alpha.count) { bytes in
      for index in cover.alpha.indices { bytes[index] = cover.alpha[index] }
    }
  }
}
