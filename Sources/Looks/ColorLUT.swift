import Pixels

/// A 3D lookup table of 33 x 33 x 33 nodes over the stream's own codes.
///
/// Nodes are at every 8th code, 0 to 256, so that a code is a node index and 3 fractional bits. The
/// axes are the components in memory order: luma, Cb and Cr, or the bytes of a pixel; no format
/// conversion is needed.
final class ColorLUT {
  static let side = 33
  static let count = side * side * side

  /// The look at full intensity: codes, neither rounded nor clipped.
  private var full: [SIMD3<Float>] = []
  /// The nodes for interpolation: 8 times the codes.
  let nodes = Grid<SIMD4<Int16>>(width: count, height: 1, of: .zero)
  /// The luma LUT for subsampled chroma: for each (Cb, Cr) node 256 values, one per luma code, in
  /// 1/32 of a code; else empty.
  let luma: Grid<Int16>

  init(sharesChroma: Bool) {
    luma = Grid(width: sharesChroma ? Self.side * Self.side * 256 : 0, height: 1, of: 0)
  }

  /// Sets the look: `map` takes codes to codes.
  func setLook(_ map: (SIMD3<Float>) -> SIMD3<Float>) {
    if full.isEmpty { full = Array(repeating: .zero, count: Self.count) }
    var index = 0
    for c in 0..<Self.side {
      for b in 0..<Self.side {
        for a in 0..<Self.side {
          full[index] = map(8 * SIMD3(Float(a), Float(b), Float(c)))
          index += 1
        }
      }
    }
    reduceInterpolationBias()
  }

  /// Reduces the mean error of linear interpolation over a cell: moves each node by a twelfth of
  /// the second difference along each axis, at most half a code, so that hard steps remain.
  private func reduceInterpolationBias() {
    let original = full
    for stride in [1, Self.side, Self.side * Self.side] {
      for index in original.indices {
        let position = index / stride % Self.side
        guard position > 0, position < Self.side - 1 else { continue }
        let curvature = original[index - stride] + original[index + stride] - 2 * original[index]
        full[index] -= (curvature / 12).clamped(
          lowerBound: SIMD3(repeating: -0.5), upperBound: SIMD3(repeating: 0.5))
      }
    }
  }

  /// Sets `nodes` and `luma` to the look at `intensity`, 0...1.
  func setIntensity(_ intensity: Float) {
    var index = 0
    for c in 0..<Self.side {
      for b in 0..<Self.side {
        for a in 0..<Self.side {
          let own = 8 * SIMD3(Float(a), Float(b), Float(c))
          setNode(index, own + (full[index] - own) * intensity)
          index += 1
        }
      }
    }
    if luma.width > 0 { fillLumaLUT() }
  }

  /// Fills `nodes` with the look at `intensity`, 0...1, in codes.
  func fillNodes(_ nodes: Row<SIMD4<Float>>, intensity: Float) {
    for index in 0..<Self.count {
      let (a, b) = (index % Self.side, index / Self.side % Self.side)
      let own = 8 * SIMD3(Float(a), Float(b), Float(index / (Self.side * Self.side)))
      nodes[index] = SIMD4(own + (full[index] - own) * intensity, 0)
    }
  }

  private func setNode(_ index: Int, _ codes: SIMD3<Float>) {
    func q3(_ code: Float) -> Int16 {
      Int16(truncatingIfNeeded: nearest(min(max(code, -511), 511) * 8))
    }
    nodes.row(0)[index] = SIMD4(q3(codes.x), q3(codes.y), q3(codes.z), 0)
  }

  /// Interpolates the luma LUT between the nodes.
  private func fillLumaLUT() {
    let (nodes, luma) = (nodes.row(0), luma.row(0))
    for column in 0..<(Self.side * Self.side) {
      let first = column * Self.side
      let values = luma[from: column * 256, count: 256]
      for index in 0..<32 {
        // Clamped so that no sum of two overflows.
        let below = min(max(nodes[first + index].x, -64 * 8), 319 * 8)
        let above = min(max(nodes[first + index + 1].x, -64 * 8), 319 * 8)
        for step in 0..<8 {
          let sum = Int32(below) &* Int32(8 &- step) &+ Int32(above) &* Int32(step)
          values[8 &* index &+ step] = Int16(truncatingIfNeeded: (sum &+ 1) &>> 1)
        }
      }
    }
  }
}

/// Tables of tetrahedral interpolation, indexed by the 3 fractional bits of each component: the
/// path from the lower node to the upper one, axis by axis.
final class TetrahedralPaths {
  /// The offsets of the two intermediate nodes, in one word.
  let steps = Grid<UInt32>(width: 512, height: 1, of: 0)
  /// The weights of the four nodes in 1/8, repeated for each component.
  let weights = Grid<SIMD8<Int16>>(width: 1024, height: 1, of: .zero)

  init() {
    for index in 0..<512 {
      let axes =
        [(index & 7, 1), (index >> 3 & 7, ColorLUT.side)]
        + [(index >> 6, ColorLUT.side * ColorLUT.side)]
      // The component with the largest fraction comes first; the order of equals does not matter.
      let order = axes.sorted { $0.0 > $1.0 }
      let (first, second) = (order[0].1, order[0].1 + order[1].1)
      steps.row(0)[index] = UInt32(first) | UInt32(second) << 16
      let nodeWeights = [
        8 - order[0].0, order[0].0 - order[1].0, order[1].0 - order[2].0, order[2].0,
      ]
      .map { SIMD4(repeating: Int16($0)) }
      weights.row(0)[2 * index] = SIMD8(lowHalf: nodeWeights[0], highHalf: nodeWeights[1])
      weights.row(0)[2 * index + 1] = SIMD8(lowHalf: nodeWeights[2], highHalf: nodeWeights[3])
    }
  }
}
