import CGStreamer
package import Frames

/// The faces that one metadata MienFaces lists.
struct FaceList {
  private let list: UnsafePointer<GValue>
  private let isArray: Bool
  let count: Int

  /// Nil where the fields have no list of faces.
  init?(_ fields: UnsafePointer<GstStructure>?) {
    guard let fields, let list = gst_structure_get_value(fields, Self.field.characters) else {
      return nil
    }
    self.list = list
    // Writers in other languages make lists where C makes arrays.
    isArray = g_type_check_value_holds(list, cgst_type_array()) != 0
    if isArray {
      count = Int(gst_value_array_get_size(list))
    } else if g_type_check_value_holds(list, cgst_type_list()) != 0 {
      count = Int(gst_value_list_get_size(list))
    } else {
      return nil
    }
  }

  private static let field: StaticString = "faces"

  /// The fields of a face; nil where the entry is no structure.
  subscript(index: Int) -> UnsafePointer<GstStructure>? {
    let item =
      isArray
      ? gst_value_array_get_value(list, guint(index))
      : gst_value_list_get_value(list, guint(index))
    guard let item, g_type_check_value_holds(item, cgst_type_structure()) != 0 else { return nil }
    return gst_value_get_structure(item)
  }

  /// Calls `body` with the fields of each metadata MienFaces on a buffer until it returns false; there
  /// may be several, from as many detectors.
  static func forEachMeta(
    on buffer: Buffer, _ body: (UnsafeMutablePointer<GstStructure>?) -> Bool
  ) {
    guard let info = gst_meta_get_info(FaceMetadata.name.characters) else { return }
    var state: gpointer?
    while let meta = gst_buffer_iterate_meta_filtered(buffer, &state, info.pointee.api) {
      guard body(gst_custom_meta_get_structure(cast(meta))) else { return }
    }
  }
}
