import CGStreamer
import Harness
import Support

/// Generates video buffers: valid ones, and ones with unusual or invalid layouts, sizes and timestamps.
struct BufferGenerator {
  /// From the current caps.
  let info: GstVideoInfo
  /// The source of pixel noise.
  var noise: SplitMix
  /// Timestamp of the previous buffer in nanoseconds.
  var time: UInt64 = 0

  /// A buffer, and whether another reference is to be held while it is pushed.
  mutating func make(
    _ random: inout some RandomSource
  ) -> (buffer: UnsafeMutablePointer<GstBuffer>, isShared: Bool) {
    let size = Int(info.size)
    var offsets = offsets
    var strides = strides
    var total = size
    let layout = random.below(12)
    switch layout {
    case 0..<4: break
    case 4: (offsets, strides, total) = paddedLayout(&random)
    case 5: total = max(0, size - 1 - random.below(size + 1))
    case 6: total = size + random.below(4096)
    case 7, 8:
      // Random strides and offsets.
      for plane in 0..<4 {
        if random.chance(1, in: 2) { offsets[plane] = randomOffset(&random, size) }
        if random.chance(1, in: 2) { strides[plane] = randomStride(&random, strides[plane]) }
      }
    default: break
    }
    let buffer = gst_buffer_new()!
    appendMemory(buffer, total, &random, split: layout == 9 || random.chance(1, in: 16))
    if [4, 7, 8].contains(layout) { attachVideoMeta(buffer, &offsets, &strides, layout, &random) }
    if random.chance(1, in: 32) { attachCropMeta(buffer, &random) }
    setTimestamps(buffer, &random)
    let isShared = random.chance(1, in: 4)
    return (buffer, isShared)
  }

  private var offsets: [gsize] {
    withUnsafeBytes(of: info.offset) { Array($0.bindMemory(to: gsize.self)) }
  }

  private var strides: [gint] {
    withUnsafeBytes(of: info.stride) { Array($0.bindMemory(to: gint.self)) }
  }

  /// A valid layout with padded rows and gaps between planes.
  private func paddedLayout(_ random: inout some RandomSource) -> ([gsize], [gint], Int) {
    var (offsets, strides) = (offsets, strides)
    var place = random.below(64)
    let planes = Int(info.finfo.pointee.n_planes)
    for plane in 0..<planes {
      let old = Int(strides[plane])
      let end = plane + 1 < planes ? Int(self.offsets[plane + 1]) : Int(info.size)
      let rows = old > 0 ? (end - Int(self.offsets[plane])) / old : 0
      offsets[plane] = gsize(place)
      let new = old + random.below(70)
      strides[plane] = gint(new)
      place += new * rows + random.below(32)
    }
    return (offsets, strides, place)
  }

  private func randomOffset(_ random: inout some RandomSource, _ size: Int) -> gsize {
    switch random.below(4) {
    case 0: gsize(random.below(size + 1))
    case 1: gsize(max(0, size - random.below(64)))
    case 2: gsize(size + random.below(4096))
    default: gsize(random.edgeCaseBits())
    }
  }

  private func randomStride(_ random: inout some RandomSource, _ old: gint) -> gint {
    switch random.below(5) {
    case 0: gint(random.below(64))
    case 1: old &- gint(random.below(8))
    case 2: -old
    case 3: old &+ gint(random.below(64))
    default: gint(truncatingIfNeeded: random.edgeCaseBits())
    }
  }

  /// Appends `total` bytes in one or several memories, some of them read-only.
  private mutating func appendMemory(
    _ buffer: UnsafeMutablePointer<GstBuffer>, _ total: Int, _ random: inout some RandomSource,
    split: Bool
  ) {
    var left = total
    let kind = random.below(5)
    var count = 0
    while left > 0 {
      let isLast = !split || count == 15
      let size = isLast ? left : min(left, 1 + random.below(left))
      let flags = random.chance(1, in: 12) ? GST_MEMORY_FLAG_READONLY.rawValue : 0
      // Allocated separately, so that the address sanitizer detects overruns.
      let bytes = g_malloc(gsize(size))!
      fillPattern(UnsafeMutableRawBufferPointer(start: bytes, count: size), kind)
      let memory = gst_memory_new_wrapped(
        GstMemoryFlags(rawValue: flags), bytes, gsize(size), 0, gsize(size), bytes, { g_free($0) })
      gst_buffer_append_memory(buffer, memory)
      left -= size
      count += 1
    }
  }

  private mutating func fillPattern(_ bytes: UnsafeMutableRawBufferPointer, _ kind: Int) {
    switch kind {
    case 0: for index in bytes.indices { bytes[index] = UInt8(truncatingIfNeeded: index) }
    case 1: for index in bytes.indices { bytes[index] = 0 }
    case 2: for index in bytes.indices { bytes[index] = 255 }
    case 3:
      // Near the green of a screen, as YCbCr and as RGB.
      let green: [UInt8] = [40, 180, 60, 90]
      for index in bytes.indices { bytes[index] = green[index & 3] &+ UInt8(index >> 8 & 3) }
    default:
      for index in bytes.indices {
        bytes[index] = UInt8(truncatingIfNeeded: noise.next())
      }
    }
  }

  private func attachVideoMeta(
    _ buffer: UnsafeMutablePointer<GstBuffer>, _ offsets: inout [gsize], _ strides: inout [gint],
    _ layout: Int, _ random: inout some RandomSource
  ) {
    var (format, width, height) = (
      info.finfo.pointee.format, guint(info.width), guint(info.height)
    )
    var planes = guint(info.finfo.pointee.n_planes)
    if layout == 8 {
      if random.chance(1, in: 4) { planes = guint(1 + random.below(4)) }
      if random.chance(1, in: 4) { width = guint(truncatingIfNeeded: random.edgeCaseBits()) }
      if random.chance(1, in: 4) { height = guint(truncatingIfNeeded: random.edgeCaseBits()) }
      if random.chance(1, in: 4) { format = GstVideoFormat(rawValue: UInt32(random.below(100))) }
    }
    gst_buffer_add_video_meta_full(
      buffer, GST_VIDEO_FRAME_FLAG_NONE, format, width, height, planes, &offsets, &strides)
  }

  /// Attaches GstVideoCropMeta.
  private func attachCropMeta(
    _ buffer: UnsafeMutablePointer<GstBuffer>, _ random: inout some RandomSource
  ) {
    guard let meta = gst_buffer_add_meta(buffer, gst_video_crop_meta_get_info(), nil) else {
      return
    }
    let crop = UnsafeMutableRawPointer(meta).assumingMemoryBound(to: GstVideoCropMeta.self)
    func side(_ whole: gint) -> guint {
      random.chance(1, in: 8)
        ? guint(truncatingIfNeeded: random.edgeCaseBits()) : guint(random.below(Int(whole) + 1))
    }
    crop.pointee.x = side(info.width)
    crop.pointee.y = side(info.height)
    crop.pointee.width = side(info.width)
    crop.pointee.height = side(info.height)
  }

  /// Sets timestamps and flags.
  private mutating func setTimestamps(
    _ buffer: UnsafeMutablePointer<GstBuffer>, _ random: inout some RandomSource
  ) {
    if random.chance(1, in: 8) {
      time = random.edgeCaseBits()
      buffer.pointee.duration = GstClockTime(random.edgeCaseBits())
      buffer.pointee.dts = GstClockTime(random.edgeCaseBits())
    } else {
      time = time &+ 33_333_333
      buffer.pointee.duration = 33_333_333
    }
    buffer.pointee.pts = GstClockTime(time)
    if random.chance(1, in: 16) {
      let flags = [
        GST_BUFFER_FLAG_DISCONT, GST_BUFFER_FLAG_GAP, GST_BUFFER_FLAG_CORRUPTED,
        GST_BUFFER_FLAG_DROPPABLE, GST_BUFFER_FLAG_HEADER,
      ]
      buffer.pointee.mini_object.flags |= random.one(of: flags).rawValue
    }
  }
}
