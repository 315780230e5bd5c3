import CGStreamer
import Pixels

/// How the frames of an element whose output has another format than its input are made.
enum Derivation {
  /// The output has the input's planes and one more for alpha: a memory is added to the frame.
  case appendAlpha
  /// The output is the same bytes under another name, as RGBx and RGBA.
  case relabel
  /// The output is a frame of its own.
  case newFrame

  init(from input: PixelFormat, to output: PixelFormat, keepsMemories: Bool) {
    let (a, b) = (input.layout, output.layout)
    let colors = Array(b.components.prefix(3))
    if a.planeCount == 1 && b.planeCount == 1 && a.components == colors
      && a.components.first?.step == b.components.last?.step
    {
      self = .relabel
    } else if keepsMemories && a.planeCount + 1 == b.planeCount
      && Self.planes(of: input, in: output) != nil
    {
      self = .appendAlpha
    } else {
      self = .newFrame
    }
  }

  /// For each plane of `output` that `input` has too, its number there.
  ///
  /// YV12 keeps Cr before Cb, and A420 is told where they are. Nil when components are packed in another way.
  static func planes(of input: PixelFormat, in output: PixelFormat) -> [Int]? {
    let (a, b) = (input.layout, output.layout)
    var planes = Array(0..<a.planeCount)
    for (from, to) in zip(a.components, b.components) {
      guard from.step == to.step, from.offset == to.offset, from.hShift == to.hShift,
        from.vShift == to.vShift, planes.indices.contains(to.plane)
      else { return nil }
      planes[to.plane] = from.plane
    }
    return planes
  }
}

extension GstVideoInfo {
  fileprivate func offset(_ plane: Int) -> gsize {
    withUnsafeBytes(of: offset) { $0.bindMemory(to: gsize.self)[plane] }
  }

  fileprivate func stride(_ plane: Int) -> gint {
    withUnsafeBytes(of: stride) { $0.bindMemory(to: gint.self)[plane] }
  }
}

/// A frame of `output` on the memory of one of `input`, with one memory more for alpha.
///
/// `order` says which of its planes is which of the new one's (see `Derivation.planes`).
/// The picture is not copied, unless somebody else holds it too: its colours will be written.
/// Nil when memory runs out.
func appendAlpha(
  to frame: UnsafeMutablePointer<GstBuffer>, _ input: GstVideoInfo, _ output: GstVideoInfo,
  planes order: [Int], from pool: AlphaMemory
) -> UnsafeMutablePointer<GstBuffer>? {
  guard let target = sharedFrame(frame) else { return nil }
  let old = gst_buffer_get_video_meta(target)
  let planes = Int(input.finfo.pointee.n_planes)
  var offsets = [gsize](repeating: 0, count: 4)
  var strides = [gint](repeating: 0, count: 4)
  for (plane, from) in order.enumerated() {
    offsets[plane] = input.offset(from)
    strides[plane] = input.stride(from)
    if let old {
      offsets[plane] = withUnsafeBytes(of: old.pointee.offset) {
        $0.bindMemory(to: gsize.self)[from]
      }
      strides[plane] = withUnsafeBytes(of: old.pointee.stride) {
        $0.bindMemory(to: gint.self)[from]
      }
    }
  }
  if let old {
    UnsafeMutableRawPointer(old).withMemoryRebound(to: GstMeta.self, capacity: 1) {
      _ = gst_buffer_remove_meta(target, $0)
    }
  }
  let stride = (Int(output.width) + 31) / 32 * 32
  offsets[planes] = gst_buffer_get_size(target)
  strides[planes] = gint(stride)
  guard let memory = pool.make(size: stride * Int(output.height)) else {
    gst_mini_object_unref(
      UnsafeMutableRawPointer(target).assumingMemoryBound(to: GstMiniObject.self))
    return nil
  }
  gst_buffer_append_memory(target, memory)
  gst_buffer_add_video_meta_full(
    target, GST_VIDEO_FRAME_FLAG_NONE, output.finfo.pointee.format, guint(output.width),
    guint(output.height), guint(planes + 1), &offsets, &strides)
  return target
}

/// The same bytes as a frame of `output`, copied only where somebody else holds them too.
func relabel(
  _ frame: UnsafeMutablePointer<GstBuffer>, as output: GstVideoInfo
) -> UnsafeMutablePointer<GstBuffer>? {
  guard let target = sharedFrame(frame) else { return nil }
  if let meta = gst_buffer_get_video_meta(target) {
    meta.pointee.format = output.finfo.pointee.format
  }
  return target
}

/// The frame itself where its memory may be written, else a copy.
func writable(
  _ frame: UnsafeMutablePointer<GstBuffer>
) -> UnsafeMutablePointer<GstBuffer>? {
  isWritable(frame) ? frame : gst_buffer_copy_deep(frame)
}
