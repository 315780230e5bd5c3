import CXNNPACK
import Glibc

/// Memory for floating-point numbers, zeroed, 64-byte aligned, with the bytes after its end that
/// XNNPACK's kernels may read.
@safe final class FloatBuffer {
  let count: Int
  private let memory: UnsafeMutableRawPointer

  init(count: Int) {
    precondition(count >= 0)
    let bytes = count * MemoryLayout<Float>.stride + Int(XNN_EXTRA_BYTES)
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
  @unsafe func address(_ index: Int = 0) -> UnsafeMutableRawPointer {
    precondition(index >= 0 && index <= count)
    return unsafe memory + index * MemoryLayout<Float>.stride
  }
}

/// Variables of the process.
enum Environment {
  static func value(_ name: String) -> String? {
    guard let text = unsafe getenv(name) else { return nil }
    return unsafe String(cString: text)
  }
}
