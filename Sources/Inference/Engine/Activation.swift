/// What happens to each number of a layer's result.
struct Activation {
  enum Code { case identity, relu, clamp, hardSwish, logistic, prelu }

  private(set) var code = Code.identity
  private(set) var low: Float = 0
  private(set) var high: Float = 0
  /// For numbers under 0, one a channel.
  private(set) var slopes: FloatBuffer?

  static var identity: Activation { Activation(Code.identity) }

  init(_ code: Code) { self.code = code }

  init(slopes: FloatBuffer) {
    code = .prelu
    self.slopes = slopes
  }

  init(_ limits: FusedActivation) {
    guard limits != FusedActivation.none else { return }
    code = limits == FusedActivation(low: 0) ? .relu : .clamp
    (low, high) = (limits.low, limits.high)
  }

  var isIdentity: Bool { code == .identity }

  /// Whether it is not worth being in every tile's code.
  var runsInOwnPass: Bool { code == .clamp || code == .hardSwish || code == .logistic }

  /// Whether it is nothing but a least value.
  var isIdentityOrReLU: Bool { code == .identity || code == .relu }

  /// The curve's value at a vector that is alone; `slope` is the channel's.
  func activate(_ x: Vector, slope: Vector) -> Vector {
    switch code {
    case .identity: x
    case .relu: ReLU().activate(x, slope)
    case .clamp: Clamp(low: low, high: high).activate(x, slope)
    case .hardSwish: HardSwish().activate(x, slope)
    case .logistic: Logistic().activate(x, slope)
    case .prelu: PReLU().activate(x, slope)
    }
  }

  func slope(_ channel: Int) -> Float { slopes.map { FloatView($0)[channel] } ?? 0 }
}

/// A curve that a loop is made for.
protocol ActivationFunction {
  func activate(_ x: Vector, _ slope: Vector) -> Vector
}

struct Identity: ActivationFunction {
  @inline(__always) func activate(_ x: Vector, _ slope: Vector) -> Vector { x }
}

struct ReLU: ActivationFunction {
  @inline(__always) func activate(_ x: Vector, _ slope: Vector) -> Vector { x.atLeast(Vector(0)) }
}

struct Clamp: ActivationFunction {
  let low, high: Float

  @inline(__always) func activate(_ x: Vector, _ slope: Vector) -> Vector {
    x.atLeast(Vector(low)).atMost(Vector(high))
  }
}

/// Another slope for numbers under 0.
struct PReLU: ActivationFunction {
  @inline(__always) func activate(_ x: Vector, _ slope: Vector) -> Vector {
    x.replacing(with: x * slope, where: x .< Vector(0))
  }
}

/// x times a ramp from 0 at -3 to 1 at 3.
struct HardSwish: ActivationFunction {
  @inline(__always) func activate(_ x: Vector, _ slope: Vector) -> Vector {
    x * (x + Vector(3)).atLeast(Vector(0)).atMost(Vector(6)) * Vector(1 / 6)
  }
}

struct Logistic: ActivationFunction {
  @inline(__always) func activate(_ x: Vector, _ slope: Vector) -> Vector {
    Vector(1) / (Vector(1) + (Vector(0) - x).exponential())
  }
}

extension Kernels {
  /// Bends numbers where they are; then, where `apart` is given, adds what lies so many bytes further
  /// on, and makes 0 what `mask` says, whose first number is that of the first vector.
  ///
  /// A loop for each curve: one that chose would call a function for every vector.
  static func activate(
    _ lines: ChannelRows, by activation: Activation, adding apart: Int? = nil,
    mask: FloatView? = nil, from: Int = 0
  ) {
    switch activation.code {
    case .identity: activate(lines, Identity(), activation, apart, mask, from)
    case .relu: activate(lines, ReLU(), activation, apart, mask, from)
    case .clamp:
      activate(
        lines, Clamp(low: activation.low, high: activation.high), activation, apart, mask, from)
    case .hardSwish: activate(lines, HardSwish(), activation, apart, mask, from)
    case .logistic: activate(lines, Logistic(), activation, apart, mask, from)
    case .prelu: activate(lines, PReLU(), activation, apart, mask, from)
    }
  }

  private static func activate<Function: ActivationFunction>(
    _ lines: ChannelRows, _ function: Function, _ activation: Activation, _ apart: Int?,
    _ mask: FloatView?, _ from: Int
  ) {
    for channel in 0..<lines.channels {
      let (slope, own) = (Vector(activation.slope(channel)), lines.channel(channel))
      for line in 0..<own.count {
        for number in 0..<own.across {
          let cell = own[line, number]
          var x = function.activate(cell[0], slope)
          if let apart { x += cell[apart] }
          if let mask { x = x.masked(mask.vector(from &+ number &* Vector.lanes)) }
          cell.store(x)
        }
      }
    }
  }
}
