/// The loops that networks spend their time in.
///
/// All that they read and write is checked before they begin; inside they check nothing.
enum Kernels {
  /// Bytes of a vector.
  static let size = Vector.lanes * 4

  @inline(__always) @unsafe
  static func load(_ address: UnsafeRawPointer, _ offset: Int) -> Vector {
    unsafe address.loadUnaligned(fromByteOffset: offset, as: Vector.self)
  }

  @inline(__always) @unsafe
  static func store(_ vector: Vector, _ address: UnsafeMutableRawPointer, _ offset: Int) {
    unsafe address.storeBytes(of: vector, toByteOffset: offset, as: Vector.self)
  }

  /// 2 to the power of the integer in the lowest bits.
  @inline(__always) static func powerOfTwo(_ bits: Vector) -> Vector {
    typealias Integers = Vector.MaskStorage
    let exponent = unsafe (unsafeBitCast(bits, to: Integers.self) &+ 127) &<< 23
    return unsafe unsafeBitCast(exponent, to: Vector.self)
  }

  /// Stores a row of planar channels interleaved: pixel by pixel, `pixelStride` numbers apart.
  static func interleave(
    _ maps: FloatView, from source: Int, _ map: MapLayout, to destination: Int, channels: Int,
    pixelStride: Int
  ) {
    let stride = map.channelStride
    let from = unsafe maps.pointer(at: source, count: (channels - 1) * stride + map.width)
    let to = unsafe maps.pointer(at: destination, count: (map.width - 1) * pixelStride + channels)
    var channel = 0
    while channel &+ 4 <= channels {
      let row = unsafe from + channel &* stride
      for x in 0..<map.width {
        let four = unsafe SIMD4(
          row[x], row[x &+ stride], row[x &+ 2 &* stride], row[x &+ 3 &* stride])
        unsafe UnsafeMutableRawPointer(to + (x &* pixelStride &+ channel)).storeBytes(
          of: four, as: SIMD4<Float>.self)
      }
      channel &+= 4
    }
    while channel < channels {
      let row = unsafe from + channel &* stride
      for x in 0..<map.width { unsafe to[x &* pixelStride &+ channel] = row[x] }
      channel &+= 1
    }
  }
}

/// Computes a band's sums, residual and activation; the owner of the weights must outlive it.
@safe struct BandKernel {
  private let vectorsPerRow, rows, rowBytes, firstVector: Int
  private let input: UnsafeRawPointer
  private let mask: FloatView?
  private let arguments: TileArguments

  /// Checks that all memory the band needs is there.
  init(
    _ weights: PackedWeights, _ epilogue: Epilogue, _ band: Range<Int>, _ source: BandInput,
    _ maps: FloatView
  ) {
    let (count, output, channels) = (band.count, epilogue.output, epilogue.output.channels)
    precondition(count <= epilogue.outputOffsets.count && weights.bias.count >= channels)
    precondition(epilogue.slopes.count >= channels)
    if let own = source.weights { precondition(weights.tapOffsets.count <= own.count) }
    vectorsPerRow = source.rows?.vectorsPerRow ?? count
    (rows, rowBytes) = (count / vectorsPerRow, (source.rows?.rowStride ?? 0) * 4)
    let offsets = weights.offsetRange
    let readEnd = offsets.upperBound + (rows - 1) * rowBytes + vectorsPerRow * Kernels.size
    unsafe input = UnsafeRawPointer(
      source.memory.address(source.start, bytes: offsets.lowerBound..<readEnd))
    func address(_ map: MapLayout, _ last: Int32, _ channels: Int) -> UnsafeMutableRawPointer {
      let end = Int(last) + Kernels.size + (channels - 1) * map.channelStride * 4
      return unsafe maps.address(map.index(ofVector: band.lowerBound), bytes: 0..<end)
    }
    let (outputOffsets, residualOffsets) = unsafe (
      epilogue.outputOffsets.values, epilogue.residualOffsets.values
    )
    let result = unsafe address(output, outputOffsets[count - 1], channels)
    let residual = epilogue.isSeparatePass ? nil : epilogue.residual
    let residualChannels = min(channels, residual?.channels ?? 0)
    let last = unsafe residualOffsets[count - 1]
    let added = unsafe residual.map { unsafe address($0, last, residualChannels) }
    (mask, firstVector) = (output.mask.map { FloatView($0) }, band.lowerBound)
    unsafe arguments = TileArguments(
      input: input, tapOffsets: UnsafePointer(weights.tapOffsets.values.baseAddress!),
      weights: UnsafePointer(source.weights?.base ?? weights.weights.values.baseAddress!),
      groups: UnsafePointer(weights.groups.values.baseAddress!),
      bias: UnsafePointer(weights.bias.values.baseAddress!),
      slopes: UnsafePointer(epilogue.slopes.values.baseAddress!), output: result,
      residual: UnsafeRawPointer(added ?? result),
      outputOffsets: UnsafePointer(outputOffsets.baseAddress!),
      residualOffsets: UnsafePointer(residualOffsets.baseAddress!), mask: nil,
      function: epilogue.isSeparatePass ? .identity : epilogue.activation.function,
      limits: epilogue.activation.limits,
      residualChannels: residualChannels, residualStride: (residual?.channelStride ?? 0) * 4,
      outputStride: output.channelStride * 4)
  }

  /// Computes the channels of `groups`, each of `groupSize` channels, tile by tile.
  func compute(_ groups: Range<Int>, groupSize: Int) {
    guard !groups.isEmpty else { return }
    let (outputOffsets, residualOffsets) = unsafe (
      arguments.outputOffsets, arguments.residualOffsets
    )
    for row in 0..<rows {
      forEachTile(vectorsPerRow, maximum: Kernels.maximumTile(groupSize: groupSize)) {
        column, count in
        let tile = row &* vectorsPerRow &+ column
        var own = arguments
        unsafe own.input = input + (row &* rowBytes &+ column &* Kernels.size)
        unsafe own.outputOffsets = outputOffsets + tile
        unsafe own.residualOffsets = residualOffsets + tile
        if let mask {
          unsafe own.mask = UnsafeRawPointer(
            mask.address(
              (firstVector + tile) * Vector.lanes, bytes: 0..<count * Kernels.size))
        }
        Kernels.runTile(groupSize, count, own, groups)
      }
    }
  }
}

/// The sums of `C` channels over `T` vectors, which stay in registers while all taps are added.
///
/// All loops are unrolled, for they have constant bounds: sums with variable indices are in memory.
enum Tile<let C: Int, let T: Int> {
  typealias Accumulators = InlineArray<C, InlineArray<T, Vector>>

  @inline(never)
  static func run(_ arguments: borrowing TileArguments, _ groups: Range<Int>) {
    var number = groups.lowerBound
    while number < groups.upperBound {
      let group = unsafe arguments.groups[number]
      let channel = Int(group.channel)
      var sums = unsafe weightedSums(arguments, group)
      unsafe addResidual(&sums, arguments, channel)
      unsafe activate(&sums, arguments, channel)
      unsafe store(sums, arguments, channel)
      number &+= 1
    }
  }

  /// The bias of a group\'s channels plus the products of all taps.
  @inline(__always) @unsafe
  private static func weightedSums(
    _ arguments: borrowing TileArguments, _ group: PackedWeights.Group
  ) -> Accumulators {
    let (input, offsets) = unsafe (arguments.input, arguments.tapOffsets + Int(group.firstTap))
    let (weights, count) = unsafe (arguments.weights + Int(group.firstWeight), Int(group.tapCount))
    let bias = unsafe arguments.bias + Int(group.channel)
    var sums = Accumulators { c in .init(repeating: unsafe Vector(bias[c])) }
    var tap = 0
    // With few sums each addition would wait for the one before: odd taps have sums of their own.
    if C == 1 && T <= 6 {
      var odd = InlineArray<T, Vector>(repeating: Vector(0))
      while tap &+ 1 < count {
        let (address, next) = unsafe (input + Int(offsets[tap]), input + Int(offsets[tap &+ 1]))
        let (weight, second) = unsafe (Vector(weights[tap]), Vector(weights[tap &+ 1]))
        var j = 0
        while j < T {
          unsafe sums[0][j].add(Kernels.load(address, j &* Kernels.size), times: weight)
          unsafe odd[j].add(Kernels.load(next, j &* Kernels.size), times: second)
          j &+= 1
        }
        tap &+= 2
      }
      var j = 0
      while j < T {
        sums[0][j] += odd[j]
        j &+= 1
      }
    }
    while tap < count {
      let address = unsafe input + Int(offsets[tap])
      // The smaller of the two operands stays in registers.
      if C > T {
        let x = InlineArray<T, Vector> { j in unsafe Kernels.load(address, j &* Kernels.size) }
        var c = 0
        while c < C {
          let weight = unsafe Vector(weights[tap &* C &+ c])
          var j = 0
          while j < T {
            sums[c][j].add(x[j], times: weight)
            j &+= 1
          }
          c &+= 1
        }
      } else {
        let weight = InlineArray<C, Vector> { c in unsafe Vector(weights[tap &* C &+ c]) }
        var j = 0
        while j < T {
          let x = unsafe Kernels.load(address, j &* Kernels.size)
          var c = 0
          while c < C {
            sums[c][j].add(x, times: weight[c])
            c &+= 1
          }
          j &+= 1
        }
      }
      tap &+= 1
    }
    return sums
  }

  /// Adds the residual of the channels from `channel` on.
  @inline(__always) @unsafe
  private static func addResidual(
    _ sums: inout Accumulators, _ arguments: borrowing TileArguments, _ channel: Int
  ) {
    guard channel < arguments.residualChannels else { return }
    let (offsets, last) = unsafe (arguments.residualOffsets, arguments.residualChannels &- 1)
    let isWhole = channel &+ C <= arguments.residualChannels
    var c = 0
    while isWhole, c < C {
      let residual = unsafe arguments.residual + (channel &+ c) &* arguments.residualStride
      var j = 0
      while j < T {
        unsafe sums[c][j] += Kernels.load(residual, Int(offsets[j]))
        j &+= 1
      }
      c &+= 1
    }
    // Larger groups have a residual in all of their channels, or in none.
    while C <= 4, c < C {
      let factor = Vector(channel &+ c <= last ? 1 : 0)
      let residual =
        unsafe arguments.residual + min(channel &+ c, last) &* arguments.residualStride
      var j = 0
      while j < T {
        unsafe sums[c][j].add(Kernels.load(residual, Int(offsets[j])), times: factor)
        j &+= 1
      }
      c &+= 1
    }
  }

  /// Applies ReLU, PReLU or limits, and the mask, to the sums of the channels from `channel` on.
  @inline(__always) @unsafe
  private static func activate(
    _ sums: inout Accumulators, _ arguments: borrowing TileArguments, _ channel: Int
  ) {
    var c = 0
    if arguments.function == .prelu {
      while c < C {
        let slope = unsafe Vector(arguments.slopes[channel &+ c])
        var j = 0
        while j < T {
          sums[c][j] = sums[c][j].prelu(slope)
          j &+= 1
        }
        c &+= 1
      }
    } else if arguments.function != .identity {
      let (minimum, maximum) = (Vector(arguments.limits.minimum), Vector(arguments.limits.maximum))
      while c < C {
        var j = 0
        while j < T {
          sums[c][j] = sums[c][j].atLeast(minimum).atMost(maximum)
          j &+= 1
        }
        c &+= 1
      }
    }
    c = 0
    if let mask = unsafe arguments.mask {
      let masks = InlineArray<T, Vector> { j in unsafe Kernels.load(mask, j &* Kernels.size) }
      while c < C {
        var j = 0
        while j < T {
          sums[c][j] = sums[c][j].masked(masks[j])
          j &+= 1
        }
        c &+= 1
      }
    }
  }

  /// Stores the sums of the channels from `channel` on.
  @inline(__always) @unsafe
  private static func store(
    _ sums: borrowing Accumulators, _ arguments: borrowing TileArguments, _ channel: Int
  ) {
    let offsets = unsafe arguments.outputOffsets
    var c = 0
    while c < C {
      let output = unsafe arguments.output + (channel &+ c) &* arguments.outputStride
      var j = 0
      while j < T {
        unsafe Kernels.store(sums[c][j], output, Int(offsets[j]))
        j &+= 1
      }
      c &+= 1
    }
  }
}
