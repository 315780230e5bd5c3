/// The samples of one colour component of a picture, wherever its format keeps them.
///
/// Planar, semi-planar and packed layouts differ only in `step`, the bytes between
/// neighbouring samples, so whatever reads single samples needs no loop per format.
/// Borrowed memory, as `Plane`.
@safe package struct Component {
  package let width: Int
  package let height: Int
  package let step: Int
  package let stride: Int
  private let base: UnsafeMutablePointer<UInt8>

  @unsafe init(
    base: UnsafeMutablePointer<UInt8>, width: Int, height: Int, step: Int, stride: Int
  ) {
    unsafe self.base = base
    self.width = width
    self.height = height
    self.step = step
    self.stride = stride
  }

  /// The sample at column `x`, row `y`; outside the component it traps.
  @inline(__always)
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

  /// Lends the address of sample (0, 0); the others are at `y * stride + x * step`.
  ///
  /// The pointer is valid during the call only.
  @unsafe package func withBase<R>(
    _ body: (UnsafeMutablePointer<UInt8>) throws -> R
  ) rethrows -> R {
    unsafe try body(base)
  }
}
