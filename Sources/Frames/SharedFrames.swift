package import CGStreamer
import Synchronization

/// Makes frames of another format on the memory of input frames, without copying the picture.
///
/// The memory and the GstVideoMeta of a pool's buffer must not be changed: the pool would discard
/// the buffer, or reuse it with a wrong description. So a new buffer wraps the bytes of the input,
/// with its times, flags and metadata, and releases the input when the last of these bytes is
/// released.
///
/// The objects for that (`FrameLease`, `AlphaBlock`) are reused, so that frames allocate nothing.
/// Downstream holds them as long as the frame: they return on any thread, possibly after the
/// element is deallocated.
package final class SharedFrames: Sendable {
  private struct Spare {
    var leases: [FrameLease] = []
    var blocks: [AlphaBlock] = []
    var blockSize = 0
  }

  private let spare: Mutex<Spare>
  /// The maximum number of spare objects; more are in flight only if downstream queues many frames.
  private static let maximum = 8

  package init() {
    var empty = Spare()
    empty.leases.reserveCapacity(Self.maximum)
    empty.blocks.reserveCapacity(Self.maximum)
    spare = Mutex(empty)
  }

  /// The bytes of spare alpha blocks.
  package var spareAlphaBytes: Int { spare.withLock { $0.blocks.count * $0.blockSize } }

  /// Frees the spare objects; objects of earlier frames are freed on return.
  package func freeSpares() {
    spare.withLock { spare in
      spare.leases.removeAll(keepingCapacity: true)
      spare.blocks.removeAll(keepingCapacity: true)
      spare.blockSize = 0
    }
  }

  /// A frame of `output` on the same bytes, which are copied only if they have other references.
  ///
  /// Nil if memory runs out.
  package func relabel(_ frame: Buffer, as output: GstVideoInfo) -> Buffer? {
    guard let target = wrapOrCopy(frame) else { return nil }
    if let meta = gst_buffer_get_video_meta(target) {
      meta.pointee.format = output.finfo.pointee.format
    }
    return target
  }

  /// A frame of `output` on the memory of one of `input`, with one memory more for alpha.
  ///
  /// `order` gives the index of each input plane in the output. The picture is copied only if it
  /// has other references, because its colours will be written. Nil if memory runs out.
  package func appendAlpha(
    to frame: Buffer, _ input: GstVideoInfo, _ output: GstVideoInfo,
    planes order: PlaneOrder
  ) -> Buffer? {
    guard let target = wrapOrCopy(frame) else { return nil }
    let planes = Int(input.finfo.pointee.n_planes)
    let size = gst_buffer_get_size(target)
    var (offsets, strides) = (input.offset, input.stride)
    if let meta = gst_buffer_get_video_meta(target) {
      (offsets, strides) = (meta.pointee.offset, meta.pointee.stride)
      _ = gst_buffer_remove_meta(target, cast(meta))
    }
    // A byte or a 16-bit word for each sample.
    let bytes = output.finfo.pointee.depth.0 > 8 ? 2 : 1
    let stride = (Int(output.width) * bytes + 31) / 32 * 32
    guard let memory = makeAlphaMemory(size: stride * Int(output.height)) else {
      gst_mini_object_unref(cast(target))
      return nil
    }
    gst_buffer_append_memory(target, memory)
    let meta = gst_buffer_add_video_meta(
      target, GST_VIDEO_FRAME_FLAG_NONE, output.finfo.pointee.format, guint(output.width),
      guint(output.height))
    if let meta {
      meta.pointee.offset = reorderPlanes(offsets, order, planes, alpha: size)
      meta.pointee.stride = reorderPlanes(strides, order, planes, alpha: gint(stride))
    }
    return target
  }

  /// A buffer on the bytes of `frame`, or on a copy if they have other references.
  private func wrapOrCopy(_ frame: Buffer) -> Buffer? {
    guard isWritable(frame) else { return gst_buffer_copy_deep(frame) }
    let lease = spare.withLock { $0.leases.popLast() } ?? FrameLease()
    guard lease.mapMemories(of: frame, returningTo: self), let result = gst_buffer_new() else {
      lease.unmapAndRecycle()
      return gst_buffer_copy_deep(frame)
    }
    let parts =
      GST_BUFFER_COPY_FLAGS.rawValue | GST_BUFFER_COPY_TIMESTAMPS.rawValue
      | GST_BUFFER_COPY_META.rawValue
    gst_buffer_copy_into(result, frame, GstBufferCopyFlags(rawValue: parts), 0, gsize.max)
    for index in 0..<lease.count { gst_buffer_append_memory(result, lease.makeMemory(at: index)) }
    return result
  }

  /// A GstMemory of `size` uninitialized bytes.
  private func makeAlphaMemory(size: Int) -> UnsafeMutablePointer<GstMemory>? {
    let block = spare.withLock { spare -> AlphaBlock? in
      if spare.blockSize != size {
        spare.blocks.removeAll(keepingCapacity: true)
        spare.blockSize = size
      }
      return spare.blocks.popLast()
    }
    return (block ?? AlphaBlock(size: size)).makeMemory(returningTo: self)
  }

  fileprivate func recycle(_ lease: FrameLease) {
    spare.withLock { if $0.leases.count < Self.maximum { $0.leases.append(lease) } }
  }

  fileprivate func recycle(_ block: AlphaBlock) {
    spare.withLock {
      if $0.blockSize == block.size, $0.blocks.count < Self.maximum { $0.blocks.append(block) }
    }
  }
}

/// The values of the planes in another order, followed by that of alpha.
private func reorderPlanes<T>(
  _ numbers: (T, T, T, T), _ order: PlaneOrder, _ planes: Int, alpha: T
) -> (T, T, T, T) {
  let given: InlineArray<4, T> = [numbers.0, numbers.1, numbers.2, numbers.3]
  var result = given
  for plane in 0..<planes { result[plane] = given[order[plane]] }
  result[planes] = alpha
  return (result[0], result[1], result[2], result[3])
}

/// The bytes of one frame's alpha plane.
///
/// Used by one thread at a time: that of the pool, then the one that frees the memory.
private final class AlphaBlock: @unchecked Sendable {
  let size: Int
  private let bytes: UnsafeMutableRawPointer
  private var pool: SharedFrames?

  init(size: Int) {
    self.size = size
    bytes = .allocate(byteCount: size, alignment: 64)
  }

  deinit { bytes.deallocate() }

  func makeMemory(returningTo pool: SharedFrames) -> UnsafeMutablePointer<GstMemory>? {
    self.pool = pool
    return gst_memory_new_wrapped(
      GstMemoryFlags(rawValue: 0), bytes, gsize(size), 0, gsize(size),
      Unmanaged.passRetained(self).toOpaque(),  // released when the memory is freed
      { user in
        let block = Unmanaged<AlphaBlock>.fromOpaque(user!).takeRetainedValue()
        let pool = block.pool.take()
        pool?.recycle(block)
      })
  }
}

/// The mapped memories of a frame, reference-counted.
///
/// Used by one thread at a time, except for the count of uses.
private final class FrameLease: @unchecked Sendable {
  private static let maximum = 4

  private var frame: Buffer?
  private var pool: SharedFrames?
  private var maps = InlineArray<4, GstMapInfo>(repeating: GstMapInfo())
  /// The number of mapped memories.
  private(set) var count = 0
  private let uses = Atomic(0)

  /// Maps the memories of `frame` and retains it; false if that fails.
  func mapMemories(of frame: Buffer, returningTo pool: SharedFrames) -> Bool {
    self.pool = pool
    self.frame = frame
    gst_mini_object_ref(cast(frame))
    let wanted = Int(gst_buffer_n_memory(frame))
    guard wanted <= Self.maximum else { return false }
    let flags = GstMapFlags(rawValue: GST_MAP_READ.rawValue | GST_MAP_WRITE.rawValue)
    while count < wanted {
      let memory = gst_buffer_peek_memory(frame, guint(count))
      guard gst_memory_map(memory, &maps[count], flags) != 0 else { return false }
      count += 1
    }
    uses.store(count, ordering: .relaxed)
    return count > 0
  }

  /// A memory on the bytes of the one at `index`; called once for each.
  func makeMemory(at index: Int) -> UnsafeMutablePointer<GstMemory>? {
    let map = maps[index]
    return gst_memory_new_wrapped(
      GstMemoryFlags(rawValue: 0), map.data, map.size, 0, map.size,
      Unmanaged.passRetained(self).toOpaque(),  // released when the memory is freed
      { user in
        let lease = Unmanaged<FrameLease>.fromOpaque(user!).takeRetainedValue()
        if lease.uses.subtract(1, ordering: .acquiringAndReleasing).newValue == 0 {
          lease.unmapAndRecycle()
        }
      })
  }

  /// Unmaps and releases the frame, and returns this lease to the pool.
  func unmapAndRecycle() {
    for index in 0..<count { gst_memory_unmap(maps[index].memory, &maps[index]) }
    count = 0
    if let frame { gst_mini_object_unref(cast(frame)) }
    frame = nil
    let pool = pool.take()
    pool?.recycle(self)
  }
}
