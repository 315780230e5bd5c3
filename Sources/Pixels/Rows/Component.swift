/// A strided view of one colour component of a picture in any format.
///
/// Planar, semi-planar and packed layouts differ only in `step`, the bytes between neighbouring
/// samples, so that code for single samples is independent of the format. Borrowed memory, as
/// `Plane`.
@usableFromInline @safe package struct Component {
  @usableFromInline package let width, height, step, stride: Int
  /// The address of sample (0, 0); sample (x, y) is at `y * stride + x * step`.
  @usableFromInline @unsafe package let base: UnsafeMutablePointer<UInt8>

  @unsafe init(base: UnsafeMutablePointer<UInt8>, width: Int, height: Int, step: Int, stride: Int) {
    unsafe self.base = base
    (self.width, self.height, self.step) = (width, height, step)
    self.stride = stride
  }

  /// The sample at column `x`, row `y`; traps outside the component.
  @inlinable @inline(__always)
  package subscript(x: Int, y: Int) -> UInt8 {
    get {
      precondition(
        UInt(bitPattern: x) < UInt(bitPattern: width)
          && UInt(bitPattern: y) < UInt(bitPattern: height))
      return unsafe base[y &* stride &+ x &* step]
    }
    nonmutating set {
      precondition(
        UInt(bitPattern: x) < UInt(bitPattern: width)
          && UInt(bitPattern: y) < UInt(bitPattern: height))
      unsafe base[y &* stride &+ x &* step] = newValue
    }
  }

  /// Whether both views have the same address and strides, so that copying one to the other is a
  /// no-op.
  package func isSameMemory(as other: Component) -> Bool {
    unsafe base == other.base && step == other.step && stride == other.stride
  }

  /// The address of the first of `count` samples, `interval` columns apart.
  @inlinable @inline(__always)
  @unsafe func address(
    row y: Int, from start: Int, every interval: Int = 1, count: Int
  ) -> UnsafeMutablePointer<UInt8> {
    precondition(UInt(bitPattern: y) < UInt(bitPattern: height))
    precondition(start >= 0 && interval > 0 && count >= 0)
    precondition(count == 0 || start + (count - 1) * interval < width)
    return unsafe base + (y &* stride &+ start &* step)
  }

  /// Fills `target` with samples of row `y`: column `start` and every `interval`-th after it.
  package func gather(
    row y: Int, from start: Int = 0, every interval: Int = 1, into target: Row<UInt8>
  ) {
    let source = unsafe address(row: y, from: start, every: interval, count: target.count)
    unsafe RowKernels.gather(target.base, source, step: step * interval, target.count)
  }

  /// Copies `source` over the samples of row `y` from column `start` on.
  ///
  /// The bytes between the samples are rewritten with their own values, so no other thread may
  /// write the same row meanwhile.
  package func scatter(row y: Int, from start: Int = 0, _ source: Row<UInt8>) {
    let target = unsafe address(row: y, from: start, count: source.count)
    unsafe RowKernels.scatter(target, source.base, step: step, source.count)
  }

  /// `scratch.count` contiguous samples of row `y` from column `start` on: the picture's own bytes
  /// if they are contiguous, else copied into `scratch`.
  package func samples(row y: Int, from start: Int = 0, scratch: Row<UInt8>) -> Row<UInt8> {
    if let own = row(y, from: start, count: scratch.count) { return own }
    gather(row: y, from: start, into: scratch)
    return scratch
  }

  /// Samples of row `y` for reading or writing in place; nil if the format interleaves components.
  @inlinable @inline(__always)
  package func row(_ y: Int, from start: Int = 0, count: Int) -> Row<UInt8>? {
    guard step == 1 else { return nil }
    return unsafe Row(base: address(row: y, from: start, count: count), count: count)
  }

  /// Adds samples of row `y` to `target`: column `start` and every `interval`-th after it, with the
  /// last column repeated beyond the edge.
  package func addSamples(
    row y: Int, from start: Int, every interval: Int, to target: Row<UInt16>
  ) {
    precondition(start >= 0 && interval > 0)
    let inside = min(target.count, start < width ? (width - 1 - start) / interval + 1 : 0)
    let source = unsafe address(row: y, from: min(start, width - 1), every: interval, count: inside)
    unsafe RowKernels.addSamples(target.base, source, step: step * interval, inside)
    let last = UInt16(self[width - 1, y])
    for x in inside..<target.count { target[x] &+= last }
  }
}
