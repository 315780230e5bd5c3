import Faces
import Frames
package import Pixels

/// The `MienMask` metadata: where people are in a frame.
///
/// One GstCustomMeta per buffer: `width` and `height` of a grid of cells; the part of the frame
/// that the grid covers, normalized to the frame (`x`, `y`, `w`, `h`; the last cells may extend
/// beyond it); and `alpha`, one byte per cell in row-major order, 255 for people. Copying,
/// converting and scaling keep it unchanged. Elements that crop and flip transform it from
/// GStreamer 1.28 on; earlier versions drop it by its tags. It is dropped if the frame is placed in
/// a larger one, as the mask is unknown there.
package enum MaskMetadata {
  static let name: StaticString = "MienMask"

  /// Registers the metadata with GStreamer; called when the plugin is loaded.
  package static func register() {
    registerMetadata(name) { fields, placement, _, target in
      // Outside the mask, readers would repeat its outermost cells.
      guard placement.isFilled else { return .done }
      if placement.isScale { return .unchanged }
      let mask = Grid<UInt8>(of: 0)
      guard let cover = fields.flatMap({ read($0, into: mask) }) else { return .failed }
      addTransformed(mask, cover, placement, on: target)
      return .done
    }
  }

  /// Adds the mask of a frame to the buffer of another frame, transformed by its placement.
  private static func addTransformed(
    _ mask: Grid<UInt8>, _ cover: Rectangle, _ placement: FrameTransform, on target: BufferMetadata
  ) {
    let (width, height) =
      placement.swapsAxes ? (mask.height, mask.width) : (mask.width, mask.height)
    let turns = placement.reversesAxes
    attach(width: width, height: height, cover: placement.apply(to: cover), to: target) { bytes in
      for row in 0..<height {
        for column in 0..<width {
          let x = turns.across ? width - 1 - column : column
          let y = turns.down ? height - 1 - row : row
          bytes[row * width + column] = placement.swapsAxes ? mask.row(x)[y] : mask.row(y)[x]
        }
      }
    }
  }

  fileprivate static func attach(
    width: Int, height: Int, cover: Rectangle, to metadata: BufferMetadata,
    _ fill: (inout MutableSpan<UInt8>) -> Void
  ) {
    let contents = Structure(name)
    contents.set("width", UInt32(width))
    contents.set("height", UInt32(height))
    contents.set("x", cover.x)
    contents.set("y", cover.y)
    contents.set("w", cover.width)
    contents.set("h", cover.height)
    contents.set("alpha", bytes: width * height, fill)
    metadata.replace(name, contents)
  }

  fileprivate static func read(_ contents: Fields, into mask: Grid<UInt8>) -> Rectangle? {
    func number(_ field: StaticString) -> Double? {
      // Normalized to the frame; values far outside it, and NaNs, are invalid.
      contents.double(field).flatMap { abs($0) <= 64 ? $0 : nil }
    }
    guard let width = contents.uint("width"), let height = contents.uint("height"),
      (1...4096).contains(width), (1...4096).contains(height),
      let x = number("x"), let y = number("y"), let w = number("w"), let h = number("h"),
      w >= 1e-3, h >= 1e-3, let bytes = contents.bytes("alpha"), bytes.count >= width * height
    else { return nil }
    mask.resize(width: width, height: height)
    for row in 0..<height {
      let target = mask.row(row)
      for column in 0..<width { target[column] = bytes[row * width + column] }
    }
    return Rectangle(x: x, y: y, width: w, height: h)
  }
}

extension FrameHeader {
  /// Replaces the mask of the frame; `cover` is its normalized region of the frame.
  ///
  /// Values are clamped to 0...255.
  package func attachMask(_ mask: Grid<Int16>, cover: Rectangle) {
    let (width, height) = (mask.width, mask.height)
    MaskMetadata.attach(width: width, height: height, cover: cover, to: metadata) { bytes in
      for y in 0..<height {
        let row = mask.row(y)
        for x in 0..<width {
          bytes[y * width + x] = UInt8(truncatingIfNeeded: max(0, min(row[x], 255)))
        }
      }
    }
  }

  /// Reads the mask of the frame into `mask`, reusing its storage.
  ///
  /// Returns its normalized region of the frame; nil if there is no valid mask.
  package func readMask(into mask: Grid<UInt8>) -> Rectangle? {
    var cover: Rectangle?
    metadata.forEach(MaskMetadata.name) { fields in
      cover = fields.flatMap { MaskMetadata.read($0, into: mask) }
      return false
    }
    return cover
  }
}
