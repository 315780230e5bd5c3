import Glibc

/// Memory for floating-point numbers, zeroed, 64-byte aligned, with bytes after its end that may be
/// read.
@safe package final class FloatBuffer {
  package let count: Int
  /// As many as XNNPACK asks for, with which tests compare.
  private static let extraBytes = 128
  private let memory: UnsafeMutableRawPointer

  package init(count: Int) {
    precondition(count >= 0)
    let bytes = count * MemoryLayout<Float>.stride + Self.extraBytes
    self.count = count
    unsafe memory = .allocate(byteCount: bytes, alignment: 64)
    unsafe memset(memory, 0, bytes)
    unsafe memory.bindMemory(to: Float.self, capacity: count)
  }

  deinit { unsafe memory.deallocate() }

  /// The numbers; valid as long as this object lives.
  @unsafe var values: UnsafeMutableBufferPointer<Float> {
    unsafe UnsafeMutableBufferPointer(
      start: memory.assumingMemoryBound(to: Float.self), count: count)
  }

  /// The address of the number at `index`; valid as long as this object lives.
  @unsafe package func address(_ index: Int = 0) -> UnsafeMutableRawPointer {
    precondition(index >= 0 && index <= count)
    return unsafe memory + index * MemoryLayout<Float>.stride
  }
}
