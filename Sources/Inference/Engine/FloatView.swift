/// A run of numbers in a buffer that outlives it; every access is checked.
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
  @inline(__always) func vector(_ index: Int) -> Vector {
    unsafe Kernels.load(place(index, reach: 0..<Kernels.size), 0)
  }

  /// Writes the vector that begins at `index`.
  @inline(__always) func set(_ vector: Vector, at index: Int) {
    unsafe Kernels.store(vector, place(index, reach: 0..<Kernels.size), 0)
  }

  /// The first number and what is added to it, in bytes, must lie in here.
  @inline(__always) @unsafe
  func place(_ index: Int, reach: Range<Int>) -> UnsafeMutableRawPointer {
    precondition(index * 4 + reach.lowerBound >= 0 && index * 4 + reach.upperBound <= count * 4)
    return unsafe UnsafeMutableRawPointer(base + index)
  }

  /// So many numbers.
  @inline(__always) @unsafe
  func floats(_ index: Int, _ count: Int) -> UnsafeMutablePointer<Float> {
    precondition(index >= 0 && count >= 0 && index + count <= self.count)
    return unsafe base + index
  }
}
