import Pixels

/// The rows a sampler works on: positions, indices and weights of samples, and what was read.
///
/// All lanes are 32-bit integers, `width` of them, so that everything but the reading itself is
/// done several pixels at a time.
@safe final class SamplerScratch {
  private typealias Lane = UnsafeMutablePointer<Int32>

  let width: Int
  private let memory: Lane
  /// Positions along x and y in 1/32 pixel.
  private let x: Lane
  private let y: Lane
  /// Of the component read last: first sample and weight of the second, along x and y.
  private let column: Lane
  private let columnWeight: Lane
  private let row: Lane
  private let rowWeight: Lane
  private let samples: Lane
  /// Position of the whole row of an upright region.
  private var rowPosition: Int32 = 0
  /// Subsampling and siting that `column` was made for in this region.
  private var columnKey: (shift: Int32, offset: Int32)?

  init(width: Int) {
    precondition(width > 0)
    self.width = width
    unsafe memory = .allocate(capacity: width * 9)
    unsafe memory.initialize(repeating: 0, count: width * 9)
    unsafe x = memory
    unsafe y = memory + width
    unsafe column = memory + 2 * width
    unsafe columnWeight = memory + 3 * width
    unsafe row = memory + 4 * width
    unsafe rowWeight = memory + 5 * width
    unsafe samples = memory + 6 * width
  }

  deinit { unsafe memory.deallocate() }

  /// What was read of component `channel`, of 0...255.
  @unsafe func read(_ channel: Int) -> UnsafePointer<Int32> {
    unsafe UnsafePointer(samples + channel * width)
  }

  /// Computes the x positions of a row that starts at (tx, ty) and goes on by (a, b).
  func placeColumns(_ map: Affine) {
    columnKey = nil
    unsafe Self.place(x, width, from: map.tx, by: map.a)
  }

  /// Computes the y positions of that row.
  func placeRows(_ map: Affine, isUpright: Bool) {
    if isUpright {
      unsafe withUnsafeMutablePointer(to: &rowPosition) {
        unsafe Self.place($0, 1, from: map.ty, by: 0)
      }
    } else {
      unsafe Self.place(y, width, from: map.ty, by: map.b)
    }
  }

  /// Rounds `start + n * step` to 1/32, ties to even, by adding a number so large that no
  /// fraction is left; a line that is not finite or goes far outside becomes a far place.
  private static func place(_ lane: Lane, _ count: Int, from start: Double, by step: Double) {
    let end = start + step * Double(count - 1)
    let far = 1_000_000.0
    guard abs(start) < far, abs(end) < far else {
      for index in 0..<count { unsafe lane[index] = 1 << 30 }
      return
    }
    for index in 0..<count {
      let value = (start + step * Double(index)) * 32 + 6_755_399_441_055_744  // 1.5 * 2^52
      unsafe lane[index] = Int32(truncatingIfNeeded: value.bitPattern)
    }
  }

  /// Reads one row of a component into the lane of `channel`.
  func read(_ source: SampledComponent, _ channel: Int, isUpright: Bool) {
    if columnKey?.shift != source.hShift || columnKey?.offset != source.hOffset {
      unsafe split(x, source.hShift, source.hOffset, column, columnWeight)
      columnKey = (source.hShift, source.hOffset)
    }
    if isUpright {
      readUpright(source, channel)
    } else {
      unsafe split(y, source.vShift, source.vOffset, row, rowWeight)
      readTurned(source, channel)
    }
  }

  /// Splits positions into the index of a sample and the weight of the next, of 32 or 64.
  private func split(
    _ lane: Lane, _ shift: Int32, _ offset: Int32, _ index: Lane, _ weight: Lane
  ) {
    let bits = 5 &+ shift
    let mask = (Int32(1) &<< bits) &- 1
    for place in 0..<width {
      let position = unsafe lane[place] &+ offset
      unsafe index[place] = position &>> bits
      unsafe weight[place] = position & mask
    }
  }

  private func readUpright(_ source: SampledComponent, _ channel: Int) {
    let out = unsafe samples + channel * width
    let component = source.component
    let bits = 5 &+ source.vShift
    let position = rowPosition &+ source.vOffset
    let first = Int(position &>> bits)
    let last = component.height - 1
    if !source.replicates && (first < -1 || first > last) {
      for place in 0..<width { unsafe out[place] = source.border }
      return
    }
    guard first >= 0 && first < last else {
      unsafe readCarefully(source, 0..<width, at: position, into: out)
      return
    }
    let lower = position & ((1 &<< bits) &- 1)
    let upper = (Int32(1) &<< bits) &- lower
    let one = Int32(32) &<< source.hShift
    let total = 10 &+ source.hShift &+ source.vShift
    let half = Int32(1) &<< (total &- 1)
    let inside = insideColumns(source)
    unsafe readCarefully(source, 0..<inside.lowerBound, at: position, into: out)
    unsafe readCarefully(source, inside.upperBound..<width, at: position, into: out)
    let (column, columnWeight) = unsafe (column, columnWeight)
    unsafe component.withBase { base in
      let step = component.step
      let top = unsafe base + first &* component.stride
      let bottom = unsafe top + component.stride
      for place in inside {
        let offset = unsafe Int(column[place]) &* step
        let right = unsafe columnWeight[place]
        let left = one &- right
        let above = unsafe Int32(top[offset]) &* left &+ Int32(top[offset &+ step]) &* right
        let below = unsafe Int32(bottom[offset]) &* left &+ Int32(bottom[offset &+ step]) &* right
        unsafe out[place] = (above &* upper &+ below &* lower &+ half) &>> total
      }
    }
  }

  private func readTurned(_ source: SampledComponent, _ channel: Int) {
    let out = unsafe samples + channel * width
    let component = source.component
    let oneColumn = Int32(32) &<< source.hShift
    let oneRow = Int32(32) &<< source.vShift
    let total = 10 &+ source.hShift &+ source.vShift
    let half = Int32(1) &<< (total &- 1)
    let inside = insideBoth(source)
    for place in 0..<inside.lowerBound { unsafe out[place] = careful(source, place) }
    for place in inside.upperBound..<width { unsafe out[place] = careful(source, place) }
    let (column, columnWeight) = unsafe (column, columnWeight)
    let (row, rowWeight) = unsafe (row, rowWeight)
    unsafe component.withBase { base in
      let step = component.step
      let stride = component.stride
      for place in inside {
        let top = unsafe base + (Int(row[place]) &* stride &+ Int(column[place]) &* step)
        let bottom = unsafe top + stride
        let right = unsafe columnWeight[place]
        let lower = unsafe rowWeight[place]
        let left = oneColumn &- right
        let above = unsafe Int32(top[0]) &* left &+ Int32(top[step]) &* right
        let below = unsafe Int32(bottom[0]) &* left &+ Int32(bottom[step]) &* right
        unsafe out[place] =
          (above &* (oneRow &- lower) &+ below &* lower &+ half) &>> total
      }
    }
  }

  /// The places whose four samples all lie inside; along a straight line they are neighbours.
  private func insideBoth(_ source: SampledComponent) -> Range<Int> {
    let lastColumn = UInt32(source.component.width - 1)
    let lastRow = UInt32(source.component.height - 1)
    func isInside(_ place: Int) -> Bool {
      unsafe UInt32(bitPattern: column[place]) < lastColumn
        && UInt32(bitPattern: row[place]) < lastRow
    }
    return range(isInside)
  }

  private func insideColumns(_ source: SampledComponent) -> Range<Int> {
    let last = UInt32(source.component.width - 1)
    func isInside(_ place: Int) -> Bool { unsafe UInt32(bitPattern: column[place]) < last }
    return range(isInside)
  }

  private func range(_ isInside: (Int) -> Bool) -> Range<Int> {
    var low = 0
    while low < width && !isInside(low) { low += 1 }
    var high = width
    while high > low && !isInside(high - 1) { high -= 1 }
    return low..<high
  }

  private func readCarefully(
    _ source: SampledComponent, _ places: Range<Int>, at position: Int32, into out: Lane
  ) {
    let bits = 5 &+ source.vShift
    for place in places {
      unsafe row[place] = position &>> bits
      unsafe rowWeight[place] = position & ((1 &<< bits) &- 1)
      unsafe out[place] = careful(source, place)
    }
  }

  /// Reads one place whose samples may lie outside, where they are the border's.
  private func careful(_ source: SampledComponent, _ place: Int) -> Int32 {
    let component = source.component
    let (x, y) = unsafe (Int(column[place]), Int(row[place]))
    let (right, lower) = unsafe (columnWeight[place], rowWeight[place])
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
}
