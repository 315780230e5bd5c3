extension Kernels {
  /// Everything that a tile's loops read.
  @safe struct TileArguments {
    var input: UnsafeRawPointer
    let taps: UnsafePointer<Int32>
    let factors: UnsafePointer<Float>
    let groups: UnsafePointer<PackedWeights.Group>
    let bias: UnsafePointer<Float>
    let slopes: UnsafePointer<Float>
    let output: UnsafeMutableRawPointer
    let added: UnsafeRawPointer
    var places: UnsafePointer<Int32>
    var addedPlaces: UnsafePointer<Int32>
    var mask: UnsafeRawPointer?
    let code: Activation.Code
    let addedChannels, addedPlane, outputPlane: Int
  }

  /// Channels that tiles may sum together, and the vectors that such a tile has at most: all sums,
  /// and what is multiplied, fit the processor's registers.
  #if x86_64_v4 || arch(arm64)
    static let widths = [4, 8]
    static func most(_ width: Int) -> Int { width == 1 ? 12 : width == 4 ? 6 : 3 }
  #else
    static let widths = [2, 4, 8]
    static func most(_ width: Int) -> Int { width == 1 ? 12 : width == 2 ? 6 : width == 4 ? 3 : 1 }
  #endif

  /// The tiles that are compiled: as many channels and vectors as `most` says.
  static func run(_ width: Int, _ total: Int, _ call: borrowing TileArguments, _ groups: Range<Int>)
  {
    switch (width, total) {
    case (1, 1): Tile<1, 1>.run(call, groups)
    case (1, 2): Tile<1, 2>.run(call, groups)
    case (1, 3): Tile<1, 3>.run(call, groups)
    case (1, 4): Tile<1, 4>.run(call, groups)
    case (1, 5): Tile<1, 5>.run(call, groups)
    case (1, 6): Tile<1, 6>.run(call, groups)
    case (1, 7): Tile<1, 7>.run(call, groups)
    case (1, 8): Tile<1, 8>.run(call, groups)
    case (1, 9): Tile<1, 9>.run(call, groups)
    case (1, 10): Tile<1, 10>.run(call, groups)
    case (1, 11): Tile<1, 11>.run(call, groups)
    case (1, 12): Tile<1, 12>.run(call, groups)
    case (4, 1): Tile<4, 1>.run(call, groups)
    case (4, 2): Tile<4, 2>.run(call, groups)
    case (4, 3): Tile<4, 3>.run(call, groups)
    case (8, 1): Tile<8, 1>.run(call, groups)
    #if x86_64_v4 || arch(arm64)
      case (4, 4): Tile<4, 4>.run(call, groups)
      case (4, 5): Tile<4, 5>.run(call, groups)
      case (4, 6): Tile<4, 6>.run(call, groups)
      case (8, 2): Tile<8, 2>.run(call, groups)
      case (8, 3): Tile<8, 3>.run(call, groups)
    #else
      case (2, 1): Tile<2, 1>.run(call, groups)
      case (2, 2): Tile<2, 2>.run(call, groups)
      case (2, 3): Tile<2, 3>.run(call, groups)
      case (2, 4): Tile<2, 4>.run(call, groups)
      case (2, 5): Tile<2, 5>.run(call, groups)
      case (2, 6): Tile<2, 6>.run(call, groups)
    #endif
    default: preconditionFailure("no tile of this shape")
    }
  }
}
