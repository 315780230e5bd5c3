import CGStreamer
import Synchronization

/// Memory for alpha planes, used again and again while frames go round.
///
/// Downstream holds a plane as long as it holds the frame, so blocks come back on any thread and
/// maybe after the element is gone; each block keeps the pool alive.
final class AlphaMemory: Sendable {
  private struct Blocks {
    var free: [UInt] = []
    var size = 0
  }

  private let blocks = Mutex(Blocks())
  /// Blocks kept for later at most; more are in flight only when downstream queues many frames.
  private static let mostFree = 8

  deinit {
    for address in blocks.withLock({ $0.free }) {
      UnsafeMutableRawPointer(bitPattern: address)?.deallocate()
    }
  }

  /// A GstMemory of `size` bytes, not initialised.
  func make(size: Int) -> UnsafeMutablePointer<GstMemory>? {
    let address = blocks.withLock { state -> UInt? in
      if state.size != size {
        for address in state.free { UnsafeMutableRawPointer(bitPattern: address)?.deallocate() }
        state = Blocks(size: size)
      }
      return state.free.popLast()
    }
    let block =
      address.flatMap { UnsafeMutableRawPointer(bitPattern: $0) }
      ?? UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 64)
    let lease = Lease(pool: self, address: UInt(bitPattern: block), size: size)
    return gst_memory_new_wrapped(
      GstMemoryFlags(rawValue: 0), block, gsize(size), 0, gsize(size),
      Unmanaged.passRetained(lease).toOpaque(),  // released when the memory is freed
      { user in
        let lease = Unmanaged<Lease>.fromOpaque(user!).takeRetainedValue()
        lease.pool.takeBack(lease.address, size: lease.size)
      })
  }

  private func takeBack(_ address: UInt, size: Int) {
    let isKept = blocks.withLock { state in
      guard state.size == size, state.free.count < Self.mostFree else { return false }
      state.free.append(address)
      return true
    }
    if !isKept { UnsafeMutableRawPointer(bitPattern: address)?.deallocate() }
  }

  private final class Lease: Sendable {
    let pool: AlphaMemory
    let address: UInt
    let size: Int

    init(pool: AlphaMemory, address: UInt, size: Int) {
      self.pool = pool
      self.address = address
      self.size = size
    }
  }
}
