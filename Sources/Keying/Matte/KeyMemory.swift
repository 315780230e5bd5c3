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
/// The margin lets kernels read past both ends of a row without asking where they are. For each
/// block of 16 samples the plane also remembers whether it is all 0 or all 255.
@safe final class MattePlane {
  /// Samples left of column 0, and at least as many right of the last.
  static let margin = 16

  let width: Int
  let height: Int
  /// The plane's addresses alone, for loops in which counting references would cost.
  let rows: MatteRows
  private let memory: Strip<UInt8>
  private let marks: Strip<UInt8>

  init(width: Int, height: Int) {
    self.width = width
    self.height = height
    let blocks = (width + MatteRows.block - 1) / MatteRows.block
    let stride = blocks * MatteRows.block + 2 * Self.margin
    memory = Strip(stride * max(height, 1), of: 0)
    marks = Strip(blocks * max(height, 1), of: MatteRows.none)
    unsafe rows = MatteRows(
      base: memory.base + Self.margin, marks: marks.base, stride: stride, blocks: blocks,
      last: height - 1)
  }

  func clear() {
    memory.clear()
    marks.clear()
  }

  /// Sample 0 of row `y`; rows above and below the plane are the first and the last.
  @unsafe func row(_ y: Int) -> UnsafeMutablePointer<UInt8> { unsafe rows.row(y) }

  /// Completes row `y`: its margins, and what its blocks are.
  func finish(_ y: Int) {
    let row = unsafe row(y)
    let first = unsafe row[0]
    let last = unsafe row[width - 1]
    unsafe (row - Self.margin).update(repeating: first, count: Self.margin)
    unsafe (row + width).update(repeating: last, count: rows.stride - Self.margin - width)
    let marks = unsafe rows.marks(y)
    for block in 0..<rows.blocks {
      // A block and a column on either side: 18 bytes as three words that overlap.
      let bytes = unsafe UnsafeRawPointer(row + (block &* MatteRows.block &- 1))
      let a = unsafe bytes.loadUnaligned(as: UInt64.self)
      let b = unsafe bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self)
      let c = unsafe bytes.loadUnaligned(fromByteOffset: 10, as: UInt64.self)
      let isNone = a | b | c == 0
      let isAll = a & b & c == .max
      unsafe marks[block] = isNone ? MatteRows.none : isAll ? MatteRows.all : 0
    }
  }
}

/// Addresses of a `MattePlane`'s rows; valid while the plane lives.
@safe struct MatteRows {
  /// Samples in a block.
  static let block = 16
  /// Marks of blocks that are 0, or 255, with the columns next to them.
  static let none: UInt8 = 1
  static let all: UInt8 = 2

  let base: UnsafeMutablePointer<UInt8>
  let marks: UnsafeMutablePointer<UInt8>
  let stride: Int
  let blocks: Int
  let last: Int

  @inline(__always)
  @unsafe func row(_ y: Int) -> UnsafeMutablePointer<UInt8> {
    unsafe base + max(0, min(y, last)) &* stride
  }

  /// The marks of row `y`'s blocks.
  @inline(__always)
  @unsafe func marks(_ y: Int) -> UnsafeMutablePointer<UInt8> {
    unsafe marks + max(0, min(y, last)) &* blocks
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
    unsafe base = component.base
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
