import Glibc

/// Memory for `count` elements: zeroed, 64-byte aligned, with bytes after its end that may be read.
@safe package final class AlignedBuffer<Element: BitwiseCopyable> {
  package let count: Int
  private let memory: UnsafeMutablePointer<Element>

  package init(count: Int) {
    precondition(count >= 0)
    // XNNPACK, which tests compare with, reads up to 128 bytes after the end.
    let bytes = count * MemoryLayout<Element>.stride + 128
    self.count = count
    let zeroed = unsafe memset(.allocate(byteCount: bytes, alignment: 64), 0, bytes)!
    unsafe memory = zeroed.bindMemory(to: Element.self, capacity: count)
  }

  convenience init(_ elements: [Element]) {
    self.init(count: elements.count)
    for (index, element) in elements.enumerated() { unsafe values[index] = element }
  }

  deinit { unsafe memory.deallocate() }

  /// The elements; valid as long as this object lives.
  @unsafe var values: UnsafeMutableBufferPointer<Element> {
    unsafe UnsafeMutableBufferPointer(start: memory, count: count)
  }

  /// The address of the element at `index`; valid as long as this object lives.
  @unsafe package func address(_ index: Int = 0) -> UnsafeMutableRawPointer {
    precondition(index >= 0 && index <= count)
    return unsafe UnsafeMutableRawPointer(memory + index)
  }
}

package typealias FloatBuffer = AlignedBuffer<Float>

/// A part of a buffer, which must outlive it; every access is checked.
@safe struct FloatView {
  @unsafe let base: UnsafeMutablePointer<Float>
  let count: Int

  init(_ buffer: FloatBuffer) { self.init(buffer, 0..<buffer.count) }

  init(_ buffer: FloatBuffer, _ range: Range<Int>) {
    precondition(range.lowerBound >= 0 && range.upperBound <= buffer.count)
    unsafe base = buffer.values.baseAddress! + range.lowerBound
    count = range.count
  }

  subscript(_ index: Int) -> Float {
    get {
      precondition(index >= 0 && index < count)
      return unsafe base[index]
    }
    nonmutating set {
      precondition(index >= 0 && index < count)
      unsafe base[index] = newValue
    }
  }

  /// The vector that begins at `index`.
  @inline(__always) func vector(at index: Int) -> Vector {
    unsafe Kernels.load(address(index, bytes: 0..<Kernels.size), 0)
  }

  /// Stores the vector that begins at `index`.
  @inline(__always) func store(_ vector: Vector, at index: Int) {
    unsafe Kernels.store(vector, address(index, bytes: 0..<Kernels.size), 0)
  }

  /// The address of the number at `index`; `bytes`, counted from there, must lie in this view.
  @inline(__always) @unsafe
  func address(_ index: Int, bytes: Range<Int>) -> UnsafeMutableRawPointer {
    precondition(index * 4 + bytes.lowerBound >= 0 && index * 4 + bytes.upperBound <= count * 4)
    return unsafe UnsafeMutableRawPointer(base + index)
  }

  /// A pointer to `count` numbers from `index` on, which must lie in this view.
  @inline(__always) @unsafe
  func pointer(at index: Int, count: Int) -> UnsafeMutablePointer<Float> {
    precondition(index >= 0 && count >= 0 && index + count <= self.count)
    return unsafe base + index
  }
}
