import Inference

/// The 128 numbers of a layer of the gesture networks; unused ones are 0.
struct Features {
  static let count = 128
  private static let lanes = 16
  private var vectors = InlineArray<8, SIMD16<Float>>(repeating: .zero)

  static let zero = Features()

  private init() {}

  /// Zeros follow fewer numbers.
  init(_ numbers: some Collection<Float>) {
    for (index, number) in numbers.prefix(Self.count).enumerated() { self[index] = number }
  }

  subscript(index: Int) -> Float {
    get { vectors[index / Self.lanes][index % Self.lanes] }
    set { vectors[index / Self.lanes][index % Self.lanes] = newValue }
  }

  /// ReLU of each.
  var rectified: Features {
    var result = self
    for index in vectors.indices {
      result.vectors[index] = pointwiseMax(vectors[index], .zero)
    }
    return result
  }

  static func += (sum: inout Features, other: Features) {
    for index in sum.vectors.indices { sum.vectors[index] += other.vectors[index] }
  }

  /// Adds `other`, each number times `factor`.
  mutating func add(_ other: Features, times factor: Float) {
    for index in vectors.indices { vectors[index] += other.vectors[index] * factor }
  }

  /// Each number times that of `gains`, plus that of `offsets`: batch normalization.
  func normalized(_ gains: Features, _ offsets: Features) -> Features {
    var result = offsets
    for index in vectors.indices { result.vectors[index] += vectors[index] * gains.vectors[index] }
    return result
  }
}

/// A layer in which each output is a weighted sum of all inputs.
struct FeatureLayer {
  /// For each input its weights in the outputs.
  private let columns: [Features]
  private let bias: Features

  /// Throws unless the shapes are those of a layer of so many inputs and outputs.
  init(_ weights: Constant, _ bias: Constant, inputs: Int, outputs: Int) throws(ModelError) {
    guard weights.shape == [outputs, inputs], bias.shape == [outputs] else {
      throw ModelError("a layer of shape \(weights.shape) and a bias of shape \(bias.shape)")
    }
    let numbers = weights.numbers
    columns = (0..<inputs).map { input in
      Features((0..<outputs).map { numbers[$0 * inputs + input] })
    }
    self.bias = Features(bias.numbers)
  }

  func apply(_ inputs: Features) -> Features {
    var sum = bias
    for index in columns.indices { sum.add(columns[index], times: inputs[index]) }
    return sum
  }
}

/// Batch normalization: a gain and an offset for each number.
struct FeatureNormalization {
  private let gains, offsets: Features

  init(_ gains: Constant, _ offsets: Constant) throws(ModelError) {
    guard gains.shape == [Features.count], offsets.shape == [Features.count] else {
      throw ModelError("a normalization of shape \(gains.shape) and \(offsets.shape)")
    }
    (self.gains, self.offsets) = (Features(gains.numbers), Features(offsets.numbers))
  }

  func apply(_ numbers: Features) -> Features { numbers.normalized(gains, offsets) }
}
