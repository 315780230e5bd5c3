package import CGStreamer
package import Pixels
import Synchronization

/// GstCustomMeta of one name, with positions normalized to the frame.
package enum CustomMetadata {
  package typealias Contents = UnsafeMutablePointer<GstStructure>

  /// The transformation of a frame into another one: crop, scale, borders, flip, rotation.
  package struct Mapping {
    /// Rows of GstVideoMetaTransformMatrix, from `source` in the old frame to `target` in the new.
    package let matrix: InlineArray<9, Float>
    package let source, target: Rectangle
    /// The sizes of both frames in pixels.
    package let size, newSize: (width: Int, height: Int)
  }

  /// The result of a `TransformFunction`.
  package enum Outcome {
    /// The metadata must be copied unchanged.
    case unchanged
    /// The metadata was added to the new buffer, or must be dropped.
    case done
    case failed
  }

  /// Transforms metadata with these contents to the buffer of another frame.
  package typealias TransformFunction = @Sendable (Contents?, Mapping, Buffer) -> Outcome

  private final class Registration: Sendable {
    let transform: TransformFunction
    init(_ transform: @escaping TransformFunction) { self.transform = transform }
  }

  /// Never freed; GStreamer drops its own pointers in `gst_deinit`.
  private static let registrations = Mutex<[Registration]>([])

  /// Registers metadata of this name with GStreamer, for the life of the process.
  package static func register(_ name: StaticString, _ transform: @escaping TransformFunction) {
    // The registry's lock, since a program may load the plugin while it registers one that is built into it.
    let registry = gst_registry_get()!
    g_mutex_lock(&registry.pointee.object.lock)
    defer { g_mutex_unlock(&registry.pointee.object.lock) }
    guard gst_meta_get_info(name.cString) == nil else { return }
    let names: [StaticString] = ["video", "orientation", "size"]
    var tags: [UnsafePointer<gchar>?] = names.map(\.cString) + [nil]
    let registration = Registration(transform)
    registrations.withLock { $0.append(registration) }
    _ = gst_meta_register_custom(
      name.cString, &tags,
      { target, meta, _, type, data, user in
        let registration = Unmanaged<Registration>.fromOpaque(user!).takeUnretainedValue()
        return CustomMetadata.transform(meta!, to: target!, type, data, registration.transform)
      }, Unmanaged.passUnretained(registration).toOpaque(), nil)
  }

  /// "gst-video-matrix", from GStreamer 1.28 on.
  private static let matrix = quark("gst-video-matrix")

  private static func transform(
    _ meta: UnsafeMutablePointer<GstCustomMeta>, to target: Buffer, _ type: GQuark,
    _ data: gpointer?, _ transform: TransformFunction
  ) -> gboolean {
    let contents = gst_custom_meta_get_structure(meta)
    let outcome: Outcome
    if cgst_meta_transform_is_copy(type) != 0 {
      // Positions refer to the whole frame, not to a part of its buffer.
      let copy = data?.assumingMemoryBound(to: GstMetaTransformCopy.self)
      outcome = copy != nil && copy?.pointee.region != 0 ? .done : .unchanged
    } else if cgst_meta_transform_is_scale(type) != 0 {
      outcome = .unchanged
    } else if type == matrix, let data {
      let video = data.assumingMemoryBound(to: CgstVideoMatrix.self).pointee
      outcome = Mapping(video).map { transform(contents, $0, target) } ?? .done
    } else {
      outcome = .failed
    }
    guard outcome == .unchanged else { return outcome == .done ? 1 : 0 }
    guard let new = gst_buffer_add_custom_meta(target, gst_structure_get_name(contents)) else {
      return 0
    }
    copyFields(of: contents, into: gst_custom_meta_get_structure(new))
    return 1
  }

  /// Adds metadata of this name with the given contents.
  package static func add(
    _ name: StaticString, _ contents: consuming Structure, to buffer: Buffer
  ) {
    guard let meta = gst_buffer_add_custom_meta(buffer, name.cString) else { return }
    let source = contents.take()
    copyFields(of: source, into: gst_custom_meta_get_structure(meta))
    gst_structure_free(source)
  }

  /// Removes all metadata of this name.
  package static func remove(_ name: StaticString, from buffer: Buffer) {
    while let old = gst_buffer_get_custom_meta(buffer, name.cString),
      gst_buffer_remove_meta(buffer, cast(old)) != 0
    {}
  }

  /// Calls `body` with the contents of each metadata of this name until it returns false; several
  /// detectors may have written one each.
  package static func forEach(
    _ name: StaticString, on buffer: Buffer, _ body: (Contents?) -> Bool
  ) {
    guard let info = gst_meta_get_info(name.cString) else { return }
    var state: gpointer?
    while let meta = gst_buffer_iterate_meta_filtered(buffer, &state, info.pointee.api) {
      guard body(gst_custom_meta_get_structure(cast(meta))) else { return }
    }
  }

  private static func copyFields(of source: Contents?, into target: Contents?) {
    gst_structure_foreach(
      source,
      { field, value, target in
        gst_structure_id_set_value(target!.assumingMemoryBound(to: GstStructure.self), field, value)
        return 1
      }, target)
  }
}

extension CustomMetadata.Mapping {
  fileprivate init?(_ transform: CgstVideoMatrix) {
    guard let from = transform.in_info?.pointee, let to = transform.out_info?.pointee else {
      return nil
    }
    let (a, b, c) = transform.matrix
    self.init(
      matrix: [a.0, a.1, a.2, b.0, b.1, b.2, c.0, c.1, c.2],
      source: Rectangle(transform.in_rectangle), target: Rectangle(transform.out_rectangle),
      size: (Int(from.width), Int(from.height)), newSize: (Int(to.width), Int(to.height)))
  }
}

extension Rectangle {
  fileprivate init(_ rectangle: GstVideoRectangle) {
    self.init(
      x: Double(rectangle.x), y: Double(rectangle.y), width: Double(rectangle.w),
      height: Double(rectangle.h))
  }
}
