/// What a step computes of its input before the weighted sums: for each of their taps a run of
/// numbers, one for each position of the band.
protocol Prologue {
  var input: MapLayout { get }
  /// The map whose bands are computed.
  var output: MapLayout { get }

  /// The runs that are computed for each band, which the first cache should hold.
  var runs: Int { get }

  /// The approximate cycles for each vector of the map, when bands have so many rows.
  func cyclesPerVector(rows: Int) -> Double

  /// The scratch memory that bands of so many vectors take.
  func scratchLayout(vectors: Int) -> ScratchLayout

  /// Computes a band, into scratch or into the map that `layout` names; returns the index of its
  /// first number in scratch.
  func computeBand(_ band: Range<Int>, _ layout: ScratchLayout, _ memory: Memory) -> Int
}

extension Prologue {
  var runs: Int { input.channels }

  func cyclesPerVector(rows: Int) -> Double { 3 * Double(runs) }

  func scratchLayout(vectors: Int) -> ScratchLayout {
    ScratchLayout(output, vectors: vectors, runs: runs)
  }
}

/// How a prologue's results lie in scratch, or in which map.
struct ScratchLayout {
  /// Numbers from a run to the next.
  let runStride: Int
  /// The index of the first run's first number.
  let first: Int
  let floatCount: Int
  /// The map that the results go to instead, where no sums follow.
  var output: MapLayout?

  /// A layout for runs of bands of a map, `extra` numbers, and what vectors cover beyond the rows.
  init(_ map: MapLayout, vectors: Int, runs: Int, extra: Int = 0) {
    first = map.isFlat ? (map.rowStride + 2 * Vector.lanes + 15) / 16 * 16 : 0
    runStride = (vectors * Vector.lanes + 2 * first + 15) / 16 * 16 | 16
    floatCount = runs * runStride + extra + 2 * Vector.lanes
  }

  init(runStride: Int, floatCount: Int) {
    (self.runStride, first, self.floatCount) = (runStride, 0, floatCount)
  }

  func destination(_ memory: Memory) -> FloatView { output == nil ? memory.scratch : memory.maps }

  /// Where a band's results go; in scratch they start at `start`, and rows lie `rowStride` apart.
  func operand(_ band: Range<Int>, start: Int, rowStride: Int) -> Traversal.Operand {
    output?.operand(band)
      ?? Traversal.Operand(start: start, channelStride: runStride, rowStride: rowStride)
  }
}

/// A map with each channel multiplied by a factor, and a residual added.
struct ScaleAndResidual: Prologue {
  let input: MapLayout
  /// A vector with a factor for each channel.
  var scale: MapLayout?
  var residual: MapLayout?

  /// Each position of the output is that of the input.
  var output: MapLayout { input }

  func computeBand(_ band: Range<Int>, _ layout: ScratchLayout, _ memory: Memory) -> Int {
    var traversal = Traversal(input, band, layout)
    let offset = residual.map { ($0.origin - input.origin) * 4 }
    traversal.readRange = min(0, offset ?? 0)..<max(0, offset ?? 0) + 1
    Kernels.forEachChannel(traversal, from: memory.maps, to: layout.destination(memory)) {
      channel, rows in
      let factor = Vector(scale.map { memory.maps[$0.origin + channel] } ?? 1)
      if let offset {
        rows.forEachVector { position in
          var sum = position[offset]
          sum.add(position[0], times: factor)
          position.store(sum)
        }
      } else {
        rows.forEachVector { $0.store($0[0] * factor) }
      }
    }
    return layout.first
  }
}

/// The largest number of each window; all windows lie inside the map.
struct MaxPooling: Prologue {
  let input, output: MapLayout
  let window: SlidingWindow

  func computeBand(_ band: Range<Int>, _ layout: ScratchLayout, _ memory: Memory) -> Int {
    let traversal = Traversal(input, window, output, band, layout)
    let (row, width) = (input.rowStride * 4, window.width)
    let hasStride2 = window.strideWidth == 2
    Kernels.forEachChannel(traversal, from: memory.maps, to: layout.destination(memory)) {
      _, rows in
      guard !hasStride2 || window.height != 2 || width != 2 else {
        rows.forEachVector { position in
          let below = position.evenLanes(row).atLeast(position.evenLanes(row &+ 4))
          position.store(position.evenLanes(0).atLeast(position.evenLanes(4)).atLeast(below))
        }
        return
      }
      rows.forEachVector { position in
        var maximum = Vector(-.infinity)
        for tap in 0..<window.height * width {
          let offset = tap / width &* row &+ tap % width &* 4
          maximum = maximum.atLeast(hasStride2 ? position.evenLanes(offset) : position[offset])
        }
        position.store(maximum)
      }
    }
    return layout.first
  }
}
