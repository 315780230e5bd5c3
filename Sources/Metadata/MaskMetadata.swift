import CGStreamer
import Faces
package import Frames
package import Pixels

/// The `MienMask` metadata: where people are in a frame.
///
/// One GstCustomMeta per buffer: `width` and `height` of a grid of cells, the part of the frame it
/// covers in shares of it (`x`, `y`, `w`, `h`; the last cells may reach beyond the frame), and
/// `alpha`, a byte for each cell, row after row, 255 for somebody. Copying, converting and scaling
/// keep it as it is; elements that crop and flip move it from GStreamer 1.28 on, and before drop it
/// by its tags. Of what is beside a frame in a larger one it could not tell: there it is dropped.
package enum MaskMetadata {
  static let name: StaticString = "MienMask"

  /// Makes the metadata known to GStreamer; to be called when the plugin is loaded.
  package static func register() {
    guard gst_meta_get_info(name.characters) == nil else { return }
    let names: [StaticString] = ["video", "orientation", "size"]
    var tags: [UnsafePointer<gchar>?] = names.map(\.characters) + [nil]
    _ = gst_meta_register_custom(
      name.characters, &tags,
      { target, meta, _, type, data, _ in
        switch MetaTransform(type, data) {
        case .whole: return MetaTransform.copy(meta, to: target!)
        case .placed(let placement, _):
          // Beyond the mask its outermost cells would count.
          guard placement.isFilled else { return 1 }
          if placement.isScale { return MetaTransform.copy(meta, to: target!) }
          let mask = Grid<UInt8>(of: 0)
          guard let cover = MaskMetadata.read(gst_custom_meta_get_structure(meta), into: mask)
          else { return 0 }
          MaskMetadata.place(mask, cover, placement, on: target!)
          return 1
        case .dropped: return 1
        case .unknown: return 0
        }
      }, nil, nil)
  }

  /// Puts a mask where it is in another frame on its buffer.
  private static func place(
    _ mask: Grid<UInt8>, _ cover: Rectangle, _ placement: FramePlacement, on target: Buffer
  ) {
    let (width, height) =
      placement.swapsAxes ? (mask.height, mask.width) : (mask.width, mask.height)
    let turns = placement.turnsRows
    attach(width: width, height: height, cover: placement.place(cover), to: target) { bytes in
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
    width: Int, height: Int, cover: Rectangle, to buffer: Buffer,
    _ fill: (UnsafeMutableBufferPointer<UInt8>) -> Void
  ) {
    FaceMetadata.replace(name, on: buffer) { contents in
      contents.set("width", UInt32(width))
      contents.set("height", UInt32(height))
      contents.set("x", cover.x)
      contents.set("y", cover.y)
      contents.set("w", cover.width)
      contents.set("h", cover.height)
      contents.set("alpha", bytes: width * height, fill)
    }
  }

  fileprivate static func read(
    _ contents: UnsafePointer<GstStructure>?, into mask: Grid<UInt8>
  ) -> Rectangle? {
    func number(_ field: StaticString) -> Double? {
      var value = 0.0
      // In shares of the frame; far beyond it nothing can be true. No number at all is no less.
      return gst_structure_get_double(contents, field.characters, &value) != 0
        && abs(value) <= 64 ? value : nil
    }
    var (width, height): (guint, guint) = (0, 0)
    guard gst_structure_get_uint(contents, "width", &width) != 0,
      gst_structure_get_uint(contents, "height", &height) != 0,
      (1...4096).contains(width), (1...4096).contains(height),
      let x = number("x"), let y = number("y"), let w = number("w"), let h = number("h"),
      w >= 1e-3, h >= 1e-3, let value = gst_structure_get_value(contents, "alpha"),
      g_type_check_value_holds(value, cgst_type_bytes()) != 0, let boxed = g_value_get_boxed(value)
    else { return nil }
    var size: gsize = 0
    guard let data = g_bytes_get_data(OpaquePointer(boxed), &size),
      Int(size) >= Int(width) * Int(height)
    else { return nil }
    mask.resize(width: Int(width), height: Int(height))
    for row in 0..<mask.height {
      let target = mask.row(row)
      for column in 0..<mask.width {
        target[column] = data.load(fromByteOffset: row * mask.width + column, as: UInt8.self)
      }
    }
    return Rectangle(x: x, y: y, width: w, height: h)
  }
}

extension FrameHeader {
  /// Puts a mask of 0...255 in the place of the one that was there; `cover` is the part of the frame
  /// it covers, in shares of it.
  package func attachMask(_ mask: Grid<Int16>, cover: Rectangle) {
    let (width, height) = (mask.width, mask.height)
    MaskMetadata.attach(width: width, height: height, cover: cover, to: buffer) { bytes in
      for y in 0..<height {
        let row = mask.row(y)
        for x in 0..<width {
          bytes[y * width + x] = UInt8(truncatingIfNeeded: max(0, min(row[x], 255)))
        }
      }
    }
  }

  /// Reads the mask of the frame into `mask`, which keeps its memory, and says what part of the frame
  /// it covers, in shares of it; nil where there is none, or none that can be true.
  package func readMask(into mask: Grid<UInt8>) -> Rectangle? {
    guard let meta = gst_buffer_get_custom_meta(buffer, MaskMetadata.name.characters) else {
      return nil
    }
    return MaskMetadata.read(gst_custom_meta_get_structure(meta), into: mask)
  }
}
