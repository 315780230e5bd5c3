/// What the loops of a tile read and write.
@safe struct TileArguments {
  var input: UnsafeRawPointer
  let tapOffsets: UnsafePointer<Int32>
  let weights: UnsafePointer<Float>
  let groups: UnsafePointer<PackedWeights.Group>
  let bias: UnsafePointer<Float>
  let slopes: UnsafePointer<Float>
  let output: UnsafeMutableRawPointer
  let residual: UnsafeRawPointer
  /// The offsets of the tile's vectors in the output and in the residual, in bytes.
  var outputOffsets: UnsafePointer<Int32>
  var residualOffsets: UnsafePointer<Int32>
  var mask: UnsafeRawPointer?
  let function: Activation.Function
  /// What the functions `relu` and `clamp` keep sums between.
  let limits: FusedActivation
  let residualChannels: Int
  /// Bytes from a channel to the next.
  let residualStride, outputStride: Int
}

/// What a band's sums are made of.
struct BandInput {
  let memory: FloatView
  /// The index of the first number that a tap of offset 0 reads.
  let start: Int
  /// The map that is read in place, where its rows are apart.
  var rows: MapLayout?
  /// The numbers that stand for the weights, where those are read as the input.
  var weights: FloatView?
}

extension Kernels {
  /// The channels of a group, where a group is more than one channel.
  ///
  /// A tile's sums and operands must fit the processor's registers: so wide groups have tiles of
  /// few vectors.
  #if x86_64_v4 || arch(arm64)
    static let groupSizes = [4, 8]
    static func maximumTile(groupSize: Int) -> Int { groupSize == 1 ? 12 : groupSize == 4 ? 6 : 3 }
  #else
    static let groupSizes = [2, 4, 8]
    static func maximumTile(groupSize: Int) -> Int {
      groupSize == 1 ? 12 : groupSize == 2 ? 6 : groupSize == 4 ? 3 : 1
    }
  #endif

  /// Runs the tile that is compiled for a group size and a number of vectors.
  static func runTile(
    _ groupSize: Int, _ vectors: Int, _ arguments: borrowing TileArguments, _ groups: Range<Int>
  ) {
    switch (groupSize, vectors) {
    case (1, 1): Tile<1, 1>.run(arguments, groups)
    case (1, 2): Tile<1, 2>.run(arguments, groups)
    case (1, 3): Tile<1, 3>.run(arguments, groups)
    case (1, 4): Tile<1, 4>.run(arguments, groups)
    case (1, 5): Tile<1, 5>.run(arguments, groups)
    case (1, 6): Tile<1, 6>.run(arguments, groups)
    case (1, 7): Tile<1, 7>.run(arguments, groups)
    case (1, 8): Tile<1, 8>.run(arguments, groups)
    case (1, 9): Tile<1, 9>.run(arguments, groups)
    case (1, 10): Tile<1, 10>.run(arguments, groups)
    case (1, 11): Tile<1, 11>.run(arguments, groups)
    case (1, 12): Tile<1, 12>.run(arguments, groups)
    case (4, 1): Tile<4, 1>.run(arguments, groups)
    case (4, 2): Tile<4, 2>.run(arguments, groups)
    case (4, 3): Tile<4, 3>.run(arguments, groups)
    case (8, 1): Tile<8, 1>.run(arguments, groups)
    #if x86_64_v4 || arch(arm64)
      case (4, 4): Tile<4, 4>.run(arguments, groups)
      case (4, 5): Tile<4, 5>.run(arguments, groups)
      case (4, 6): Tile<4, 6>.run(arguments, groups)
      case (8, 2): Tile<8, 2>.run(arguments, groups)
      case (8, 3): Tile<8, 3>.run(arguments, groups)
    #else
      case (2, 1): Tile<2, 1>.run(arguments, groups)
      case (2, 2): Tile<2, 2>.run(arguments, groups)
      case (2, 3): Tile<2, 3>.run(arguments, groups)
      case (2, 4): Tile<2, 4>.run(arguments, groups)
      case (2, 5): Tile<2, 5>.run(arguments, groups)
      case (2, 6): Tile<2, 6>.run(arguments, groups)
    #endif
    default: preconditionFailure("no tile of this shape")
    }
  }
}
