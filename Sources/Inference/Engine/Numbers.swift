/// A run of numbers in a buffer that outlives it; every access is checked.
@safe struct Numbers {
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
    precondition(index >= 0 && index <= count - Vector.lanes)
    return unsafe UnsafeRawPointer(base + index).loadUnaligned(as: Vector.self)
  }

  @inline(__always) func put(_ vector: Vector, _ index: Int) {
    precondition(index >= 0 && index <= count - Vector.lanes)
    unsafe UnsafeMutableRawPointer(base + index).storeBytes(of: vector, as: Vector.self)
  }

  /// The first number and what is added to it, in bytes, must lie in here.
  @inline(__always) @unsafe
  func place(_ index: Int, reach: Range<Int>) -> UnsafeMutableRawPointer {
    precondition(index * 4 + reach.lowerBound >= 0 && index * 4 + reach.upperBound <= count * 4)
    return unsafe UnsafeMutableRawPointer(base + index)
  }
}
