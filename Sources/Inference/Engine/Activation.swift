/// The function that a layer applies to each number of its result.
struct Activation {
  enum Function { case identity, relu, clamp, hardSwish, logistic, prelu }

  private(set) var function = Function.identity
  private(set) var limits = FusedActivation.none
  /// PReLU's factor of negative numbers, one for each channel.
  private(set) var slopes: FloatBuffer?

  static var identity: Activation { Activation(Function.identity) }

  init(_ function: Function) {
    self.function = function
    if function == .relu { limits = FusedActivation(minimum: 0) }
  }

  init(slopes: FloatBuffer) { (function, self.slopes) = (.prelu, slopes) }

  init(_ limits: FusedActivation) {
    self.limits = limits
    guard limits != .none else { return }
    function = limits == FusedActivation(minimum: 0) ? .relu : .clamp
  }

  var isIdentity: Bool { function == .identity }
  /// Whether it does no more than keep numbers between `limits`.
  var isClamp: Bool { function == .identity || function == .relu || function == .clamp }

  /// Whether it takes a pass of its own: too rare or too long to be compiled into every tile.
  var needsSeparatePass: Bool { function == .hardSwish || function == .logistic }
}

/// One pass over numbers that are already stored.
struct ActivationPass {
  let activation: Activation
  /// The distance in bytes from a number to the one that is added to it after the activation.
  var residualOffset: Int?
  /// 0 for the positions that must stay 0; its number `maskStart` belongs to the first vector.
  var mask: FloatView?
  var maskStart = 0

  /// Applies the pass in place.
  ///
  /// Each function has a loop of its own: choosing inside the loop would cost a call for each
  /// vector, as would a closure with captured vectors, which is not inlined for AVX-512.
  func apply(to rows: Kernels.ChannelRows) {
    switch activation.function {
    case .identity: apply(rows) { x, _ in x }
    case .relu: apply(rows) { x, _ in x.atLeast(Vector(0)) }
    case .clamp:
      clamp(rows, Vector(activation.limits.minimum), Vector(activation.limits.maximum))
    case .hardSwish: apply(rows) { x, _ in x.hardSwish() }
    case .logistic: apply(rows) { x, _ in x.logistic() }
    case .prelu: apply(rows) { x, slope in x.prelu(slope) }
    }
  }

  @inline(never)
  private func clamp(_ rows: Kernels.ChannelRows, _ low: Vector, _ high: Vector) {
    for channel in 0..<rows.channels {
      let own = rows.channel(channel)
      for row in 0..<own.count {
        if residualOffset == nil, mask == nil {
          for number in 0..<own.vectorsPerRow {
            let position = own[row, number]
            position.store(position[0].atLeast(low).atMost(high))
          }
          continue
        }
        for number in 0..<own.vectorsPerRow {
          let position = own[row, number]
          var x = position[0].atLeast(low).atMost(high)
          if let residualOffset { x += position[residualOffset] }
          if let mask { x = x.masked(mask.vector(at: maskStart &+ number &* Vector.lanes)) }
          position.store(x)
        }
      }
    }
  }

  @inline(__always)
  private func apply(_ rows: Kernels.ChannelRows, _ function: (Vector, _ slope: Vector) -> Vector) {
    let slopes = activation.slopes.map { FloatView($0) }
    for channel in 0..<rows.channels {
      let (slope, own) = (Vector(slopes?[channel] ?? 0), rows.channel(channel))
      for row in 0..<own.count {
        for number in 0..<own.vectorsPerRow {
          let position = own[row, number]
          var x = function(position[0], slope)
          if let residualOffset { x += position[residualOffset] }
          if let mask { x = x.masked(mask.vector(at: maskStart &+ number &* Vector.lanes)) }
          position.store(x)
        }
      }
    }
  }
}
