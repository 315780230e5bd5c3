/// What happens to each number of a layer's result.
struct Curve {
  enum Code { case none, positive, limits, hardSwish, logistic, slopes }

  private(set) var code = Code.none
  private(set) var low: Float = 0
  private(set) var high: Float = 0
  /// For numbers under 0, one a channel.
  private(set) var slopes: FloatBuffer?

  static var none: Curve { Curve(Code.none) }

  init(_ code: Code) { self.code = code }

  init(slopes: FloatBuffer) {
    code = .slopes
    self.slopes = slopes
  }

  init(_ limits: Activation) {
    guard limits != Activation.none else { return }
    code = limits == Activation(low: 0) ? .positive : .limits
    (low, high) = (limits.low, limits.high)
  }

  var isNone: Bool { code == .none }

  /// Whether it is not worth being in every tile's code.
  var isSlow: Bool { code == .limits || code == .hardSwish || code == .logistic }

  /// Whether it is nothing but a least value.
  var isFast: Bool { code == .none || code == .positive }

  /// The curve's value at a vector that is alone; `slope` is the channel's.
  func bend(_ x: Vector, slope: Vector) -> Vector {
    switch code {
    case .none: x
    case .positive: Positive().bend(x, slope)
    case .limits: Limits(low: low, high: high).bend(x, slope)
    case .hardSwish: HardSwish().bend(x, slope)
    case .logistic: Logistic().bend(x, slope)
    case .slopes: Slopes().bend(x, slope)
    }
  }

  func slope(_ channel: Int) -> Float { slopes.map { Numbers($0)[channel] } ?? 0 }
}

/// A curve that a loop is made for.
protocol CurveBend {
  func bend(_ x: Vector, _ slope: Vector) -> Vector
}

struct Straight: CurveBend {
  @inline(__always) func bend(_ x: Vector, _ slope: Vector) -> Vector { x }
}

struct Positive: CurveBend {
  @inline(__always) func bend(_ x: Vector, _ slope: Vector) -> Vector { x.atLeast(Vector(0)) }
}

struct Limits: CurveBend {
  let low, high: Float

  @inline(__always) func bend(_ x: Vector, _ slope: Vector) -> Vector {
    x.atLeast(Vector(low)).atMost(Vector(high))
  }
}

/// Another slope for numbers under 0.
struct Slopes: CurveBend {
  @inline(__always) func bend(_ x: Vector, _ slope: Vector) -> Vector {
    x.replacing(with: x * slope, where: x .< Vector(0))
  }
}

/// x times a ramp from 0 at -3 to 1 at 3.
struct HardSwish: CurveBend {
  @inline(__always) func bend(_ x: Vector, _ slope: Vector) -> Vector {
    x * (x + Vector(3)).atLeast(Vector(0)).atMost(Vector(6)) * Vector(1 / 6)
  }
}

struct Logistic: CurveBend {
  @inline(__always) func bend(_ x: Vector, _ slope: Vector) -> Vector {
    Vector(1) / (Vector(1) + (Vector(0) - x).exponential())
  }
}

extension Kernels {
  /// Bends numbers where they are; then, where `apart` is given, adds what lies so many bytes further
  /// on, and makes 0 what `mask` says, whose first number is that of the first vector.
  ///
  /// A loop for each curve: one that chose would call a function for every vector.
  static func bend(
    _ lines: Lines, by curve: Curve, adding apart: Int? = nil, mask: Numbers? = nil, from: Int = 0
  ) {
    switch curve.code {
    case .none: bend(lines, Straight(), curve, apart, mask, from)
    case .positive: bend(lines, Positive(), curve, apart, mask, from)
    case .limits:
      bend(lines, Limits(low: curve.low, high: curve.high), curve, apart, mask, from)
    case .hardSwish: bend(lines, HardSwish(), curve, apart, mask, from)
    case .logistic: bend(lines, Logistic(), curve, apart, mask, from)
    case .slopes: bend(lines, Slopes(), curve, apart, mask, from)
    }
  }

  private static func bend<Bend: CurveBend>(
    _ lines: Lines, _ bend: Bend, _ curve: Curve, _ apart: Int?, _ mask: Numbers?, _ from: Int
  ) {
    for channel in 0..<lines.channels {
      let (slope, own) = (Vector(curve.slope(channel)), lines.channel(channel))
      for line in 0..<own.count {
        for number in 0..<own.across {
          let cell = own[line, number]
          var x = bend.bend(cell[0], slope)
          if let apart { x += cell[apart] }
          if let mask { x = x.masked(mask.vector(from &+ number &* Vector.lanes)) }
          cell.store(x)
        }
      }
    }
  }
}
