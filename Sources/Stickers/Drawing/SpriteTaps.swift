/// Scratch rows for one slice of drawing, so that no frame allocates.
///
/// A tap is one component of the sprite at one pixel of the picture, premultiplied, with 8
/// fractional bits: 0...65280. Chroma lies round 32768.
@safe final class SpriteTaps {
  /// One row of taps: component 0, 1, 2, alpha.
  @safe struct Row {
    let c0: UnsafeMutablePointer<UInt16>
    let c1: UnsafeMutablePointer<UInt16>
    let c2: UnsafeMutablePointer<UInt16>
    let alpha: UnsafeMutablePointer<UInt16>

    @inline(__always)
    subscript(component: Int) -> UnsafeMutablePointer<UInt16> {
      switch component {
      case 0: unsafe c0
      case 1: unsafe c1
      case 2: unsafe c2
      default: unsafe alpha
      }
    }

    /// The row without its first `count` columns.
    func dropping(_ count: Int) -> Row {
      precondition(count >= 0)
      return unsafe Row(c0: c0 + count, c1: c1 + count, c2: c2 + count, alpha: alpha + count)
    }
  }

  /// Columns a row has room for.
  let capacity: Int
  /// The row before a pair, the pair, their mean, and that at the places of chroma.
  let before: Row
  let upper: Row
  let lower: Row
  let mean: Row
  let chroma: Row
  /// Bytes of two components on their way between the picture and the kernel.
  let bytes: (UnsafeMutablePointer<UInt8>, UnsafeMutablePointer<UInt8>)
  let samples = SpriteSamples()
  private let memory: UnsafeMutablePointer<UInt16>
  private let byteMemory: UnsafeMutablePointer<UInt8>

  /// Makes room for pictures `width` pixels wide.
  init(width: Int) {
    // Two columns beyond each side, and room for a last pair to be read whole.
    let capacity = width + 8
    self.capacity = capacity
    unsafe memory = .allocate(capacity: 20 * capacity)
    unsafe memory.initialize(repeating: 0, count: 20 * capacity)
    unsafe byteMemory = .allocate(capacity: 2 * capacity)
    unsafe byteMemory.initialize(repeating: 0, count: 2 * capacity)
    unsafe bytes = unsafe (byteMemory, byteMemory + capacity)
    let base = unsafe memory
    func row(_ index: Int) -> Row {
      let start = unsafe base + 4 * index * capacity
      return unsafe Row(
        c0: start, c1: start + capacity, c2: start + 2 * capacity, alpha: start + 3 * capacity)
    }
    before = row(0)
    upper = row(1)
    lower = row(2)
    mean = row(3)
    chroma = row(4)
  }

  deinit {
    unsafe memory.deallocate()
    unsafe byteMemory.deallocate()
  }
}

extension SpriteScan {
  /// Fills `taps` with the sprite's picture over the columns from `first` on, `count` of them;
  /// what the run leaves out is transparent.
  ///
  /// Bilinear, with weights in 1/256 that sum to 256, so that the products are exact and a
  /// flat colour comes out as it went in.
  func fill(
    _ taps: SpriteTaps.Row, from first: Int, count: Int, run: Run, clear: UInt32,
    _ samples: SpriteSamples
  ) {
    let end = min(run.columns.upperBound, first + count)
    let columns = run.columns.lowerBound < end ? run.columns.lowerBound..<end : 0..<0
    precondition(columns.isEmpty || columns.lowerBound >= first)
    let start = columns.isEmpty ? count : columns.lowerBound - first
    let n = columns.count
    Self.clear(taps, 0..<start, clear)
    Self.clear(taps, start + n..<count, clear)
    guard n > 0 else { return }
    let stride = level.stride
    // Places are linear in the column, so when both ends lie inside all do.
    let lastU = run.u &+ (n &- 1) &* stepU
    let lastV = run.v &+ (n &- 1) &* stepV
    precondition(
      min(run.u, lastU) >= 0 && max(run.u, lastU) >> 32 <= level.width
        && min(run.v, lastV) >= 0 && max(run.v, lastV) >> 32 <= level.height)
    unsafe level.pixels.withPixels(0..<level.pixels.count) { buffer in
      guard let base = buffer.baseAddress else { return }
      let c0 = unsafe taps.c0 + start
      let c1 = unsafe taps.c1 + start
      let c2 = unsafe taps.c2 + start
      let alpha = unsafe taps.alpha + start
      if stepU == 1 << 32, stepV == 0, ((run.u | run.v) >> 24) & 255 == 0 {
        let source = unsafe base + ((run.v >> 32) * stride + (run.u >> 32))
        for i in 0..<n {
          let pixel = unsafe source[i]
          unsafe c0[i] = UInt16(truncatingIfNeeded: pixel) &<< 8
          unsafe c1[i] = UInt16(truncatingIfNeeded: pixel) & 0xFF00
          unsafe c2[i] = UInt16(truncatingIfNeeded: pixel &>> 16) &<< 8
          unsafe alpha[i] = UInt16(truncatingIfNeeded: pixel &>> 16) & 0xFF00
        }
        return
      }
      var i = 0
      while i < n {
        let count = min(n - i, SpriteSamples.capacity)
        unsafe samples.mix(
          base, stride: stride, u: run.u &+ i &* stepU, v: run.v &+ i &* stepV, stepU: stepU,
          stepV: stepV, count: count)
        unsafe samples.store(c0 + i, c1 + i, c2 + i, alpha + i, count: count)
        i += count
      }
    }
  }

  private static func clear(_ taps: SpriteTaps.Row, _ range: Range<Int>, _ clear: UInt32) {
    guard !range.isEmpty else { return }
    for component in 0..<4 {
      unsafe (taps[component] + range.lowerBound).update(
        repeating: UInt16((clear >> (8 * UInt32(component))) & 255) << 8, count: range.count)
    }
  }
}
