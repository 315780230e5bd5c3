extension Kernels {
  /// The rows of windows that are summed together, so that each vector that is read serves several.
  #if x86_64_v4
    static let depthwiseRows = 4
  #else
    static let depthwiseRows = 1
  #endif
}

/// What the loops of a depthwise convolution read and write.
struct DepthwiseKernel {
  /// The weights, all of a channel's together.
  let weights: FloatView
  let bias: FloatView
  /// The smallest and the largest result: 0 and infinity for ReLU.
  let minimum, maximum: Float
  let rows: Kernels.ChannelRows
  /// Bytes from a row of a window to the next.
  let windowRowStride: Int

  /// Convolves with windows of any shape.
  func convolve(width: Int, cells: Int, _ hasStride2: Bool) {
    for channel in 0..<rows.channels {
      rows.channel(channel).forEachVector { position in
        var sum = Vector(bias[channel])
        for cell in 0..<cells {
          let offset = cell / width &* windowRowStride &+ cell % width &* 4
          let numbers = hasStride2 ? position.evenLanes(offset) : position[offset]
          sum.add(numbers, times: Vector(weights[channel &* cells &+ cell]))
        }
        position.storeWithResidual(sum.atLeast(Vector(minimum)).atMost(Vector(maximum)))
      }
    }
  }
}

/// Windows of `K` x `K` = `N` cells and stride `S`; a residual is added where `A` is 1.
enum SquareWindow<let K: Int, let N: Int, let S: Int, let A: Int> {
  @inline(never)
  static func convolve(_ kernel: DepthwiseKernel) {
    let (weights, rows, stride) = (kernel.weights, kernel.rows, kernel.windowRowStride)
    let limits = (Vector(kernel.minimum), Vector(kernel.maximum))
    for channel in 0..<rows.channels {
      let k = InlineArray<N, Vector> { cell in Vector(weights[channel &* N &+ cell]) }
      let (bias, own) = (Vector(kernel.bias[channel]), rows.channel(channel))
      var row = 0
      if Kernels.depthwiseRows > 1, own.sourceRowStride == S &* stride {
        if S == 1 {
          convolveRows(InlineArray<4, Vector>(repeating: bias), k, limits, own, stride, &row)
        } else {
          convolveRows(InlineArray<2, Vector>(repeating: bias), k, limits, own, stride, &row)
        }
      }
      convolveRows(InlineArray<1, Vector>(repeating: bias), k, limits, own, stride, &row)
    }
  }

  /// Windows of one row of vectors that runs on through a map's rows; `maskStride` numbers lie
  /// between the masks of window columns.
  @inline(never)
  static func convolveMasked(_ kernel: DepthwiseKernel, _ masks: FloatView, maskStride: Int) {
    let (weights, rows, stride) = (kernel.weights, kernel.rows, kernel.windowRowStride)
    let (minimum, maximum) = (Vector(kernel.minimum), Vector(kernel.maximum))
    for channel in 0..<rows.channels {
      let k = InlineArray<N, Vector> { cell in Vector(weights[channel &* N &+ cell]) }
      let (bias, own) = (Vector(kernel.bias[channel]), rows.channel(channel))
      var vector = 0
      while vector < own.vectorsPerRow {
        let position = own[0, vector]
        var (sum, x) = (bias, 0)
        while x < K {
          var (column, y) = (Vector(0), 0)
          while y < K {
            column.add(position[y &* stride &+ x &* 4], times: k[y &* K &+ x])
            y &+= 1
          }
          sum += column.masked(masks.vector(at: x &* maskStride &+ vector &* Vector.lanes))
          x &+= 1
        }
        position.store(sum.atLeast(minimum).atMost(maximum))
        vector &+= 1
      }
    }
  }

  /// Sums `R` rows of windows at a time while there are as many, from `row` on.
  @inline(__always)
  private static func convolveRows<let R: Int>(
    _ bias: InlineArray<R, Vector>, _ k: borrowing InlineArray<N, Vector>,
    _ limits: (minimum: Vector, maximum: Vector), _ rows: Kernels.ChannelRows, _ stride: Int,
    _ row: inout Int
  ) {
    while row &+ R <= rows.count {
      // Backwards: what the last vector of a row stores beyond it belongs to the next row.
      var vector = rows.vectorsPerRow &- 1
      while vector >= 0 {
        var sums = bias
        let position = rows[row, vector]
        // Unrolled by hand: in a loop the sums would not stay in registers.
        addInputRow(0, position, stride, k, &sums)
        addInputRow(1, position, stride, k, &sums)
        addInputRow(2, position, stride, k, &sums)
        addInputRow(3, position, stride, k, &sums)
        addInputRow(4, position, stride, k, &sums)
        addInputRow(5, position, stride, k, &sums)
        addInputRow(6, position, stride, k, &sums)
        addInputRow(7, position, stride, k, &sums)
        var own = 0
        while own < R {
          let position = rows[row &+ own, vector]
          let x = sums[own].atLeast(limits.minimum).atMost(limits.maximum)
          if A == 1 { position.storeWithResidual(x) } else { position.store(x) }
          own &+= 1
        }
        vector &-= 1
      }
      row &+= R
    }
  }

  /// Adds input row `y` to the sums of all windows that it lies in.
  @inline(__always)
  private static func addInputRow<let R: Int>(
    _ y: Int, _ position: Kernels.VectorPosition, _ stride: Int,
    _ k: borrowing InlineArray<N, Vector>, _ sums: inout InlineArray<R, Vector>
  ) {
    guard y < (R &- 1) &* S &+ K else { return }
    var x = 0
    while x < K {
      let offset = y &* stride &+ x &* 4
      let a = position[offset]
      if S == 1 {
        addVector(a, y, x, k, &sums)
        x &+= 1
      } else {
        let b = position[offset &+ Kernels.size]
        addVector(Vector(lowHalf: a.evenHalf, highHalf: b.evenHalf), y, x, k, &sums)
        if x &+ 1 < K {
          addVector(Vector(lowHalf: a.oddHalf, highHalf: b.oddHalf), y, x &+ 1, k, &sums)
        }
        x &+= 2
      }
    }
  }

  /// Adds a vector of input row `y`, for window column `x`, to the sums of the windows that it lies
  /// in.
  @inline(__always)
  private static func addVector<let R: Int>(
    _ numbers: Vector, _ y: Int, _ x: Int, _ k: borrowing InlineArray<N, Vector>,
    _ sums: inout InlineArray<R, Vector>
  ) {
    var own = 0
    while own < R {
      let row = y &- own &* S
      if row >= 0, row < K { sums[own].add(numbers, times: k[row &* K &+ x]) }
      own &+= 1
    }
  }
}
