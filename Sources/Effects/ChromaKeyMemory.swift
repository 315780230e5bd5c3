import Pixels

/// A fixed run of scratch elements, freed with its owner.
///
/// Kernels write it through `base`; slices that run at the same time have strips of their own
/// or rows of their own in a shared one.
@safe final class Strip<Element: BitwiseCopyable> {
  let count: Int
  let base: UnsafeMutablePointer<Element>
  private let blank: Element

  init(_ count: Int, of blank: Element) {
    self.count = max(count, 1)
    self.blank = blank
    unsafe base = .allocate(capacity: self.count)
    unsafe base.initialize(repeating: blank, count: self.count)
  }

  deinit { unsafe base.deallocate() }

  /// Sets every element back to what it was made with.
  func clear() { unsafe base.update(repeating: blank, count: count) }
}

/// A matte on the chroma grid: one byte a sample, with replicated samples round each row.
///
/// The margin lets kernels read past both ends of a row without asking where they are.
@safe final class MattePlane {
  /// Samples left of column 0, and at least as many right of the last.
  static let margin = 16

  let width: Int
  let height: Int
  let stride: Int
  private let memory: Strip<UInt8>

  init(width: Int, height: Int) {
    self.width = width
    self.height = height
    stride = (width + 15) / 16 * 16 + 2 * Self.margin
    memory = Strip(stride * max(height, 1), of: 0)
  }

  func clear() { memory.clear() }

  /// Sample 0 of row `y`; rows above and below the plane are the first and the last.
  @unsafe func row(_ y: Int) -> UnsafeMutablePointer<UInt8> { unsafe rows.row(y) }

  /// The plane's addresses alone, for loops in which counting references would cost.
  var rows: MatteRows {
    unsafe MatteRows(base: memory.base + Self.margin, stride: stride, last: height - 1)
  }

  /// Copies the end samples of row `y` into its margins.
  func replicateEnds(_ y: Int) {
    let row = unsafe row(y)
    let first = unsafe row[0]
    let last = unsafe row[width - 1]
    unsafe (row - Self.margin).update(repeating: first, count: Self.margin)
    unsafe (row + width).update(repeating: last, count: stride - Self.margin - width)
  }
}

/// Addresses of a `MattePlane`'s rows; valid while the plane lives.
@safe struct MatteRows {
  let base: UnsafeMutablePointer<UInt8>
  let stride: Int
  let last: Int

  @inline(__always)
  @unsafe func row(_ y: Int) -> UnsafeMutablePointer<UInt8> {
    unsafe base + max(0, min(y, last)) &* stride
  }

  @inline(__always)
  func isSame(_ other: MatteRows) -> Bool { unsafe base == other.base }
}

/// One component of a lent picture, as kernels address it.
///
/// Made at the start of a call that a picture was lent to, and gone at its end.
@safe struct KeyComponent {
  let base: UnsafeMutablePointer<UInt8>
  let width: Int
  let height: Int
  let step: Int
  let stride: Int
  let offset: Int

  init(_ picture: borrowing Picture, _ index: Int) {
    let place = picture.format.layout.components[index]
    let component = picture.component(index)
    unsafe base = unsafe component.withBase { unsafe $0 }
    width = component.width
    height = PixelLayout.subsampled(picture.height, by: place.vShift)
    step = component.step
    stride = component.stride
    offset = place.offset
  }

  @inline(__always)
  @unsafe func at(_ x: Int, _ y: Int) -> UnsafeMutablePointer<UInt8> {
    unsafe base + (y &* stride &+ x &* step)
  }

  /// Whether both name the same bytes, so that leaving them alone is copying them.
  func isSame(_ other: KeyComponent) -> Bool {
    unsafe base == other.base && step == other.step && stride == other.stride
  }
}
