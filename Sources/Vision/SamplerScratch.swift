import Inference
import Pixels

/// The scratch rows of a sampler: positions, indices, weights and samples.
///
/// All rows are `width` 32-bit integers, so that all but the loads is vectorized. Components that
/// are interleaved in memory are read together.
@safe final class SamplerScratch {
  private typealias Lane = UnsafeMutablePointer<Int32>

  let width: Int
  private let memory: Lane
  /// Positions along x and y in 1/32 pixel.
  private let x, y: Lane
  /// For the component that was read last: the first sample and the weight of the second, along x
  /// and y.
  private let column, columnWeight, row, rowWeight: Lane
  /// For each pixel the memory words that hold its four samples.
  private let words: (topLeft: Lane, topRight: Lane, bottomLeft: Lane, bottomRight: Lane)
  private let samples: Lane
  /// The subsampling and siting of `column` and `row`.
  private var columnKey: (shift: Int32, offset: Int32)?
  private var rowKey: (shift: Int32, offset: Int32)?
  /// The plane and step of `words`, and the pixels that were read.
  private var wordKey: (plane: Int, step: Int)?
  private var interior = 0..<0
  /// Whether the row is parallel to the picture's, and dense enough for `RowResampler`.
  private var isDense = false
  private let resampler: RowResampler

  init(width: Int) {
    precondition(width > 0)
    self.width = width
    unsafe memory = .allocate(capacity: width * 13)
    unsafe memory.initialize(repeating: 0, count: width * 13)
    unsafe x = memory
    unsafe y = memory + width
    unsafe column = memory + 2 * width
    unsafe columnWeight = memory + 3 * width
    unsafe row = memory + 4 * width
    unsafe rowWeight = memory + 5 * width
    unsafe words = (memory + 6 * width, memory + 7 * width, memory + 8 * width, memory + 9 * width)
    unsafe samples = memory + 10 * width
    resampler = RowResampler(width: width)
  }

  deinit { unsafe memory.deallocate() }

  /// Sets the x positions of a row that starts at (tx, ty) and advances by (a, b).
  func setColumnPositions(_ map: Affine) {
    columnKey = nil
    isDense = map.b == 0 && map.a > 0 && map.a <= Double(RowResampler.maximumStep)
    unsafe fillPositions(x, from: map.tx, by: map.a)
  }

  /// Sets the y positions of that row.
  func setRowPositions(_ map: Affine) {
    rowKey = nil
    wordKey = nil
    unsafe fillPositions(y, from: map.ty, by: map.b)
  }

  /// Rounds `start + n * step` to 1/32, ties to even, by adding a number that leaves no fraction
  /// bits.
  ///
  /// A line that is not finite, or leads far outside, becomes a far position.
  private func fillPositions(_ lane: Lane, from start: Double, by step: Double) {
    let end = start + step * Double(width - 1)
    let far = 1_000_000.0
    guard abs(start) < far, abs(end) < far else {
      for index in 0..<width { unsafe lane[index] = 1 << 30 }
      return
    }
    for index in 0..<width {
      let value = (start + step * Double(index)) * 32 + 6_755_399_441_055_744  // 1.5 * 2^52
      unsafe lane[index] = Int32(truncatingIfNeeded: value.bitPattern)
    }
  }

  /// Samples a component into the row of `channel`.
  func read(_ source: SampledComponent, _ channel: Int) {
    let out = unsafe samples + channel * width
    if columnKey?.shift != source.hShift || columnKey?.offset != source.hOffset {
      unsafe split(x, source.hShift, source.hOffset, column, columnWeight)
      columnKey = (source.hShift, source.hOffset)
    }
    if rowKey?.shift != source.vShift || rowKey?.offset != source.vOffset {
      unsafe split(y, source.vShift, source.vOffset, row, rowWeight)
      rowKey = (source.vShift, source.vOffset)
    }
    // For three bytes a pixel, loading words is faster.
    let isResampled = isDense && source.component.step != 3
    if wordKey?.plane != source.plane || wordKey?.step != source.component.step {
      interior = interiorPixels(source.component)
      if !isResampled { gather(source) }
      wordKey = (source.plane, source.component.step)
    }
    if interior.isEmpty, !source.replicates, isAboveOrBelow(source.component) {
      for pixel in 0..<width { unsafe out[pixel] = source.border }
      return
    }
    for pixel in 0..<interior.lowerBound { unsafe out[pixel] = sampleWithBorder(source, pixel) }
    for pixel in interior.upperBound..<width { unsafe out[pixel] = sampleWithBorder(source, pixel) }
    guard isResampled else { return unsafe blend(source, into: out) }
    guard !interior.isEmpty else { return }
    unsafe resampler.resample(
      source, row: Int(row[0]), weight: rowWeight[0],
      Row(base: column + interior.lowerBound, count: interior.count),
      Row(base: columnWeight + interior.lowerBound, count: interior.count),
      into: Row(base: out + interior.lowerBound, count: interior.count))
  }

  /// Splits positions into the index of a sample and the weight of the next, of 32 or 64.
  private func split(_ lane: Lane, _ shift: Int32, _ offset: Int32, _ index: Lane, _ weight: Lane) {
    let bits = 5 &+ shift
    let mask = (Int32(1) &<< bits) &- 1
    for pixel in 0..<width {
      let position = unsafe lane[pixel] &+ offset
      unsafe index[pixel] = position &>> bits
      unsafe weight[pixel] = position & mask
    }
  }

  /// The pixels whose four samples all lie inside, which are consecutive on a line.
  private func interiorPixels(_ component: Component) -> Range<Int> {
    let (lastColumn, lastRow) = (UInt32(component.width - 1), UInt32(component.height - 1))
    func isInside(_ pixel: Int) -> Bool {
      unsafe UInt32(bitPattern: column[pixel]) < lastColumn
        && UInt32(bitPattern: row[pixel]) < lastRow
    }
    var low = 0
    while low < width && !isInside(low) { low += 1 }
    var high = width
    while high > low && !isInside(high - 1) { high -= 1 }
    return low..<high
  }

  /// Whether the whole row lies above or below the component.
  private func isAboveOrBelow(_ component: Component) -> Bool {
    let (first, last) = unsafe (row[0], row[width - 1])
    return max(first, last) < -1 || min(first, last) >= component.height
  }

  /// Loads the words with the samples of the interior pixels, as many bytes as a step has.
  ///
  /// The bytes beyond a sample's own belong to its neighbours: the picture has `component.step`
  /// bytes for each position of the row.
  private func gather(_ source: SampledComponent) {
    let component = source.component
    let (step, stride, interior) = (component.step, component.stride, interior)
    let (column, row) = unsafe (column, row)
    let (topLeft, topRight, bottomLeft, bottomRight) = unsafe words
    let first = unsafe UnsafeRawPointer(component.base) - source.byte
    func byte(_ address: UnsafeRawPointer, _ offset: Int) -> Int32 {
      unsafe Int32(address.load(fromByteOffset: offset, as: UInt8.self))
    }
    func word(_ address: UnsafeRawPointer, _ offset: Int) -> Int32 {
      unsafe Int32(
        bitPattern: UInt32(
          littleEndian: address.loadUnaligned(fromByteOffset: offset, as: UInt32.self)))
    }
    /// The sample on the right is `right` bytes further, shifted up by `shift` bits.
    @inline(__always)
    func gather(
      step: Int, right: Int, shift: Int32, _ read: (UnsafeRawPointer, _ offset: Int) -> Int32
    ) {
      for pixel in interior {
        let top = unsafe first + (Int(row[pixel]) &* stride &+ Int(column[pixel]) &* step)
        let above = unsafe (read(top, 0), read(top, right) &>> shift)
        let below = unsafe (read(top, stride), read(top, stride &+ right) &>> shift)
        unsafe (topLeft[pixel], topRight[pixel]) = above
        unsafe (bottomLeft[pixel], bottomRight[pixel]) = below
      }
    }
    switch step {
    case 1: unsafe gather(step: 1, right: 1, shift: 0, byte)
    case 2: unsafe gather(step: 2, right: 0, shift: 16, word)
    // From one byte before, so that the word ends with the sample.
    case 3: unsafe gather(step: 3, right: 2, shift: 8, word)
    default:
      precondition(step == 4)
      unsafe gather(step: 4, right: 4, shift: 0, word)
    }
  }

  /// Interpolates the four samples of each interior pixel.
  @unsafe private func blend(_ source: SampledComponent, into out: Lane) {
    let (oneColumn, oneRow) = (Int32(32) &<< source.hShift, Int32(32) &<< source.vShift)
    let total = 10 &+ source.hShift &+ source.vShift
    let half = Int32(1) &<< (total &- 1)
    let shift = Int32(source.byte * 8)
    let (columnWeight, rowWeight) = unsafe (columnWeight, rowWeight)
    let (topLeft, topRight, bottomLeft, bottomRight) = unsafe words
    for pixel in interior {
      let right = unsafe columnWeight[pixel]
      let lower = unsafe rowWeight[pixel]
      let left = oneColumn &- right
      let above =
        unsafe (topLeft[pixel] &>> shift & 255) &* left
        &+ (topRight[pixel] &>> shift & 255) &* right
      let below =
        unsafe (bottomLeft[pixel] &>> shift & 255) &* left
        &+ (bottomRight[pixel] &>> shift & 255) &* right
      unsafe out[pixel] = (above &* (oneRow &- lower) &+ below &* lower &+ half) &>> total
    }
  }

  /// Samples one pixel, with the border's value outside the component.
  private func sampleWithBorder(_ source: SampledComponent, _ pixel: Int) -> Int32 {
    let component = source.component
    let (x, y) = unsafe (Int(column[pixel]), Int(row[pixel]))
    let (right, lower) = unsafe (columnWeight[pixel], rowWeight[pixel])
    func sample(_ x: Int, _ y: Int) -> Int32 {
      let cx = max(0, min(x, component.width - 1))
      let cy = max(0, min(y, component.height - 1))
      if !source.replicates && (cx != x || cy != y) { return source.border }
      return Int32(component[cx, cy])
    }
    let left = (Int32(32) &<< source.hShift) &- right
    let upper = (Int32(32) &<< source.vShift) &- lower
    let total = 10 &+ source.hShift &+ source.vShift
    let above = sample(x, y) &* left &+ sample(x + 1, y) &* right
    let below = sample(x, y + 1) &* left &+ sample(x + 1, y + 1) &* right
    return (above &* upper &+ below &* lower &+ (1 &<< (total &- 1))) &>> total
  }

  /// Converts the samples to red, green and blue, and writes them to row `row` of a tensor.
  func write(
    row: Int, _ colors: TensorColors, _ layout: InputLayout, _ order: RegionSampler.ChannelOrder,
    into tensor: inout MutableSpan<Float>
  ) {
    precondition(row >= 0 && row < layout.height && width == layout.width && layout.channels == 3)
    precondition(layout.count <= tensor.count)
    unsafe tensor.withUnsafeMutableBufferPointer { tensor in
      let first = unsafe tensor.baseAddress! + row * layout.row
      // Red comes first or last.
      let out = unsafe order == .rgb ? first : first + 2 * layout.channel
      let channel = order == .rgb ? layout.channel : -layout.channel
      // Consecutive numbers of a channel are vectorized.
      if layout.column == 1 {
        unsafe write(colors, out, step: 1, channel: channel)
      } else {
        unsafe write(colors, out, step: layout.column, channel: channel)
      }
    }
  }

  @inline(__always) @unsafe
  private func write(
    _ colors: TensorColors, _ red: UnsafeMutablePointer<Float>, step: Int, channel: Int
  ) {
    let (scale, offset) = (colors.scale, colors.offset)
    let (first, second, third) = unsafe (samples, samples + width, samples + 2 * width)
    let (green, blue) = unsafe (red + channel, red + 2 * channel)
    func value(_ code: Float) -> Float { max(0, min(code, 255)) * scale + offset }
    switch colors.family {
    case .rgb:
      for x in 0..<width {
        unsafe red[step &* x] = Float(first[x]) * scale + offset
        unsafe green[step &* x] = Float(second[x]) * scale + offset
        unsafe blue[step &* x] = Float(third[x]) * scale + offset
      }
    case .gray:
      for x in 0..<width {
        let gray = unsafe value((Float(first[x]) - colors.lumaOffset) * colors.luma)
        unsafe red[step &* x] = gray
        unsafe green[step &* x] = gray
        unsafe blue[step &* x] = gray
      }
    case .ycc:
      for x in 0..<width {
        let y = unsafe (Float(first[x]) - colors.lumaOffset) * colors.luma
        let cb = unsafe Float(second[x]) - 128
        let cr = unsafe Float(third[x]) - 128
        unsafe red[step &* x] = value(y + cr * colors.redOfCr)
        unsafe green[step &* x] = value(y + cb * colors.greenOfCb + cr * colors.greenOfCr)
        unsafe blue[step &* x] = value(y + cb * colors.blueOfCb)
      }
    }
  }
}
