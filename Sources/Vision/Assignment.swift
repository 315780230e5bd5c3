/// The assignment of rows to columns with the minimum sum of costs: the Hungarian algorithm with
/// shortest augmenting paths (Kuhn 1955; Jonker and Volgenant 1987).
enum Assignment {
  /// A pair with this cost or more is forbidden.
  static let forbidden = 1e6

  /// The column of each row, with as many pairs as possible.
  ///
  /// All rows of `costs` have the same length; NaN is forbidden.
  static func solve(_ costs: [[Double]]) -> [Int?] {
    let rows = costs.count
    let columns = costs.first?.count ?? 0
    guard rows > 0, columns > 0 else { return Array(repeating: nil, count: rows) }
    let size = max(rows, columns)
    func cost(_ row: Int, _ column: Int) -> Double {
      guard row < rows, column < columns else { return forbidden }
      let value = costs[row][column]
      return value < forbidden && value > -forbidden ? value : forbidden
    }
    // Rows and columns are numbered from 1; column 0 holds the row that is being assigned.
    var rowPrice = Array(repeating: 0.0, count: size + 1)
    var columnPrice = Array(repeating: 0.0, count: size + 1)
    var owner = Array(repeating: 0, count: size + 1)
    var previous = Array(repeating: 0, count: size + 1)
    for row in 1...size {
      owner[0] = row
      var minimum = Array(repeating: Double.infinity, count: size + 1)
      var isDone = Array(repeating: false, count: size + 1)
      var column = 0
      repeat {
        isDone[column] = true
        let current = owner[column]
        var step = Double.infinity
        var next = 0
        for candidate in 1...size where !isDone[candidate] {
          let reduced =
            cost(current - 1, candidate - 1) - rowPrice[current] - columnPrice[candidate]
          if reduced < minimum[candidate] {
            minimum[candidate] = reduced
            previous[candidate] = column
          }
          if minimum[candidate] < step {
            step = minimum[candidate]
            next = candidate
          }
        }
        for candidate in 0...size {
          if isDone[candidate] {
            rowPrice[owner[candidate]] += step
            columnPrice[candidate] -= step
          } else {
            minimum[candidate] -= step
          }
        }
        column = next
      } while owner[column] != 0
      while column != 0 {
        owner[column] = owner[previous[column]]
        column = previous[column]
      }
    }
    var result: [Int?] = Array(repeating: nil, count: rows)
    for column in 1...columns {
      let row = owner[column] - 1
      if row < rows, cost(row, column - 1) < forbidden { result[row] = column - 1 }
    }
    return result
  }
}
