import Pixels

extension Component {
  /// Copies the samples of row `y` from column `start` on into `target`, filling it.
  ///
  /// Samples two or four bytes apart are read as words, which vectorises where single strided
  /// bytes do not.
  @inline(never)
  func gather(row y: Int, from start: Int, into target: CellRow<UInt8>) {
    precondition(start >= 0 && start + target.count <= width && y >= 0 && y < height)
    let n = target.count
    guard n > 0 else { return }
    unsafe withBase { base in
      let row = unsafe UnsafeRawPointer(base + (y * stride + start * step))
      switch step {
      case 1:
        unsafe target.withBase { unsafe $0.update(from: base + (y * stride + start), count: n) }
      case 2:
        // The last word would reach past the row's last byte.
        for x in 0..<(n &- 1) {
          let word = unsafe row.loadUnaligned(fromByteOffset: x &* 2, as: UInt16.self)
          target[x] = UInt8(truncatingIfNeeded: UInt16(littleEndian: word))
        }
        target[n - 1] = self[start + n - 1, y]
      case 4:
        for x in 0..<(n &- 1) {
          let word = unsafe row.loadUnaligned(fromByteOffset: x &* 4, as: UInt32.self)
          target[x] = UInt8(truncatingIfNeeded: UInt32(littleEndian: word))
        }
        target[n - 1] = self[start + n - 1, y]
      default:
        let step = step
        for x in 0..<n { target[x] = unsafe row.load(fromByteOffset: x &* step, as: UInt8.self) }
      }
    }
  }

  /// Copies `source` over the samples of row `y` from column `start` on.
  ///
  /// The bytes of other components between the samples are written too, with what they hold:
  /// no other thread may write the same row meanwhile.
  @inline(never)
  func scatter(row y: Int, from start: Int, _ source: CellRow<UInt8>) {
    precondition(start >= 0 && start + source.count <= width && y >= 0 && y < height)
    let n = source.count
    guard n > 0 else { return }
    unsafe withBase { base in
      let bytes = unsafe base + (y * stride + start * step)
      let row = UnsafeMutableRawPointer(bytes)
      switch step {
      case 1:
        unsafe source.withBase { unsafe bytes.update(from: $0, count: n) }
      case 2:
        for x in 0..<(n &- 1) {
          let word = unsafe row.loadUnaligned(fromByteOffset: x &* 2, as: UInt16.self)
          let changed =
            (UInt16(littleEndian: word) & 0xFF00) | UInt16(truncatingIfNeeded: source[x])
          unsafe row.storeBytes(
            of: changed.littleEndian, toByteOffset: x &* 2, as: UInt16.self)
        }
        self[start + n - 1, y] = source[n - 1]
      case 4:
        for x in 0..<(n &- 1) {
          let word = unsafe row.loadUnaligned(fromByteOffset: x &* 4, as: UInt32.self)
          let changed =
            (UInt32(littleEndian: word) & 0xFFFF_FF00) | UInt32(truncatingIfNeeded: source[x])
          unsafe row.storeBytes(
            of: changed.littleEndian, toByteOffset: x &* 4, as: UInt32.self)
        }
        self[start + n - 1, y] = source[n - 1]
      default:
        let step = step
        for x in 0..<n { unsafe bytes[x &* step] = source[x] }
      }
    }
  }

  /// Adds to `target` one sample of row `y` for each of its elements: column `start`, and then
  /// every `interval` columns; columns past the last are the last.
  @inline(never)
  func addSamples(row y: Int, from start: Int, every interval: Int, to target: CellRow<UInt16>) {
    precondition(start >= 0 && interval > 0 && y >= 0 && y < height)
    let inside = min(target.count, start < width ? (width - 1 - start) / interval + 1 : 0)
    unsafe withBase { base in
      let row = unsafe UnsafeRawPointer(base + y * stride)
      let first = min(start, width - 1) * step
      let pitch = interval * step
      for x in 0..<inside {
        target[x] &+= UInt16(unsafe row.load(fromByteOffset: first &+ x &* pitch, as: UInt8.self))
      }
      let last = UInt16(unsafe row.load(fromByteOffset: (width - 1) * step, as: UInt8.self))
      for x in inside..<target.count { target[x] &+= last }
    }
  }
}
