// One register of floats on the processors that a build is for. The Makefile defines the names of
// the levels.
#if x86_64_v4
  typealias Vector = SIMD16<Float>
  typealias HalfVector = SIMD8<Float>
#elseif x86_64_v3
  typealias Vector = SIMD8<Float>
  typealias HalfVector = SIMD4<Float>
#else
  typealias Vector = SIMD4<Float>
  typealias HalfVector = SIMD2<Float>
#endif

extension Vector {
  static let lanes = Vector.scalarCount

  /// The vectors that hold `count` numbers.
  static func count(holding count: Int) -> Int { (count + lanes - 1) / lanes }

  @inline(__always) init(_ value: Float) { self.init(repeating: value) }

  /// Adds a product, fused where the build's processors have that instruction.
  ///
  /// Elsewhere a fused addition would be a library call for each number: the product is rounded
  /// first.
  @inline(__always)
  mutating func add(_ a: Vector, times b: Vector) {
    #if x86_64_v3 || x86_64_v4 || arch(arm64)
      addProduct(a, b)
    #else
      self += a * b
    #endif
  }

  /// The larger of each lane and `low`; `low` where a lane is not a number, as ReLU has it in
  /// XNNPACK.
  @inline(__always) func atLeast(_ low: Vector) -> Vector {
    low.replacing(with: self, where: self .> low)
  }

  /// This vector with 0 in each lane where `mask` has 0.
  @inline(__always) func masked(_ mask: Vector) -> Vector {
    replacing(with: Vector(0), where: mask .== Vector(0))
  }

  @inline(__always) func atMost(_ high: Vector) -> Vector {
    replacing(with: high, where: self .> high)
  }

  /// This vector with negative numbers multiplied by `slope`.
  @inline(__always) func prelu(_ slope: Vector) -> Vector {
    replacing(with: self * slope, where: self .< Vector(0))
  }

  /// x * min(max(x + 3, 0), 6) / 6.
  @inline(__always) func hardSwish() -> Vector {
    self * (self + Vector(3)).atLeast(Vector(0)).atMost(Vector(6)) * Vector(1 / 6)
  }

  /// 1 / (1 + exp(-x)).
  @inline(__always) func logistic() -> Vector {
    Vector(1) / (Vector(1) + (Vector(0) - self).exponential())
  }

  /// The exponential function, with a relative error of at most 2e-7.
  ///
  /// x is split into n ln 2 + r with |r| <= ln 2 / 2: 2^n goes into the exponent's bits, and e^r is
  /// a Taylor polynomial.
  @inline(__always) func exponential() -> Vector {
    // Not `atLeast`: what is not a number stays so, rather than becoming a probability.
    let x = replacing(with: Vector(-87), where: self .< Vector(-87)).atMost(Vector(87))
    // Adding 1.5 * 2^23 rounds to an integer.
    let rounding = Vector(0x1.8p23)
    let shifted = x * Vector(1.442_695_04) + rounding
    let whole = shifted - rounding
    // ln 2 in two parts; the product of the first is exact.
    let rest = x - whole * Vector(0.693_359_375) + whole * Vector(2.121_944_4e-4)
    var sum = Vector(1 / 720)
    let factors: InlineArray<6, Float> = [1 / 120, 1 / 24, 1 / 6, 1 / 2, 1, 1]
    for index in factors.indices {
      var next = Vector(factors[index])
      next.add(sum, times: rest)
      sum = next
    }
    return sum * Kernels.powerOfTwo(shifted)
  }
}
