import Pixels

/// Scratch of one thread, kept from frame to frame.
final class ReshapeScratch {
  private let floats = Grid<Float>(of: 0)
  private let numbers = Grid<Int32>(of: 0)
  private let bytes = Grid<UInt8>(of: 0)
  private let words = Grid<UInt16>(of: 0)

  /// Rows of a scratch, passed by value: passing their owner for each row would count references.
  struct Rows {
    /// Displacements; after splitting their fractions.
    let x, y: Row<Float>
    let wholeX, wholeY: Row<Int32>
    let ends: Row<UInt8>
    /// The displacements of a grid's nodes, interpolated at a row's height.
    let nodesX, nodesY: Row<Float>
    let values: Row<Float>
    let codes: ReshapePlane.Codes
  }

  /// Rows of `width` samples, valid until the next call.
  func rows(_ width: Int) -> Rows {
    let width = width + ReshapeKernels.padding
    floats.resize(width: width, height: 5)
    numbers.resize(width: width, height: 2)
    bytes.resize(width: width, height: 2)
    words.resize(width: width, height: 1)
    return Rows(
      x: floats.row(0), y: floats.row(1), wholeX: numbers.row(0), wholeY: numbers.row(1),
      ends: bytes.row(0), nodesX: floats.row(2), nodesY: floats.row(3), values: floats.row(4),
      codes: (bytes.row(1), words.row(0)))
  }
}

/// A copy of a region of a component, which is read while the region is written.
///
/// The outermost samples are repeated beyond the component's edges.
final class ReshapeSource {
  /// Samples around the region on each side.
  static let halo = 2

  private let memory = Grid<Float>(of: 0)
  private(set) var box = PixelBox(left: 0, top: 0, right: 0, bottom: 0)
  /// Stride in samples, and number of rows including the halo.
  private(set) var stride = 0
  private(set) var rowCount = 0

  /// All rows, and padding after the last.
  var samples: Row<Float> { memory.row(0) }

  /// Resizes the copy for the samples of `box`.
  func resize(_ box: PixelBox) {
    self.box = box
    stride = box.right - box.left + 2 * Self.halo + ReshapeKernels.padding
    rowCount = box.bottom - box.top + 2 * Self.halo
    memory.resize(width: stride * (rowCount + 1), height: 1)
  }

  /// Copies row `number`, relative to the halo's first row; `codes` are scratch of a row's length.
  func copyRow(_ component: ReshapePlane, _ number: Int, _ codes: ReshapePlane.Codes) {
    let y = max(0, min(box.top + number - Self.halo, component.height - 1))
    let row = samples[from: number * stride, count: stride]
    let left = max(box.left - Self.halo, 0)
    let right = min(box.right + Self.halo, component.width)
    let start = left - (box.left - Self.halo)
    let end = start + right - left
    component.read(row: y, from: left, into: row[start..<end], codes)
    for i in 0..<start { row[i] = row[start] }
    for i in end..<stride { row[i] = row[end - 1] }
  }
}

/// A component of the picture that is warped, with a byte or a 16-bit word for each sample.
struct ReshapePlane {
  /// Scratch rows for samples of either size.
  typealias Codes = (bytes: Row<UInt8>, words: Row<UInt16>)

  let width, height: Int
  private let bytes: Component?
  private let words: DeepComponent?

  init(_ picture: borrowing Picture, _ index: Int) {
    if picture.format.bitDepth > 8 {
      let component = picture.deepComponent(index)
      (width, height) = (component.width, component.height)
      (bytes, words) = (nil, component)
    } else {
      let component = picture.component(index)
      (width, height) = (component.width, component.height)
      (bytes, words) = (component, nil)
    }
  }

  /// Fills `values` with codes of row `y` from column `x` on.
  func read(row y: Int, from x: Int, into values: Row<Float>, _ scratch: Codes) {
    if let bytes {
      ReshapeKernels.convertToFloat(
        values, bytes.samples(row: y, from: x, scratch: scratch.bytes[..<values.count]))
    } else if let words {
      let codes = scratch.words[..<values.count]
      words.gather(row: y, from: x, into: codes)
      ReshapeKernels.convertToFloat(values, codes)
    }
  }

  /// Writes values, rounded and limited to codes, to row `y` from column `x` on.
  func write(row y: Int, from x: Int, _ values: Row<Float>, _ scratch: Codes) {
    if let bytes {
      let codes = scratch.bytes[..<values.count]
      ReshapeKernels.roundToBytes(codes, values)
      bytes.scatter(row: y, from: x, codes)
    } else if let words {
      let codes = scratch.words[..<values.count]
      ReshapeKernels.roundToWords(codes, values, maximum: Float(words.maximum))
      words.scatter(row: y, from: x, codes)
    }
  }
}
