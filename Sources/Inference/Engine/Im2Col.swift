/// The input of a convolution, laid out so that each tap reads a run of consecutive numbers.
///
/// There is a copy of the input for each column of the window, shifted by that column; windows that
/// move by 2 rows have one for even and one for odd rows. Taps of different window rows read the
/// same copy at different offsets.
struct Im2Col: Prologue {
  let input, output: MapLayout
  let window: SlidingWindow

  var runs: Int { input.channels * window.width * window.height }
  /// Copies for each window column.
  private var phases: Int { min(window.strideHeight, window.height) }

  func scratchLayout(vectors: Int) -> ScratchLayout {
    let rows = output.maximumRows(vectors: vectors) + (window.height - 1) / window.strideHeight
    let stride = (rows * output.bandRowStride + Vector.lanes + 15) / 16 * 16 | 16
    let copies = input.channels * window.width * phases
    return ScratchLayout(
      runStride: stride, floatCount: copies * stride + (vectors + 2) * Vector.lanes)
  }

  /// Counts rows that two bands read twice.
  func cyclesPerVector(rows: Int) -> Double {
    let shared = output.isFlat && rows < output.height ? window.strideHeight : 0
    let read = rows * window.strideHeight + window.height - window.strideHeight + shared
    return 4 * Double(input.channels * window.width * read) / Double(rows)
  }

  /// The offsets of a window's numbers in scratch, in bytes and in the order of the weights.
  func tapOffsets(_ layout: ScratchLayout) -> [Int] {
    let (stride, phases) = (window.strideHeight, phases)
    return (0..<window.height).flatMap { y in
      (0..<window.width).flatMap { x in
        (0..<input.channels).map { channel in
          let run = (channel * window.width + x) * phases + y % stride
          return (run * layout.runStride + y / stride * output.bandRowStride) * 4
        }
      }
    }
  }

  func computeBand(_ band: Range<Int>, _ layout: ScratchLayout, _ memory: Memory) -> Int {
    let whole = Traversal(input, window, output, band, layout)
    for x in 0..<window.width {
      for y in 0..<phases {
        var traversal = whole
        traversal.rows += (window.height - 1 - y) / window.strideHeight
        traversal.source.start += y * input.rowStride + x
        traversal.destination.start = (x * phases + y) * layout.runStride
        traversal.destination.channelStride = window.width * phases * layout.runStride
        traversal.readRange = 0..<traversal.vectorStride - Kernels.size + 1
        copyRows(traversal, memory)
      }
    }
    return band.lowerBound * Vector.lanes - output.rows(touchedBy: band).lowerBound
      * output.bandRowStride
  }

  private func copyRows(_ traversal: Traversal, _ memory: Memory) {
    let hasStride2 = window.strideWidth == 2
    Kernels.forEachChannel(traversal, from: memory.maps, to: memory.scratch) { _, rows in
      if hasStride2 {
        rows.forEachVector { $0.store($0.evenLanes(0)) }
      } else {
        rows.forEachVector { $0.store($0[0]) }
      }
    }
  }
}
