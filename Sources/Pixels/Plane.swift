/// One plane of a picture: `height` rows of `rowBytes` meaningful bytes, `stride` bytes apart.
///
/// Borrowed memory: valid while the picture is mapped; it must not be stored. Planes over the same
/// memory alias; a caller that writes must not create them.
@safe package struct Plane {
  package let rowBytes, height, stride: Int
  @unsafe let base: UnsafeMutablePointer<UInt8>

  /// Wraps memory of at least `stride * (height - 1) + rowBytes` bytes.
  @unsafe package init(base: UnsafeMutablePointer<UInt8>, rowBytes: Int, height: Int, stride: Int) {
    precondition(rowBytes >= 0 && height >= 0 && stride >= 0)
    precondition(stride >= rowBytes || height <= 1)
    unsafe self.base = base
    (self.rowBytes, self.height, self.stride) = (rowBytes, height, stride)
  }

  /// Row `y`, counted from the top, without its padding.
  @inline(__always)
  package func row(_ y: Int) -> Row<UInt8> {
    precondition(UInt(bitPattern: y) < UInt(bitPattern: height))
    return unsafe Row(base: base + y &* stride, count: rowBytes)
  }

  /// The rows from `first` on, `step` rows apart.
  func rows(_ first: Int, every step: Int) -> Plane {
    precondition(first >= 0 && step > 0 && first < height)
    return unsafe Plane(
      base: base + first &* stride, rowBytes: rowBytes,
      height: (height - first + step - 1) / step, stride: stride * step)
  }

  /// The component whose samples are `step` bytes apart in each row, from byte `offset` on.
  package func component(offset: Int, step: Int, width: Int) -> Component {
    precondition(step > 0 && offset >= 0 && width > 0)
    precondition(offset + (width - 1) * step < rowBytes)
    return unsafe Component(
      base: base + offset, width: width, height: height, step: step, stride: stride)
  }
}
