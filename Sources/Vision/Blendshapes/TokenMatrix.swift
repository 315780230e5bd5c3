/// Some of the numbers of a token.
typealias TokenVector = SIMD16<Float>

extension TokenVector {
  /// The numbers of one token as vectors.
  static func vectors(of numbers: [Float]) -> [TokenVector] {
    stride(from: 0, to: numbers.count, by: scalarCount).map { start in
      TokenVector(numbers[start..<start + scalarCount])
    }
  }
}

/// The tokens of an MLP-Mixer.
struct TokenMatrix {
  /// The number of tokens, and the numbers of each.
  static let count = 97
  static let width = 64
  private static let vectors = width / TokenVector.scalarCount
  /// What the file adds to a variance before its root.
  private static let epsilon: Float = 1.0133e-6

  private var rows = [TokenVector](repeating: .zero, count: count * vectors)

  mutating func set(_ token: Int, _ numbers: [TokenVector]) {
    for (index, vector) in numbers.enumerated() { rows[token * Self.vectors + index] = vector }
  }

  mutating func set(_ token: Int, _ number: (Int) -> Float) {
    for index in 0..<Self.vectors {
      var vector = TokenVector.zero
      for lane in vector.indices { vector[lane] = number(index * TokenVector.scalarCount + lane) }
      rows[token * Self.vectors + index] = vector
    }
  }

  /// A number of a token.
  subscript(_ token: Int, _ number: Int) -> Float {
    rows[token * Self.vectors + number / TokenVector.scalarCount][number % TokenVector.scalarCount]
  }

  /// Writes the tokens, each with mean 0 and variance 1 times `gains`, with these distances from a
  /// token to the next and from one of its numbers to the next.
  func normalize(
    _ gains: [TokenVector], into output: inout MutableSpan<Float>, token: Int, number: Int
  ) {
    for row in 0..<Self.count {
      let first = row * Self.vectors
      var sum = TokenVector.zero
      for index in 0..<Self.vectors { sum += rows[first + index] }
      let mean = sum.sum() / Float(Self.width)
      var squares = TokenVector.zero
      for index in 0..<Self.vectors {
        let offset = rows[first + index] - mean
        squares += offset * offset
      }
      let scale = 1 / (squares.sum() / Float(Self.width) + Self.epsilon).squareRoot()
      for index in 0..<Self.vectors {
        let vector = (rows[first + index] - mean) * (gains[index] * scale)
        let start = row * token + index * TokenVector.scalarCount * number
        for lane in 0..<TokenVector.scalarCount { output[start + lane * number] = vector[lane] }
      }
    }
  }

  /// Adds numbers that have these distances from a token to the next and from one of its numbers to
  /// the next.
  mutating func add(_ numbers: Span<Float>, token: Int, number: Int) {
    for row in 0..<Self.count {
      for index in 0..<Self.vectors {
        let start = row * token + index * TokenVector.scalarCount * number
        var vector = TokenVector.zero
        for lane in 0..<TokenVector.scalarCount { vector[lane] = numbers[start + lane * number] }
        rows[row * Self.vectors + index] += vector
      }
    }
  }
}
