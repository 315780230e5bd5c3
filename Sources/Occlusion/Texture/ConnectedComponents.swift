/// The connected components of a set of texels, as runs of columns.
///
/// Runs of neighbouring rows that touch are united (R. Tarjan, "Efficiency of a Good But Not Linear Set Union
/// Algorithm", 1975). Keeps its memory.
final class ConnectedComponents {
  /// Neighbouring texels of a row.
  struct Run {
    let y: Int
    let columns: Range<Int>
    /// The number of its component, from 0 on.
    fileprivate(set) var component: Int

    var count: Int { columns.count }
    /// The bits of its columns.
    var word: TexelSet.Word { TexelSet.word(columns) }
  }

  /// In the order of rows, and in each of columns.
  private(set) var runs: [Run] = []
  /// The number of components.
  private(set) var count = 0
  /// For each run another one of its component; itself for one that stands for the component.
  private var parents: [Int] = []

  /// Finds the components of `set`; texels that touch at a corner are connected if `diagonals`.
  func find(in set: TexelSet, diagonals: Bool) {
    runs.removeAll(keepingCapacity: true)
    parents.removeAll(keepingCapacity: true)
    var above = 0..<0
    for y in set.rows.indices {
      let first = runs.count
      TexelSet.forEachRun(set.rows[y]) { columns in
        parents.append(runs.count)
        runs.append(Run(y: y, columns: columns, component: 0))
      }
      unite(above, first..<runs.count, reach: diagonals ? 1 : 0)
      above = first..<runs.count
    }
    count = 0
    // A run's representative comes before it.
    for index in runs.indices {
      if parents[index] == index {
        runs[index].component = count
        count += 1
      } else {
        runs[index].component = runs[representative(index)].component
      }
    }
  }

  /// Unites the runs of two rows that touch.
  private func unite(_ upper: Range<Int>, _ lower: Range<Int>, reach: Int) {
    var (a, b) = (upper.lowerBound, lower.lowerBound)
    while a < upper.upperBound, b < lower.upperBound {
      let (one, other) = (runs[a].columns, runs[b].columns)
      if one.lowerBound < other.upperBound + reach, other.lowerBound < one.upperBound + reach {
        let (p, q) = (representative(a), representative(b))
        parents[max(p, q)] = min(p, q)
      }
      if one.upperBound < other.upperBound { a += 1 } else { b += 1 }
    }
  }

  private func representative(_ run: Int) -> Int {
    var run = run
    while parents[run] != run {
      parents[run] = parents[parents[run]]
      run = parents[run]
    }
    return run
  }
}
