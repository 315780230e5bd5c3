/// A grid of working values that is kept from frame to frame, so that no frame allocates.
///
/// Not safe to write from two threads in the same row at once; rows are independent.
@safe final class CellPlane<Element: BitwiseCopyable> {
  private(set) var width = 0
  private(set) var height = 0
  private var capacity = 0
  private var memory: UnsafeMutablePointer<Element>?
  private let zero: Element

  /// An empty plane; new memory is filled with `zero` once.
  init(zero: Element) {
    self.zero = zero
  }

  deinit { unsafe memory?.deallocate() }

  /// Sets the size; memory only ever grows, and what it holds is undefined but initialised.
  func resize(width: Int, height: Int) {
    precondition(width >= 0 && height >= 0)
    let (count, overflow) = width.multipliedReportingOverflow(by: height)
    precondition(!overflow)
    if count > capacity {
      unsafe memory?.deallocate()
      let grown = UnsafeMutablePointer<Element>.allocate(capacity: count)
      unsafe grown.initialize(repeating: zero, count: count)
      unsafe memory = grown
      capacity = count
    }
    self.width = width
    self.height = height
  }

  /// Row `y`, counted from the top.
  @inline(__always)
  func row(_ y: Int) -> CellRow<Element> {
    precondition(UInt(bitPattern: y) < UInt(bitPattern: height))
    guard let base = unsafe memory else { preconditionFailure("a plane with rows has memory") }
    return unsafe CellRow(base: base + y &* width, count: width)
  }
}

/// One row of a `CellPlane`, or a part of it; a subscript outside `0..<count` traps.
///
/// Valid while its plane lives and is not resized; never store one.
@safe struct CellRow<Element: BitwiseCopyable> {
  let count: Int
  private let base: UnsafeMutablePointer<Element>

  @inline(__always)
  @unsafe init(base: UnsafeMutablePointer<Element>, count: Int) {
    unsafe self.base = base
    self.count = count
  }

  @inline(__always)
  subscript(index: Int) -> Element {
    get {
      precondition(UInt(bitPattern: index) < UInt(bitPattern: count))
      return unsafe base[index]
    }
    nonmutating set {
      precondition(UInt(bitPattern: index) < UInt(bitPattern: count))
      unsafe base[index] = newValue
    }
  }

  /// The elements in `bounds`, renumbered from 0.
  @inline(__always)
  subscript(bounds: Range<Int>) -> CellRow {
    precondition(bounds.lowerBound >= 0 && bounds.upperBound <= count)
    return unsafe CellRow(base: base + bounds.lowerBound, count: bounds.count)
  }

  /// Sets every element to `value`.
  func fill(_ value: Element) {
    unsafe base.update(repeating: value, count: count)
  }

  /// Lends the address of element 0; valid during the call only.
  @inline(__always)
  @unsafe func withBase<R>(_ body: (UnsafeMutablePointer<Element>) -> R) -> R {
    unsafe body(base)
  }
}

/// `value` rounded to the nearest integer, for |value| under 2^22; never traps.
///
/// Adding 1.5 x 2^23 leaves the integer in the low bits of the significand, which, unlike a checked
/// conversion, takes part in vectorised loops.
@inline(__always)
func nearest(_ value: Float) -> Int32 {
  Int32(bitPattern: (value + 12_582_912).bitPattern) &- 0x4B40_0000
}
