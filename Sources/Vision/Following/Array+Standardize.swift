extension [Float] {
  /// Shifts and scales the values to mean 0 and length 1; false, with mean 0 alone, where the sum of
  /// their squares about the mean is at most `minimum`.
  mutating func standardize(minimum: Float) -> Bool {
    var sum: Float = 0
    for value in self { sum += value }
    let mean = sum / Float(count)
    var squareSum: Float = 0
    for index in indices {
      self[index] -= mean
      squareSum += self[index] * self[index]
    }
    guard squareSum > minimum else { return false }
    let scale = 1 / squareSum.squareRoot()
    for index in indices { self[index] *= scale }
    return true
  }
}
