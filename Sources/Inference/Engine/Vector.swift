// As many numbers as one instruction treats, on the processors that a build is for. The names of
// the levels come from the Makefile.
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

  /// Vectors that hold `count` numbers.
  static func count(_ count: Int) -> Int { (count + lanes - 1) / lanes }

  @inline(__always) init(_ value: Float) { self.init(repeating: value) }

  /// Adds a product, rounded once where the processors of the build can do that; elsewhere that
  /// would be a call for every number, so it is rounded twice.
  @inline(__always)
  mutating func add(_ a: Vector, times b: Vector) {
    #if x86_64_v3 || x86_64_v4 || arch(arm64)
      addProduct(a, b)
    #else
      self += a * b
    #endif
  }

  @inline(__always) func atLeast(_ low: Vector) -> Vector {
    replacing(with: low, where: self .< low)
  }

  /// Zeros where `mask` has them.
  @inline(__always) func masked(_ mask: Vector) -> Vector {
    replacing(with: Vector(0), where: mask .== Vector(0))
  }

  @inline(__always) func atMost(_ high: Vector) -> Vector {
    replacing(with: high, where: self .> high)
  }

  /// e to the power of each number, within 2e-7 of its size.
  ///
  /// 2 to a whole number, which goes into the exponent's bits, times the series of e to the rest,
  /// which is at most ln 2 / 2.
  @inline(__always) func exponential() -> Vector {
    let x = atLeast(Vector(-87)).atMost(Vector(87))
    // So large that the sum has no fraction left.
    let rounding = Vector(0x1.8p23)
    let shifted = x * Vector(1.442_695_04) + rounding
    let whole = shifted - rounding
    // ln 2 in two parts, of which the first leaves no error in the product.
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
