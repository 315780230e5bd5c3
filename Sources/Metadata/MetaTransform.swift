import CGStreamer
import Faces
package import Frames
import Pixels

/// What becomes of a frame that carries metadata in shares of it, as GStreamer tells a transform
/// function.
enum MetaTransform {
  /// The whole frame is copied, converted or scaled: shares stay what they are.
  case whole
  /// It is scaled, cropped, given borders, mirrored or turned, into a frame of the given size, in which
  /// there may be others already.
  case placed(FramePlacement, (width: Int, height: Int))
  /// Nothing of it is to be told: that is no failure.
  case dropped
  case unknown

  /// "gst-video-matrix", which GStreamer knows from 1.28 on; before, nobody asks for it.
  private static let matrix: GQuark = {
    let name: StaticString = "gst-video-matrix"
    return g_quark_from_static_string(name.characters)
  }()

  init(_ type: GQuark, _ data: gpointer?) {
    if cgst_meta_transform_is_copy(type) != 0 {
      // A part of a buffer is not the frame the places were measured on.
      let copy = data?.assumingMemoryBound(to: GstMetaTransformCopy.self)
      self = copy != nil && copy?.pointee.region != 0 ? .dropped : .whole
    } else if cgst_meta_transform_is_scale(type) != 0 {
      self = .whole
    } else if type == Self.matrix, let data {
      self = Self.placed(data.assumingMemoryBound(to: CgstVideoMatrix.self).pointee)
    } else {
      self = .unknown
    }
  }

  private static func placed(_ transform: CgstVideoMatrix) -> MetaTransform {
    let (a, b, c) = transform.matrix
    guard let from = transform.in_info?.pointee, let to = transform.out_info?.pointee,
      let placement = FramePlacement(
        matrix: [a.0, a.1, a.2, b.0, b.1, b.2, c.0, c.1, c.2],
        source: Rectangle(transform.in_rectangle), target: Rectangle(transform.out_rectangle),
        size: Point(x: Double(from.width), y: Double(from.height)),
        newSize: Point(x: Double(to.width), y: Double(to.height)))
    else { return .dropped }
    return .placed(placement, (Int(to.width), Int(to.height)))
  }

  /// Copies metadata as it is; the structure has the metadata's own name.
  static func copy(_ meta: UnsafeMutablePointer<GstCustomMeta>?, to target: Buffer) -> gboolean {
    let source = gst_custom_meta_get_structure(meta)
    guard let new = gst_buffer_add_custom_meta(target, gst_structure_get_name(source)) else {
      return 0
    }
    FaceMetadata.copyFields(of: source, into: gst_custom_meta_get_structure(new))
    return 1
  }
}

extension Rectangle {
  fileprivate init(_ rectangle: GstVideoRectangle) {
    self.init(
      x: Double(rectangle.x), y: Double(rectangle.y), width: Double(rectangle.w),
      height: Double(rectangle.h))
  }
}
