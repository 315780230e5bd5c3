/// The loops that networks spend their time in: weighted sums of vectors.
enum Kernels {
  /// Bytes of a vector.
  static let size = Vector.lanes * 4

  /// 2 to the power of the whole number in the lowest bits.
  @inline(__always) static func powerOfTwo(_ bits: Vector) -> Vector {
    typealias Integers = Vector.MaskStorage
    let exponent = unsafe (unsafeBitCast(bits, to: Integers.self) &+ 127) &<< 23
    return unsafe unsafeBitCast(exponent, to: Vector.self)
  }

  /// A vector whose bits are all set in the first `count` numbers.
  static func mask(_ count: Int) -> Vector {
    var bits = Vector.MaskStorage(repeating: 0)
    for lane in 0..<count { bits[lane] = -1 }
    return unsafe unsafeBitCast(bits, to: Vector.self)
  }

  @inline(__always) static func masked(_ vector: Vector, _ mask: Vector) -> Vector {
    typealias Integers = Vector.MaskStorage
    let bits =
      unsafe unsafeBitCast(vector, to: Integers.self) & unsafeBitCast(mask, to: Integers.self)
    return unsafe unsafeBitCast(bits, to: Vector.self)
  }

  /// Lays the numbers of even places and those of odd places apart: `halves` times half a vector.
  static func split(
    _ from: Numbers, _ index: Int, _ to: Numbers, _ place: Int, apart: Int, halves: Int
  ) {
    let half = Vector.lanes / 2 * 4
    let source = unsafe from.place(index, reach: 0..<halves * size)
    let target = unsafe to.place(place, reach: 0..<apart * 4 + halves * half)
    for step in 0..<halves {
      let x = unsafe load(source, step &* size)
      unsafe target.storeBytes(of: x.evenHalf, toByteOffset: step &* half, as: HalfVector.self)
      unsafe target.storeBytes(
        of: x.oddHalf, toByteOffset: apart &* 4 &+ step &* half, as: HalfVector.self)
    }
  }

  // MARK: Sums

  /// Everything that a tile's loops read, held against the memory it lies in.
  @safe struct Call {
    fileprivate var input: UnsafeRawPointer
    fileprivate let segment: Int
    fileprivate let taps: UnsafePointer<Int32>
    fileprivate let factors: UnsafePointer<Float>
    fileprivate let groups: UnsafePointer<Sums.Group>
    fileprivate let bias: UnsafePointer<Float>
    fileprivate let slopes: UnsafePointer<Float>
    fileprivate let output: UnsafeMutableRawPointer
    fileprivate let added: UnsafeRawPointer
    fileprivate var places: UnsafePointer<Int32>
    fileprivate var addedPlaces: UnsafePointer<Int32>
    fileprivate let floor: Float
    fileprivate let isSloped, isRagged: Bool
    fileprivate let addedChannels, addedPitch, outputPitch: Int
    fileprivate let mask: Vector
  }

  /// Sums of `C` channels at a time over `T` vectors, `N` of them side by side.
  enum Tile<let C: Int, let T: Int, let N: Int> {
    @inline(never)
    static func run(_ call: borrowing Call, _ groups: Range<Int>) {
      for number in groups {
        let group = unsafe call.groups[number]
        let channel = Int(group.channel)
        let sums = unsafe sum(call, group, bias: call.bias + channel)
        // A loop would have to keep the sums in memory to choose among them.
        unsafe finish(sums[0], call, channel)
        if C > 1 { unsafe finish(sums[1], call, channel &+ 1) }
        if C > 2 { unsafe finish(sums[2], call, channel &+ 2) }
        if C > 3 { unsafe finish(sums[3], call, channel &+ 3) }
      }
    }

    /// Adds, bends and stores the sums of a channel.
    @inline(__always) @unsafe
    private static func finish(
      _ sums: InlineArray<T, Vector>, _ call: borrowing Call, _ channel: Int
    ) {
      var sums = sums
      var j = 0
      if channel < call.addedChannels {
        let added = unsafe call.added + channel &* call.addedPitch
        while j < T {
          sums[j] += unsafe load(added, Int(call.addedPlaces[j]) & ~1)
          j &+= 1
        }
      }
      j = 0
      if call.isSloped {
        let slope = unsafe Vector(call.slopes[channel])
        while j < T {
          sums[j] = sums[j].replacing(with: sums[j] * slope, where: sums[j] .< Vector(0))
          j &+= 1
        }
      } else {
        let floor = Vector(call.floor)
        while j < T {
          sums[j] = sums[j].atLeast(floor)
          j &+= 1
        }
      }
      j = 0
      let output = unsafe call.output + channel &* call.outputPitch
      while j < T {
        unsafe output.storeBytes(
          of: sums[j], toByteOffset: Int(call.places[j]) & ~1, as: Vector.self)
        j &+= 1
      }
      guard call.isRagged else { return }
      for j in 0..<T where unsafe call.places[j] & 1 != 0 {
        let place = unsafe output + (Int(call.places[j]) & ~1)
        unsafe place.storeBytes(of: masked(load(place, 0), call.mask), as: Vector.self)
      }
    }

    @inline(__always) @unsafe
    private static func sum(
      _ call: borrowing Call, _ group: Sums.Group, bias: UnsafePointer<Float>
    ) -> InlineArray<C, InlineArray<T, Vector>> {
      let (taps, factors) = unsafe (
        call.taps + Int(group.firstTap), call.factors + Int(group.firstFactor)
      )
      let (input, segment, count) = unsafe (call.input, call.segment, Int(group.count))
      var sums = InlineArray<C, InlineArray<T, Vector>> { c in
        .init(repeating: unsafe Vector(bias[c]))
      }
      var tap = 0
      while tap < count {
        let place = unsafe input + Int(taps[tap])
        let factor = InlineArray<C, Vector> { c in unsafe Vector(factors[tap &* C &+ c]) }
        var j = 0
        while j < T {
          let x = unsafe load(place, j / N &* segment &+ j % N &* size)
          var c = 0
          while c < C {
            sums[c][j].add(x, times: factor[c])
            c &+= 1
          }
          j &+= 1
        }
        tap &+= 1
      }
      return sums
    }
  }

  @inline(__always) @unsafe
  private static func load(_ place: UnsafeRawPointer, _ offset: Int) -> Vector {
    unsafe place.loadUnaligned(fromByteOffset: offset, as: Vector.self)
  }

  /// Computes a band of rows: the sums of `groups` over every tile.
  ///
  /// What the tiles reach from where the band begins is held against the memory here.
  static func run(
    _ sums: Sums, groups: Groups, _ tiles: Tiling, _ finish: Finish,
    input: (numbers: Numbers, index: Int), output: (numbers: Numbers, index: Int),
    added: (numbers: Numbers, index: Int), vector: Numbers? = nil
  ) {
    guard !tiles.list.isEmpty else { return }
    precondition(tiles.places <= finish.places.count)
    precondition(groups.isWithin(sums.groups.count) && sums.bias.count >= finish.channels)
    let first = unsafe input.numbers.place(
      input.index, reach: sums.reach.lowerBound..<sums.reach.upperBound + tiles.reach)
    let out = unsafe output.numbers.place(output.index, reach: 0..<finish.reach(tiles.places))
    let more = unsafe added.numbers.place(added.index, reach: 0..<finish.addedReach(tiles.places))
    // Of a matrix each tile has its group, and all have the vector's numbers as weights.
    if let vector {
      precondition(tiles.list.count <= sums.groups.count)
      precondition(sums.groups.allSatisfy { Int($0.count) <= vector.count })
    }
    unsafe sums.taps.withUnsafeBufferPointer { taps in
      unsafe sums.factors.withUnsafeBufferPointer { weights in
        let factors = unsafe vector.map { unsafe UnsafePointer($0.base) } ?? weights.baseAddress!
        unsafe sums.groups.withUnsafeBufferPointer { list in
          unsafe finish.places.withUnsafeBufferPointer { places in
            unsafe finish.addedPlaces.withUnsafeBufferPointer { addedPlaces in
              var call = unsafe Call(
                input: UnsafeRawPointer(first), segment: tiles.segment, taps: taps.baseAddress!,
                factors: factors, groups: list.baseAddress!,
                bias: sums.bias.values.baseAddress!, slopes: finish.slopes.values.baseAddress!,
                output: out, added: UnsafeRawPointer(more), places: places.baseAddress!,
                addedPlaces: addedPlaces.baseAddress ?? places.baseAddress!, floor: finish.floor,
                isSloped: finish.isSloped, isRagged: finish.lastLanes < Vector.lanes,
                addedChannels: finish.addedChannels, addedPitch: finish.addedPitch,
                outputPitch: finish.outputPitch, mask: finish.mask)
              for (number, tile) in tiles.list.enumerated() {
                unsafe call.input = UnsafeRawPointer(first) + Int(tile.input)
                unsafe call.places = places.baseAddress! + Int(tile.place)
                if finish.addedChannels > 0 {
                  unsafe call.addedPlaces = addedPlaces.baseAddress! + Int(tile.place)
                }
                if vector != nil { run(tile.shape, 1, call, number..<number + 1) }
                if !groups.wide.isEmpty { run(tile.shape, sums.width, call, groups.wide) }
                if !groups.single.isEmpty { run(tile.shape, 1, call, groups.single) }
              }
            }
          }
        }
      }
    }
  }

  // MARK: Depthwise

  /// Sums over windows of 3 x 3 that move by 1, of one channel, in the order of a tile.
  static func depthwise(
    _ sums: Sums, _ channel: Int, vectors: Int, rows: Int,
    input: (numbers: Numbers, index: Int, row: Int),
    output: (numbers: Numbers, index: Int, row: Int)
  ) {
    precondition(channel >= 0 && channel < sums.bias.count)
    precondition(sums.factors.count >= 9 * channel + 9)
    let (width, last) = (vectors * Vector.lanes, rows - 1)
    let from = unsafe input.numbers.place(
      input.index, reach: 0..<((last + 2) * input.row + width + 2) * 4)
    let to = unsafe output.numbers.place(
      output.index, reach: 0..<(last * output.row + width) * 4)
    let bias = unsafe Vector(sums.bias.values[channel])
    unsafe sums.factors.withUnsafeBufferPointer { factors in
      let k = InlineArray<9, Vector> { tap in unsafe Vector(factors[9 &* channel &+ tap]) }
      for v in 0..<vectors {
        unsafe columns(
          from + v &* size, input.row &* 4, to + v &* size, output.row &* 4, k, bias, rows)
      }
    }
  }

  @inline(__always) @unsafe
  private static func columns(
    _ input: UnsafeRawPointer, _ line: Int, _ output: UnsafeMutableRawPointer, _ next: Int,
    _ k: borrowing InlineArray<9, Vector>, _ bias: Vector, _ rows: Int
  ) {
    var row = 0
    var (from, to) = unsafe (input, output)
    while row &+ 4 <= rows {
      var (a, b, c, d) = (bias, bias, bias, bias)
      unsafe see(from, k, 0, &a)
      unsafe from += line
      unsafe see(from, k, 3, &a)
      unsafe see(from, k, 0, &b)
      unsafe from += line
      unsafe see(from, k, 6, &a)
      unsafe see(from, k, 3, &b)
      unsafe see(from, k, 0, &c)
      unsafe from += line
      unsafe see(from, k, 6, &b)
      unsafe see(from, k, 3, &c)
      unsafe see(from, k, 0, &d)
      unsafe see(from + line, k, 6, &c)
      unsafe see(from + line, k, 3, &d)
      unsafe see(from + 2 &* line, k, 6, &d)
      unsafe from += line
      unsafe to.storeBytes(of: a, as: Vector.self)
      unsafe (to + next).storeBytes(of: b, as: Vector.self)
      unsafe (to + 2 &* next).storeBytes(of: c, as: Vector.self)
      unsafe (to + 3 &* next).storeBytes(of: d, as: Vector.self)
      unsafe to += 4 &* next
      row &+= 4
    }
    if row &+ 2 <= rows {
      var (a, b) = (bias, bias)
      unsafe see(from, k, 0, &a)
      unsafe from += line
      unsafe see(from, k, 3, &a)
      unsafe see(from, k, 0, &b)
      unsafe from += line
      unsafe see(from, k, 6, &a)
      unsafe see(from, k, 3, &b)
      unsafe see(from + line, k, 6, &b)
      unsafe to.storeBytes(of: a, as: Vector.self)
      unsafe (to + next).storeBytes(of: b, as: Vector.self)
      unsafe to += 2 &* next
      row &+= 2
    }
    if row < rows {
      var a = bias
      unsafe see(from, k, 0, &a)
      unsafe see(from + line, k, 3, &a)
      unsafe see(from + 2 &* line, k, 6, &a)
      unsafe to.storeBytes(of: a, as: Vector.self)
    }
  }

  /// Adds three neighbours of a row times three factors.
  @inline(__always) @unsafe
  private static func see(
    _ place: UnsafeRawPointer, _ k: borrowing InlineArray<9, Vector>, _ first: Int,
    _ sum: inout Vector
  ) {
    unsafe sum.add(load(place, 0), times: k[first])
    unsafe sum.add(load(place, 4), times: k[first &+ 1])
    unsafe sum.add(load(place, 8), times: k[first &+ 2])
  }
}
