/// Loops over vectors that lie side by side, of the same shape whatever is done with each.
extension Kernels {
  /// A vector's place in what is read, and in what is written.
  @safe struct VectorPosition {
    fileprivate let from: UnsafeRawPointer
    fileprivate let to: UnsafeMutableRawPointer
    fileprivate let reach: Range<Int>
    fileprivate let room: Int
    fileprivate let apart: Int?
    /// Which of its line it is.
    let number: Int

    /// The vector so many bytes further on.
    @inline(__always) subscript(_ offset: Int) -> Vector {
      assert(reach.contains(offset))
      return unsafe load(from, offset)
    }

    /// Every second number of two vectors.
    @inline(__always) func every(_ offset: Int) -> Vector {
      Vector(lowHalf: self[offset].evenHalf, highHalf: self[offset &+ size].evenHalf)
    }

    /// Stores a vector with what is to be added to it.
    @inline(__always) func put(_ vector: Vector) {
      if let apart {
        unsafe Kernels.store(vector + load(UnsafeRawPointer(to), apart), to, 0)
      } else {
        unsafe Kernels.store(vector, to, 0)
      }
    }

    @inline(__always) func store(_ vector: Vector, _ offset: Int = 0) {
      assert(offset >= 0 && offset <= room)
      unsafe Kernels.store(vector, to, offset)
    }
  }

  /// A channel's lines; what they reach was held against the memory.
  @safe struct ChannelRows {
    fileprivate let from: UnsafeRawPointer
    fileprivate let to: UnsafeMutableRawPointer
    fileprivate let scan: Traversal

    var channels: Int { scan.channels }
    var count: Int { scan.lines }
    var across: Int { scan.across }
    /// Bytes from a line that is read to the next, and from one that is written.
    var next: Int { scan.from.line &* 4 }
    var further: Int { scan.to.line &* 4 }

    @inline(__always) subscript(_ line: Int, _ number: Int) -> VectorPosition {
      unsafe VectorPosition(
        from: from + (line &* next &+ number &* scan.step),
        to: to + (line &* further &+ number &* size), reach: scan.reach, room: scan.room,
        apart: scan.apart, number: number)
    }

    /// Those of another of the scan's channels.
    @inline(__always) func channel(_ number: Int) -> ChannelRows {
      precondition(number >= 0 && number < max(scan.channels, 1))
      return unsafe ChannelRows(
        from: from + number &* scan.from.plane &* 4, to: to + number &* scan.to.plane &* 4,
        scan: scan)
    }

    /// Every vector.
    @inline(__always) func each(_ body: (VectorPosition, _ line: Int) -> Void) {
      for line in 0..<count {
        for number in 0..<across { body(self[line, number], line) }
      }
    }
  }

  /// The first channel's lines; the reach of all channels is held against the memory.
  @inline(__always)
  static func lines(_ scan: Traversal, _ from: FloatView, _ to: FloatView) -> ChannelRows {
    let (channels, lines) = (max(scan.channels, 1) - 1, max(scan.lines, 1) - 1)
    let read = (channels * scan.from.plane + lines * scan.from.line) * 4 + scan.across * scan.step
    let written =
      (channels * scan.to.plane + lines * scan.to.line) * 4 + scan.across * size + scan.room
    if let apart = scan.apart {
      _ = unsafe to.place(scan.to.index, reach: apart..<apart + written)
    }
    return unsafe ChannelRows(
      from: UnsafeRawPointer(
        from.place(
          scan.from.index, reach: scan.reach.lowerBound..<read + scan.reach.upperBound + size)),
      to: to.place(scan.to.index, reach: 0..<written), scan: scan)
  }

  /// Goes through the channels of a scan.
  @inline(__always)
  static func channels(
    _ scan: Traversal, _ from: FloatView, _ to: FloatView,
    _ body: (_ channel: Int, ChannelRows) -> Void
  ) {
    let first = lines(scan, from, to)
    for channel in 0..<scan.channels { body(channel, first.channel(channel)) }
  }
}
