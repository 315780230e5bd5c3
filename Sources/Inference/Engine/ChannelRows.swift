/// Loops over consecutive vectors, all of one shape whatever is computed.
extension Kernels {
  /// The addresses that one vector is read from and written to.
  @safe struct VectorPosition {
    fileprivate let source: UnsafeRawPointer
    fileprivate let destination: UnsafeMutableRawPointer
    fileprivate let readRange: Range<Int>
    fileprivate let residualOffset: Int?

    /// The vector `offset` bytes after the source.
    @inline(__always) subscript(_ offset: Int) -> Vector {
      assert(readRange.contains(offset))
      return unsafe load(source, offset)
    }

    /// The even lanes of the two vectors from `offset` bytes after the source on.
    @inline(__always) func evenLanes(_ offset: Int) -> Vector {
      Vector(lowHalf: self[offset].evenHalf, highHalf: self[offset &+ size].evenHalf)
    }

    @inline(__always) func store(_ vector: Vector) {
      unsafe Kernels.store(vector, destination, 0)
    }

    /// Stores a vector with the residual added, if there is one.
    @inline(__always) func storeWithResidual(_ vector: Vector) {
      if let residualOffset {
        unsafe store(vector + load(UnsafeRawPointer(destination), residualOffset))
      } else {
        store(vector)
      }
    }
  }

  /// The rows of one channel of a traversal, whose bounds were checked.
  @safe struct ChannelRows {
    fileprivate let source: UnsafeRawPointer
    fileprivate let destination: UnsafeMutableRawPointer
    fileprivate let traversal: Traversal

    var channels: Int { traversal.channels }
    var count: Int { traversal.rows }
    var vectorsPerRow: Int { traversal.vectorsPerRow }
    /// Bytes from a row that is read to the next.
    var sourceRowStride: Int { traversal.source.rowStride &* 4 }
    private var destinationRowStride: Int { traversal.destination.rowStride &* 4 }

    @inline(__always) subscript(_ row: Int, _ vector: Int) -> VectorPosition {
      unsafe VectorPosition(
        source: source + (row &* sourceRowStride &+ vector &* traversal.vectorStride),
        destination: destination + (row &* destinationRowStride &+ vector &* size),
        readRange: traversal.readRange, residualOffset: traversal.residualOffset)
    }

    /// The rows of another of the traversal's channels.
    @inline(__always) func channel(_ number: Int) -> ChannelRows {
      precondition(number >= 0 && number < max(traversal.channels, 1))
      return unsafe ChannelRows(
        source: source + number &* traversal.source.channelStride &* 4,
        destination: destination + number &* traversal.destination.channelStride &* 4,
        traversal: traversal)
    }

    @inline(__always) func forEachVector(_ body: (VectorPosition) -> Void) {
      for row in 0..<count { for vector in 0..<vectorsPerRow { body(self[row, vector]) } }
    }
  }

  /// The rows of the first channel; traps unless all that the traversal reads and writes lies in
  /// the memory.
  @inline(__always)
  static func channelRows(
    _ traversal: Traversal, from source: FloatView, to destination: FloatView
  ) -> ChannelRows {
    let (from, to) = (traversal.source, traversal.destination)
    let (channels, rows) = (max(traversal.channels, 1) - 1, max(traversal.rows, 1) - 1)
    let read =
      (channels * from.channelStride + rows * from.rowStride) * 4
      + traversal.vectorsPerRow * traversal.vectorStride
    let written =
      (channels * to.channelStride + rows * to.rowStride) * 4 + traversal.vectorsPerRow * size
    if let offset = traversal.residualOffset {
      _ = unsafe destination.address(to.start, bytes: offset..<offset + written)
    }
    let (low, high) = (traversal.readRange.lowerBound, traversal.readRange.upperBound)
    return unsafe ChannelRows(
      source: UnsafeRawPointer(source.address(from.start, bytes: low..<read + high + size)),
      destination: destination.address(to.start, bytes: 0..<written), traversal: traversal)
  }

  @inline(__always)
  static func forEachChannel(
    _ traversal: Traversal, from source: FloatView, to destination: FloatView,
    _ body: (_ channel: Int, ChannelRows) -> Void
  ) {
    let first = channelRows(traversal, from: source, to: destination)
    for channel in 0..<traversal.channels { body(channel, first.channel(channel)) }
  }
}
