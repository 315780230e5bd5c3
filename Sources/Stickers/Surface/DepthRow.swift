import Pixels

/// The depths of a billboard or a body in pixels, along the columns of a row.
protocol DepthRow {
  associatedtype Values: DepthValues

  /// The depths from column `first` on, less three distances, plus `slope` for each column; all in
  /// units of `unit`.
  func values(
    from first: Int, less: (Double, Double, Double), slope: Double, unit: Double
  ) -> Values
}

/// Numbers along the columns of a row.
protocol DepthValues {
  subscript(_: Int) -> Float { get }
}

/// The depths of a plane.
struct LinearDepth: DepthRow {
  let start, step: Double

  struct Values: DepthValues {
    let first, step: Float

    @inline(__always)
    subscript(index: Int) -> Float { first + step * Float(Int32(truncatingIfNeeded: index)) }
  }

  @inline(__always)
  func values(
    from first: Int, less: (Double, Double, Double), slope: Double, unit: Double
  ) -> Values {
    let value = start + step * Double(first) - less.0 - less.1 - less.2
    return Values(first: Float(value / unit), step: Float((step + slope) / unit))
  }
}

/// Depths that were written to a row.
struct WrittenDepth: DepthRow {
  private let depths: Row<Float>

  init(_ depths: Row<Float>) { self.depths = depths }

  struct Values: DepthValues {
    let depths: Row<Float>
    let offset, step, scale: Float

    @inline(__always)
    subscript(index: Int) -> Float {
      (depths[index] - offset) * scale + step * Float(Int32(truncatingIfNeeded: index))
    }
  }

  @inline(__always)
  func values(
    from first: Int, less: (Double, Double, Double), slope: Double, unit: Double
  ) -> Values {
    Values(
      depths: depths[min(first, depths.count)...], offset: Float(less.0 + less.1 + less.2),
      step: Float(slope / unit), scale: Float(1 / unit))
  }
}
