/// The samples of one colour component of a picture, wherever its format keeps them.
///
/// Planar, semi-planar and packed layouts differ only in `step`, the bytes between neighbouring
/// samples, so whatever reads single samples needs no loop per format. Borrowed memory, as `Plane`.
@usableFromInline @safe package struct Component {
  @usableFromInline package let width, height, step, stride: Int
  /// The address of sample (0, 0); the others are at `y * stride + x * step`.
  @usableFromInline @unsafe package let base: UnsafeMutablePointer<UInt8>

  @unsafe init(base: UnsafeMutablePointer<UInt8>, width: Int, height: Int, step: Int, stride: Int) {
    unsafe self.base = base
    (self.width, self.height, self.step) = (width, height, step)
    self.stride = stride
  }

  /// The sample at column `x`, row `y`; outside the component it traps.
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

  /// Whether both name the same bytes, so that leaving them alone is copying them.
  package func isSame(as other: Component) -> Bool {
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

  /// Copies samples of row `y` into `target`, filling it: those of column `start` and of every
  /// `interval`-th after it.
  package func gather(
    row y: Int, from start: Int = 0, every interval: Int = 1, into target: Row<UInt8>
  ) {
    let source = unsafe address(row: y, from: start, every: interval, count: target.count)
    unsafe RowKernels.gather(target.base, source, step: step * interval, target.count)
  }

  /// Copies `source` over the samples of row `y` from column `start` on.
  ///
  /// The bytes of other components between the samples are written too, with what they hold:
  /// no other thread may write the same row meanwhile.
  package func scatter(row y: Int, from start: Int = 0, _ source: Row<UInt8>) {
    let target = unsafe address(row: y, from: start, count: source.count)
    unsafe RowKernels.scatter(target, source.base, step: step, source.count)
  }

  /// `room.count` samples of row `y` from column `start` on, next to each other: the picture's own
  /// bytes where they lie so, else copied into `room`.
  package func samples(row y: Int, from start: Int = 0, room: Row<UInt8>) -> Row<UInt8> {
    if let own = row(y, from: start, count: room.count) { return own }
    gather(row: y, from: start, into: room)
    return room
  }

  /// Samples of row `y` that lie next to each other, to be read or written; nil where the format
  /// has bytes of other components between them.
  @inlinable @inline(__always)
  package func row(_ y: Int, from start: Int = 0, count: Int) -> Row<UInt8>? {
    guard step == 1 else { return nil }
    return unsafe Row(base: address(row: y, from: start, count: count), count: count)
  }

  /// Adds to `target` one sample of row `y` for each of its elements: column `start`, and then
  /// every `interval` columns; columns past the last are the last.
  package func addSamples(
    row y: Int, from start: Int, every interval: Int, to target: Row<UInt16>
  ) {
    precondition(start >= 0 && interval > 0)
    let inside = min(target.count, start < width ? (width - 1 - start) / interval + 1 : 0)
    let source = unsafe address(row: y, from: min(start, width - 1), every: interval, count: inside)
    unsafe RowKernels.add(target.base, source, step: step * interval, inside)
    let last = UInt16(self[width - 1, y])
    for x in inside..<target.count { target[x] &+= last }
  }
}
