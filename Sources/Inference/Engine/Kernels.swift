/// The loops that networks spend their time in.
///
/// What they reach is held against the memory before they begin; inside they check nothing.
enum Kernels {
  /// Bytes of a vector.
  static let size = Vector.lanes * 4

  @inline(__always) @unsafe
  static func load(_ place: UnsafeRawPointer, _ offset: Int) -> Vector {
    unsafe place.loadUnaligned(fromByteOffset: offset, as: Vector.self)
  }

  @inline(__always) @unsafe
  static func store(_ vector: Vector, _ place: UnsafeMutableRawPointer, _ offset: Int) {
    unsafe place.storeBytes(of: vector, toByteOffset: offset, as: Vector.self)
  }

  // MARK: Sums

  /// Sums of `C` channels at a time over `T` vectors.
  enum Tile<let C: Int, let T: Int> {
    @inline(never)
    static func run(_ call: borrowing TileArguments, _ groups: Range<Int>) {
      var number = groups.lowerBound
      while number < groups.upperBound {
        let group = unsafe call.groups[number]
        let channel = Int(group.channel)
        var sums = unsafe sum(call, group)
        unsafe add(&sums, call, channel)
        unsafe activate(&sums, call, channel)
        unsafe put(sums, call, channel)
        number &+= 1
      }
    }

    @inline(__always) @unsafe
    private static func sum(
      _ call: borrowing TileArguments, _ group: PackedWeights.Group
    ) -> InlineArray<C, InlineArray<T, Vector>> {
      let (taps, factors) = unsafe (
        call.taps + Int(group.firstTap), call.factors + Int(group.firstFactor)
      )
      let (input, count) = unsafe (call.input, Int(group.count))
      let bias = unsafe call.bias + Int(group.channel)
      var sums = InlineArray<C, InlineArray<T, Vector>> { c in
        .init(repeating: unsafe Vector(bias[c]))
      }
      var tap = 0
      // Few sums would wait for each other: every other tap has sums of its own.
      if C == 1 && T <= 6 {
        var others = InlineArray<T, Vector>(repeating: Vector(0))
        while tap &+ 1 < count {
          let (place, next) = unsafe (input + Int(taps[tap]), input + Int(taps[tap &+ 1]))
          let (factor, second) = unsafe (Vector(factors[tap]), Vector(factors[tap &+ 1]))
          var j = 0
          while j < T {
            unsafe sums[0][j].add(load(place, j &* size), times: factor)
            unsafe others[j].add(load(next, j &* size), times: second)
            j &+= 1
          }
          tap &+= 2
        }
        var j = 0
        while j < T {
          sums[0][j] += others[j]
          j &+= 1
        }
      }
      while tap < count {
        let place = unsafe input + Int(taps[tap])
        // What there is less of stays in registers.
        if C > T {
          let x = InlineArray<T, Vector> { j in unsafe load(place, j &* size) }
          var c = 0
          while c < C {
            let factor = unsafe Vector(factors[tap &* C &+ c])
            var j = 0
            while j < T {
              sums[c][j].add(x[j], times: factor)
              j &+= 1
            }
            c &+= 1
          }
        } else {
          let factor = InlineArray<C, Vector> { c in unsafe Vector(factors[tap &* C &+ c]) }
          var j = 0
          while j < T {
            let x = unsafe load(place, j &* size)
            var c = 0
            while c < C {
              sums[c][j].add(x, times: factor[c])
              c &+= 1
            }
            j &+= 1
          }
        }
        tap &+= 1
      }
      return sums
    }

    // What follows are loops without branches, which compilers unroll: sums that are chosen by a
    // number would have to be in memory.

    /// Adds what is added to channels from `channel` on.
    @inline(__always) @unsafe
    private static func add(
      _ sums: inout InlineArray<C, InlineArray<T, Vector>>, _ call: borrowing TileArguments,
      _ channel: Int
    ) {
      guard channel < call.addedChannels else { return }
      let (places, last) = unsafe (call.addedPlaces, call.addedChannels &- 1)
      let isWhole = channel &+ C <= call.addedChannels
      var c = 0
      while isWhole, c < C {
        let added = unsafe call.added + (channel &+ c) &* call.addedPlane
        var j = 0
        while j < T {
          unsafe sums[c][j] += load(added, Int(places[j]))
          j &+= 1
        }
        c &+= 1
      }
      // Wider tiles have all of their channels added to, or none.
      while C <= 4, c < C {
        let share = Vector(channel &+ c <= last ? 1 : 0)
        let added = unsafe call.added + min(channel &+ c, last) &* call.addedPlane
        var j = 0
        while j < T {
          unsafe sums[c][j].add(load(added, Int(places[j])), times: share)
          j &+= 1
        }
        c &+= 1
      }
    }

    /// Bends the sums of channels from `channel` on.
    @inline(__always) @unsafe
    private static func activate(
      _ sums: inout InlineArray<C, InlineArray<T, Vector>>, _ call: borrowing TileArguments,
      _ channel: Int
    ) {
      var c = 0
      if call.code == .prelu {
        while c < C {
          let slope = unsafe Vector(call.slopes[channel &+ c])
          var j = 0
          while j < T {
            sums[c][j] = PReLU().activate(sums[c][j], slope)
            j &+= 1
          }
          c &+= 1
        }
      } else if call.code == .relu {
        while c < C {
          var j = 0
          while j < T {
            sums[c][j] = sums[c][j].atLeast(Vector(0))
            j &+= 1
          }
          c &+= 1
        }
      }
      c = 0
      if let mask = unsafe call.mask {
        let whole = InlineArray<T, Vector> { j in unsafe load(mask, j &* size) }
        while c < C {
          var j = 0
          while j < T {
            sums[c][j] = sums[c][j].masked(whole[j])
            j &+= 1
          }
          c &+= 1
        }
      }
    }

    /// Stores the sums of channels from `channel` on.
    @inline(__always) @unsafe
    private static func put(
      _ sums: borrowing InlineArray<C, InlineArray<T, Vector>>, _ call: borrowing TileArguments,
      _ channel: Int
    ) {
      let places = unsafe call.places
      var c = 0
      while c < C {
        let output = unsafe call.output + (channel &+ c) &* call.outputPlane
        var j = 0
        while j < T {
          unsafe store(sums[c][j], output, Int(places[j]))
          j &+= 1
        }
        c &+= 1
      }
    }
  }

  /// Computes a band: every channel's sums over it.
  static func run(
    _ sums: PackedWeights, _ finish: Epilogue, _ band: Range<Int>,
    input: (numbers: FloatView, index: Int),
    maps: FloatView, rows: MapLayout? = nil, vector: FloatView? = nil
  ) {
    let (count, output) = (band.count, finish.output)
    precondition(count <= finish.places.count && sums.bias.count >= finish.channels)
    precondition(finish.slopes.count >= finish.channels)
    // Rows of a map that is read as it lies are each for themselves.
    let across = rows?.across ?? count
    let (lines, line) = (count / across, (rows?.pitch ?? 0) * 4)
    let first = unsafe input.numbers.place(
      input.index,
      reach: sums.reach.lowerBound..<sums.reach.upperBound + (lines - 1) * line + across * size)
    let place = output.place(band.lowerBound)
    let reach = Int(finish.places[count - 1]) + size
    let out = unsafe maps.place(place, reach: 0..<reach + (finish.channels - 1) * output.plane * 4)
    let added = finish.isOwnPass ? nil : finish.added
    let channels = min(finish.channels, added?.channels ?? 0)
    let addedReach = Int(finish.addedPlaces[count - 1]) + size
    let more = unsafe added.map {
      unsafe maps.place(
        $0.place(band.lowerBound), reach: 0..<addedReach + (channels - 1) * $0.plane * 4)
    }
    if let vector { precondition(sums.taps.count <= vector.count) }
    unsafe sums.taps.withUnsafeBufferPointer { taps in
      unsafe sums.factors.withUnsafeBufferPointer { weights in
        let factors = unsafe vector.map { unsafe UnsafePointer($0.base) } ?? weights.baseAddress!
        unsafe sums.groups.withUnsafeBufferPointer { groups in
          unsafe finish.places.withUnsafeBufferPointer { places in
            unsafe finish.addedPlaces.withUnsafeBufferPointer { addedPlaces in
              var call = unsafe TileArguments(
                input: UnsafeRawPointer(first), taps: taps.baseAddress!, factors: factors,
                groups: groups.baseAddress!, bias: sums.bias.values.baseAddress!,
                slopes: finish.slopes.values.baseAddress!, output: out,
                added: UnsafeRawPointer(more ?? out), places: places.baseAddress!,
                addedPlaces: addedPlaces.baseAddress!, mask: nil,
                code: finish.isOwnPass ? .identity : finish.activation.code,
                addedChannels: channels,
                addedPlane: (added?.plane ?? 0) * 4, outputPlane: output.plane * 4)
              func cover(_ groups: Range<Int>, _ width: Int) {
                guard !groups.isEmpty else { return }
                for number in 0..<lines {
                  Tiling(across, most: most(width)) { column, total in
                    let tile = number &* across &+ column
                    unsafe call.input = UnsafeRawPointer(first) + (number &* line &+ column &* size)
                    unsafe call.places = places.baseAddress! + tile
                    unsafe call.addedPlaces = addedPlaces.baseAddress! + tile
                    if let mask = output.mask {
                      unsafe call.mask = UnsafeRawPointer(
                        FloatView(mask).place(
                          (band.lowerBound + tile) * Vector.lanes, reach: 0..<total * size))
                    }
                    run(width, total, call, groups)
                  }
                }
              }
              cover(0..<sums.wideCount, sums.width)
              cover(sums.wideCount..<sums.groups.count, 1)
            }
          }
        }
      }
    }
  }

  // MARK: To pixels

  /// A row of planes to pixels that lie `step` numbers apart.
  static func join(
    _ maps: FloatView, _ from: Int, _ map: MapLayout, _ to: Int, channels: Int, step: Int
  ) {
    let source = unsafe maps.floats(from, (channels - 1) * map.plane + map.width)
    let target = unsafe maps.floats(to, (map.width - 1) * step + channels)
    var channel = 0
    while channel &+ 4 <= channels {
      let plane = unsafe source + channel &* map.plane
      for x in 0..<map.width {
        let four = unsafe SIMD4(
          plane[x], plane[x &+ map.plane], plane[x &+ 2 &* map.plane], plane[x &+ 3 &* map.plane])
        unsafe UnsafeMutableRawPointer(target + (x &* step &+ channel)).storeBytes(
          of: four, as: SIMD4<Float>.self)
      }
      channel &+= 4
    }
    while channel < channels {
      let plane = unsafe source + channel &* map.plane
      for x in 0..<map.width { unsafe target[x &* step &+ channel] = plane[x] }
      channel &+= 1
    }
  }

  /// 2 to the power of the whole number in the lowest bits.
  @inline(__always) static func powerOfTwo(_ bits: Vector) -> Vector {
    typealias Integers = Vector.MaskStorage
    let exponent = unsafe (unsafeBitCast(bits, to: Integers.self) &+ 127) &<< 23
    return unsafe unsafeBitCast(exponent, to: Vector.self)
  }
}
