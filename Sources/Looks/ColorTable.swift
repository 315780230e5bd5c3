import Pixels

/// A look as a cube of 33 x 33 x 33 nodes over the codes of a stream, and what kernels take of it.
///
/// Nodes lie at every 8th code, 0 to 256, so that a code is a node and 3 bits. Along the axes are the
/// components in the order in which pixels have them: luma, Cb and Cr, or the bytes of a pixel. No
/// picture of another kind is ever made; codes of luma and chroma are looked up as they are.
final class ColorTable {
  static let side = 33
  private static let count = side * side * side

  /// Codes, not rounded nor clipped, of the whole look.
  private var look: [SIMD3<Float>] = []
  /// For colours: 8 times the codes.
  let nodes = Grid<SIMD4<Int16>>(width: count, height: 1, of: .zero)
  /// For luma that shares its chroma: of each chroma node a column of 256 values, one for each code of
  /// luma, in 1/32 of a code; nothing where none does.
  let luma: Grid<Int16>

  init(sharesChroma: Bool) {
    luma = Grid(width: sharesChroma ? Self.side * Self.side * 256 : 0, height: 1, of: 0)
  }

  /// Bakes a look: `map` takes codes to codes.
  func bake(_ map: (SIMD3<Float>) -> SIMD3<Float>) {
    if look.isEmpty { look = Array(repeating: .zero, count: Self.count) }
    var index = 0
    for c in 0..<Self.side {
      for b in 0..<Self.side {
        for a in 0..<Self.side {
          look[index] = map(8 * SIMD3(Float(a), Float(b), Float(c)))
          index += 1
        }
      }
    }
    settle()
  }

  /// Moves nodes to the hollow side of the look by what lines between them lie on the other: a twelfth
  /// of the second difference, in the mean over a cell.
  ///
  /// By half a code at most, so that a hard step stays one.
  private func settle() {
    let baked = look
    for stride in [1, Self.side, Self.side * Self.side] {
      for index in baked.indices {
        let place = index / stride % Self.side
        guard place > 0, place < Self.side - 1 else { continue }
        let bend = baked[index - stride] + baked[index + stride] - 2 * baked[index]
        look[index] -= (bend / 12).clamped(
          lowerBound: SIMD3(repeating: -0.5), upperBound: SIMD3(repeating: 0.5))
      }
    }
  }

  /// Sets what kernels take: `intensity`, 0...1, of the look.
  func mix(_ intensity: Float) {
    var index = 0
    for c in 0..<Self.side {
      for b in 0..<Self.side {
        for a in 0..<Self.side {
          let own = 8 * SIMD3(Float(a), Float(b), Float(c))
          set(index, own + (look[index] - own) * intensity)
          index += 1
        }
      }
    }
    if luma.width > 0 { setLuma() }
  }

  private func set(_ index: Int, _ codes: SIMD3<Float>) {
    func field(_ code: Float) -> Int16 {
      Int16(truncatingIfNeeded: nearest(min(max(code, -511), 511) * 8))
    }
    nodes.row(0)[index] = SIMD4(field(codes.x), field(codes.y), field(codes.z), 0)
  }

  /// The columns of luma, between the nodes that were set.
  private func setLuma() {
    let (nodes, luma) = (nodes.row(0), luma.row(0))
    for column in 0..<(Self.side * Self.side) {
      let first = column * Self.side
      let values = luma[from: column * 256, count: 256]
      for index in 0..<32 {
        // Limited so that no sum of two overflows.
        let below = min(max(nodes[first + index].x, -64 * 8), 319 * 8)
        let above = min(max(nodes[first + index + 1].x, -64 * 8), 319 * 8)
        for part in 0..<8 {
          let sum = Int32(below) &* Int32(8 &- part) &+ Int32(above) &* Int32(part)
          values[8 &* index &+ part] = Int16(truncatingIfNeeded: (sum &+ 1) &>> 1)
        }
      }
    }
  }
}

/// The ways from a colour's node below to the one above, one axis after another: what tetrahedral
/// interpolation needs, by the 3 bits of each component that lie between nodes.
final class TetrahedralPaths {
  /// Distances of the two nodes between, in one word.
  let steps = Grid<UInt32>(width: 512, height: 1, of: 0)
  /// Weights of the four nodes in eighths, each in all fields of a colour.
  let weights = Grid<SIMD8<Int16>>(width: 1024, height: 1, of: .zero)

  init() {
    for index in 0..<512 {
      let axes =
        [(index & 7, 1), (index >> 3 & 7, ColorTable.side)]
        + [(index >> 6, ColorTable.side * ColorTable.side)]
      // The component that is furthest on goes first; of equals any, their nodes weigh nothing.
      let order = axes.sorted { $0.0 > $1.0 }
      let (first, second) = (order[0].1, order[0].1 + order[1].1)
      steps.row(0)[index] = UInt32(first) | UInt32(second) << 16
      let shares = [8 - order[0].0, order[0].0 - order[1].0, order[1].0 - order[2].0, order[2].0]
        .map { SIMD4(repeating: Int16($0)) }
      weights.row(0)[2 * index] = SIMD8(lowHalf: shares[0], highHalf: shares[1])
      weights.row(0)[2 * index + 1] = SIMD8(lowHalf: shares[2], highHalf: shares[3])
    }
  }
}
