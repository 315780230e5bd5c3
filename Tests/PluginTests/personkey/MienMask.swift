import CGStreamer
import Pixels

/// A mask as its MienMask metadata has it.
struct MienMask {
  let width: Int
  let height: Int
  let cover: Rectangle
  let cells: [UInt8]

  /// What is on a buffer; nil without the metadata.
  init?(on buffer: UnsafeMutablePointer<GstBuffer>) {
    guard let meta = gst_buffer_get_custom_meta(buffer, "MienMask") else { return nil }
    let fields = gst_custom_meta_get_structure(meta)
    func number(_ name: String) -> Double {
      var value = 0.0
      gst_structure_get_double(fields, name, &value)
      return value
    }
    func count(_ name: String) -> Int {
      var value: guint = 0
      gst_structure_get_uint(fields, name, &value)
      return Int(value)
    }
    (width, height) = (count("width"), count("height"))
    cover = Rectangle(x: number("x"), y: number("y"), width: number("w"), height: number("h"))
    var size: gsize = 0
    guard let value = gst_structure_get_value(fields, "alpha"),
      let bytes = g_value_get_boxed(value),
      let data = g_bytes_get_data(OpaquePointer(bytes), &size)
    else { return nil }
    cells = (0..<Int(size)).map { data.load(fromByteOffset: $0, as: UInt8.self) }
  }

  /// The value at a place in shares of the frame; -1 beside the mask.
  func value(_ x: Double, _ y: Double) -> Double {
    let column = Int((x - cover.x) / cover.width * Double(width))
    let row = Int((y - cover.y) / cover.height * Double(height))
    guard (0..<width).contains(column), (0..<height).contains(row) else { return -1 }
    return Double(cells[row * width + column])
  }
}
