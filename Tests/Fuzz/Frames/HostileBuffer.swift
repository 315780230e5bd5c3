import CGStreamer
import Harness
import Support

/// Makes video buffers, right ones and such as no element expects.
struct HostileBuffer {
  /// What the caps before it say.
  let info: GstVideoInfo
  /// Where its bytes come from.
  var noise: SplitMix
  /// Nanoseconds of the buffer before.
  var time: UInt64 = 0

  /// A buffer, and whether somebody else holds it too.
  mutating func make(
    _ chooser: inout some Chooser
  ) -> (buffer: UnsafeMutablePointer<GstBuffer>, isShared: Bool) {
    let size = Int(info.size)
    var offsets = offsets
    var strides = strides
    var total = size
    let layout = chooser.below(12)
    switch layout {
    case 0..<4: break
    case 4: (offsets, strides, total) = spread(&chooser)
    case 5: total = max(0, size - 1 - chooser.below(size + 1))
    case 6: total = size + chooser.below(4096)
    case 7, 8:
      // Strides, offsets and sizes that somebody made up.
      for plane in 0..<4 {
        if chooser.chance(1, in: 2) { offsets[plane] = offset(&chooser, size) }
        if chooser.chance(1, in: 2) { strides[plane] = stride(&chooser, strides[plane]) }
      }
    default: break
    }
    let buffer = gst_buffer_new()!
    fill(buffer, total, &chooser, split: layout == 9 || chooser.chance(1, in: 16))
    if [4, 7, 8].contains(layout) { describe(buffer, &offsets, &strides, layout, &chooser) }
    if chooser.chance(1, in: 32) { crop(buffer, &chooser) }
    stamp(buffer, &chooser)
    let isShared = chooser.chance(1, in: 4)
    return (buffer, isShared)
  }

  private var offsets: [gsize] {
    withUnsafeBytes(of: info.offset) { Array($0.bindMemory(to: gsize.self)) }
  }

  private var strides: [gint] {
    withUnsafeBytes(of: info.stride) { Array($0.bindMemory(to: gint.self)) }
  }

  /// Planes with longer rows than they need and gaps between them: unusual, and right.
  private func spread(_ chooser: inout some Chooser) -> ([gsize], [gint], Int) {
    var (offsets, strides) = (offsets, strides)
    var place = chooser.below(64)
    let planes = Int(info.finfo.pointee.n_planes)
    for plane in 0..<planes {
      let old = Int(strides[plane])
      let end = plane + 1 < planes ? Int(self.offsets[plane + 1]) : Int(info.size)
      let rows = old > 0 ? (end - Int(self.offsets[plane])) / old : 0
      offsets[plane] = gsize(place)
      let new = old + chooser.below(70)
      strides[plane] = gint(new)
      place += new * rows + chooser.below(32)
    }
    return (offsets, strides, place)
  }

  private func offset(_ chooser: inout some Chooser, _ size: Int) -> gsize {
    switch chooser.below(4) {
    case 0: gsize(chooser.below(size + 1))
    case 1: gsize(max(0, size - chooser.below(64)))
    case 2: gsize(size + chooser.below(4096))
    default: gsize(chooser.bits())
    }
  }

  private func stride(_ chooser: inout some Chooser, _ old: gint) -> gint {
    switch chooser.below(5) {
    case 0: gint(chooser.below(64))
    case 1: old &- gint(chooser.below(8))
    case 2: -old
    case 3: old &+ gint(chooser.below(64))
    default: gint(truncatingIfNeeded: chooser.bits())
    }
  }

  /// Gives it so many bytes, in one memory or several, of which some may not be written to.
  private mutating func fill(
    _ buffer: UnsafeMutablePointer<GstBuffer>, _ total: Int, _ chooser: inout some Chooser,
    split: Bool
  ) {
    var left = total
    let kind = chooser.below(5)
    var count = 0
    while left > 0 {
      let isLast = !split || count == 15
      let size = isLast ? left : min(left, 1 + chooser.below(left))
      let flags = chooser.chance(1, in: 12) ? GST_MEMORY_FLAG_READONLY.rawValue : 0
      // Of their own from malloc, so that the address sanitizer knows where they end.
      let bytes = g_malloc(gsize(size))!
      paint(UnsafeMutableRawBufferPointer(start: bytes, count: size), kind)
      let memory = gst_memory_new_wrapped(
        GstMemoryFlags(rawValue: flags), bytes, gsize(size), 0, gsize(size), bytes, { g_free($0) })
      gst_buffer_append_memory(buffer, memory)
      left -= size
      count += 1
    }
  }

  private mutating func paint(_ bytes: UnsafeMutableRawBufferPointer, _ kind: Int) {
    switch kind {
    case 0: for index in bytes.indices { bytes[index] = UInt8(truncatingIfNeeded: index) }
    case 1: for index in bytes.indices { bytes[index] = 0 }
    case 2: for index in bytes.indices { bytes[index] = 255 }
    case 3:
      // About the green of a screen, in YCbCr and in RGB.
      let green: [UInt8] = [40, 180, 60, 90]
      for index in bytes.indices { bytes[index] = green[index & 3] &+ UInt8(index >> 8 & 3) }
    default:
      for index in bytes.indices {
        bytes[index] = UInt8(truncatingIfNeeded: noise.next())
      }
    }
  }

  private func describe(
    _ buffer: UnsafeMutablePointer<GstBuffer>, _ offsets: inout [gsize], _ strides: inout [gint],
    _ layout: Int, _ chooser: inout some Chooser
  ) {
    var (format, width, height) = (
      info.finfo.pointee.format, guint(info.width), guint(info.height)
    )
    var planes = guint(info.finfo.pointee.n_planes)
    if layout == 8 {
      if chooser.chance(1, in: 4) { planes = guint(1 + chooser.below(4)) }
      if chooser.chance(1, in: 4) { width = guint(truncatingIfNeeded: chooser.bits()) }
      if chooser.chance(1, in: 4) { height = guint(truncatingIfNeeded: chooser.bits()) }
      if chooser.chance(1, in: 4) { format = GstVideoFormat(rawValue: UInt32(chooser.below(100))) }
    }
    gst_buffer_add_video_meta_full(
      buffer, GST_VIDEO_FRAME_FLAG_NONE, format, width, height, planes, &offsets, &strides)
  }

  /// Says that only a part of it is to be seen, as croppers do where the sink knows how.
  private func crop(_ buffer: UnsafeMutablePointer<GstBuffer>, _ chooser: inout some Chooser) {
    guard let meta = gst_buffer_add_meta(buffer, gst_video_crop_meta_get_info(), nil) else {
      return
    }
    let crop = UnsafeMutableRawPointer(meta).assumingMemoryBound(to: GstVideoCropMeta.self)
    func side(_ whole: gint) -> guint {
      chooser.chance(1, in: 8)
        ? guint(truncatingIfNeeded: chooser.bits()) : guint(chooser.below(Int(whole) + 1))
    }
    crop.pointee.x = side(info.width)
    crop.pointee.y = side(info.height)
    crop.pointee.width = side(info.width)
    crop.pointee.height = side(info.height)
  }

  /// Gives it times and flags.
  private mutating func stamp(
    _ buffer: UnsafeMutablePointer<GstBuffer>, _ chooser: inout some Chooser
  ) {
    if chooser.chance(1, in: 8) {
      time = chooser.bits()
      buffer.pointee.duration = GstClockTime(chooser.bits())
      buffer.pointee.dts = GstClockTime(chooser.bits())
    } else {
      time = time &+ 33_333_333
      buffer.pointee.duration = 33_333_333
    }
    buffer.pointee.pts = GstClockTime(time)
    if chooser.chance(1, in: 16) {
      let flags = [
        GST_BUFFER_FLAG_DISCONT, GST_BUFFER_FLAG_GAP, GST_BUFFER_FLAG_CORRUPTED,
        GST_BUFFER_FLAG_DROPPABLE, GST_BUFFER_FLAG_HEADER,
      ]
      buffer.pointee.mini_object.flags |= chooser.one(of: flags).rawValue
    }
  }
}
