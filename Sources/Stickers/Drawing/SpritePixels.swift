import Glibc

/// The pixels of one size of a sprite.
///
/// Larger ones are mapped and not taken from the heap. A pack is made by one thread and let go by
/// another, long after the first one ended; its part of the heap would keep what is given back
/// to it. Written while it is made, and only read once others have it.
@safe final class SpritePixels: @unchecked Sendable {
  /// From how many bytes on it is worth a mapping, which takes whole pages.
  private static let mappedFrom = 32 << 10

  let count: Int
  private let base: UnsafeMutablePointer<UInt32>
  private let isMapped: Bool

  /// Makes `count` pixels that are all `pixel`.
  init(repeating pixel: UInt32, count: Int) {
    precondition(count >= 0)
    self.count = count
    let bytes = 4 * count
    if bytes >= Self.mappedFrom,
      let memory = unsafe mmap(
        nil, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0),
      unsafe memory != MAP_FAILED
    {
      unsafe base = memory.bindMemory(to: UInt32.self, capacity: count)
      isMapped = true
      // Mapped memory is zero, and pages that stay so take none.
      if pixel != 0 { unsafe base.update(repeating: pixel, count: count) }
    } else {
      unsafe base = .allocate(capacity: count)
      isMapped = false
      unsafe base.initialize(repeating: pixel, count: count)
    }
  }

  deinit {
    if isMapped {
      unsafe munmap(base, 4 * count)
    } else {
      unsafe base.deallocate()
    }
  }

  @inline(__always)
  subscript(index: Int) -> UInt32 {
    get {
      precondition(index >= 0 && index < count)
      return unsafe base[index]
    }
    set {
      precondition(index >= 0 && index < count)
      unsafe base[index] = newValue
    }
  }

  /// The pixels in `range`.
  func withPixels<R>(_ range: Range<Int>, _ body: (UnsafeBufferPointer<UInt32>) -> R) -> R {
    precondition(range.lowerBound >= 0 && range.upperBound <= count)
    return unsafe body(
      UnsafeBufferPointer(start: base + range.lowerBound, count: range.count))
  }
}
