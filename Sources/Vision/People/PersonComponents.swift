import Pixels

/// The connected components of a mask (8-connected), with their areas and bounds.
///
/// Runs of cells are joined to touching runs of the row above by union-find. All arrays are kept,
/// so that no frame allocates.
final class PersonComponents {
  /// A horizontal run of cells.
  private struct Run {
    var start, end, row: Int32
    /// The index of another run of the component; the root run is its own parent.
    var parent: Int32
  }

  /// The statistics of a component, at the index of its root run.
  private struct Component {
    var area: Int32 = 0
    /// The sum of the cells' probabilities, once `isSummed`.
    var sum: Float = 0
    var touchesFace = false
    var touchesPrevious = false
    var touchesBox = false
  }

  /// The probability above which a cell shows a person.
  static let personThreshold: Float = 0.5
  /// The area, as a fraction of the grid, up to which a component is noise if there are no faces.
  private static let minimumAreaFraction = 0.002
  /// The mean probability up to which a component without a face is more likely an object.
  private static let probableMean: Float = 0.7
  /// The same for a component that was there in the last frame.
  private static let probableMeanOfKnown: Float = 0.6

  private var runs: [Run] = []
  private var components: [Component] = []
  private var isSummed = false
  /// The number of cells with a person in each column, and in each row.
  private let columns = Grid<Int32>(of: 0)
  private let rows = Grid<Int32>(of: 0)

  /// Labels the components of `mask` above `threshold`.
  ///
  /// Those that overlap `previous` are recognized if no face is visible. `faces` are in pixels.
  func label(
    _ mask: Grid<Float>, threshold: Float, faces: [Rectangle], cellsPerPixel scale: Double,
    previous: Grid<Float>?
  ) {
    runs.removeAll(keepingCapacity: true)
    isSummed = false
    var above = 0..<0
    for y in 0..<mask.height {
      let first = runs.count
      findRuns(mask.row(y), y, threshold)
      union(above, first..<runs.count)
      above = first..<runs.count
    }
    components.removeAll(keepingCapacity: true)
    components.append(contentsOf: repeatElement(Component(), count: runs.count))
    for index in runs.indices {
      let run = runs[index]
      let component = findRoot(index)
      runs[index].parent = Int32(component)
      components[component].area += run.end - run.start
      for face in faces {
        let face = face.scaled(x: scale, y: scale)
        guard Self.intersects(run.row, run.start, run.end, face) else { continue }
        components[component].touchesFace = true
      }
      guard let previous, !components[component].touchesPrevious else { continue }
      let row = previous.row(Int(run.row))
      for x in Int(run.start)..<Int(run.end) where row[x] > Self.personThreshold {
        components[component].touchesPrevious = true
        break
      }
    }
  }

  /// Whether a run belongs to a component with a face, or, if no face is visible, to one that was
  /// there before.
  private func isTarget(_ run: Run, hasFaces: Bool) -> Bool {
    let component = components[Int(run.parent)]
    return component.touchesFace || (!hasFaces && component.touchesPrevious)
  }

  /// Clears the components without a face; if no face is visible, those that were not there before.
  func removeNonTargets(from mask: Grid<Float>, hasFaces: Bool) {
    for run in runs where !isTarget(run, hasFaces: hasFaces) {
      mask.row(Int(run.row))[Int(run.start)..<Int(run.end)].fill(0)
    }
  }

  /// Clears the components without a face whose mean probability is at most `mean`, or `meanOfKnown` if
  /// they were there before.
  func removeImprobable(from mask: Grid<Float>, mean: Float, meanOfKnown: Float) {
    sumProbabilities(mask)
    for run in runs {
      let component = components[Int(run.parent)]
      let mean = component.touchesPrevious ? meanOfKnown : mean
      guard !component.touchesFace, component.sum <= mean * Float(component.area) else { continue }
      mask.row(Int(run.row))[Int(run.start)..<Int(run.end)].fill(0)
    }
  }

  /// Clears the components above `threshold` that touch a box of cells.
  func remove(from mask: Grid<Float>, touching box: Rectangle, threshold: Float) {
    // Not passed as a face: an array of one would be allocated in each run.
    label(mask, threshold: threshold, faces: [], cellsPerPixel: 1, previous: nil)
    for run in runs where Self.intersects(run.row, run.start, run.end, box) {
      components[Int(run.parent)].touchesBox = true
    }
    for run in runs where components[Int(run.parent)].touchesBox {
      mask.row(Int(run.row))[Int(run.start)..<Int(run.end)].fill(0)
    }
  }

  /// The bounds of the people in cells, without outliers; nil for none.
  ///
  /// Components with a face count, or, without any, those that are large enough and probable: close to
  /// others the network would see people in them.
  func boundingBox(_ mask: Grid<Float>, hasFaces: Bool) -> Rectangle? {
    if hasFaces, let box = bounds(mask, \.touchesFace) { return box }
    sumProbabilities(mask)
    let minimumArea = Self.minimumArea(mask)
    return bounds(mask) { Self.isLikely($0, minimumArea, $0.touchesPrevious) }
  }

  /// A component that is large and probable.
  struct Person {
    /// Its bounds and its number of cells.
    var box: Rectangle
    let area: Int
    /// The mean over its cells.
    let probability: Double
    let hasFace: Bool
  }

  /// The components that are large and probable.
  func likelyPeople(_ mask: Grid<Float>) -> [Person] {
    sumProbabilities(mask)
    let minimumArea = Self.minimumArea(mask)
    var roots: [Int32] = []
    var people: [Person] = []
    for run in runs {
      let component = components[Int(run.parent)]
      guard Self.isLikely(component, minimumArea) else { continue }
      let box = Rectangle(
        x: Double(run.start), y: Double(run.row), width: Double(run.end - run.start), height: 1)
      if let index = roots.firstIndex(of: run.parent) {
        people[index].box = PersonRegion.union(people[index].box, box)
      } else {
        roots.append(run.parent)
        people.append(
          Person(
            box: box, area: Int(component.area),
            probability: Double(component.sum / Float(component.area)),
            hasFace: component.touchesFace))
      }
    }
    return people
  }

  private static func minimumArea(_ mask: Grid<Float>) -> Int32 {
    Int32(Double(mask.width * mask.height) * minimumAreaFraction)
  }

  /// The network may be less sure of people who were there before.
  private static func isLikely(
    _ component: Component, _ minimumArea: Int32, _ wasThere: Bool = false
  ) -> Bool {
    let mean = wasThere ? probableMeanOfKnown : probableMean
    return component.area > minimumArea && component.sum > mean * Float(component.area)
  }

  private func sumProbabilities(_ mask: Grid<Float>) {
    guard !isSummed else { return }
    isSummed = true
    for run in runs {
      let cells = mask.row(Int(run.row))[Int(run.start)..<Int(run.end)]
      components[Int(run.parent)].sum += Self.sum(cells)
    }
  }

  /// Sums eight cells at a time.
  private static func sum(_ cells: Row<Float>) -> Float {
    var (sums, x) = (SIMD8<Float>.zero, 0)
    while x &+ 8 <= cells.count {
      sums += cells.lanes(at: x)
      x &+= 8
    }
    var sum = sums.sum()
    while x < cells.count {
      sum += cells[x]
      x &+= 1
    }
    return sum
  }

  private func bounds(_ mask: Grid<Float>, _ counts: (Component) -> Bool) -> Rectangle? {
    columns.resize(width: mask.width, height: 1)
    rows.resize(width: mask.height, height: 1)
    let (columns, rows) = (columns.row(0), rows.row(0))
    columns.fill(0)
    rows.fill(0)
    var total: Int32 = 0
    for run in runs where counts(components[Int(run.parent)]) {
      let cells = Int(run.start)..<Int(run.end)
      let count = Self.add(columns[cells], mask.row(Int(run.row))[cells])
      rows[Int(run.row)] += count
      total += count
    }
    guard total > 0 else { return nil }
    let (left, right) = Self.trimmedRange(columns, total)
    let (top, bottom) = Self.trimmedRange(rows, total)
    return Rectangle(
      x: Double(left), y: Double(top), width: Double(right - left), height: Double(bottom - top))
  }

  /// Adds the cells with a person to their columns; returns their number.
  private static func add(_ columns: Row<Int32>, _ cells: Row<Float>) -> Int32 {
    let n = cells.count
    let columns = columns[..<n]
    var count: Int32 = 0
    for x in 0..<n {
      let one: Int32 = cells[x] > personThreshold ? 1 : 0
      columns[x] &+= one
      count &+= one
    }
    return count
  }

  /// The range of `counts` without half a percent of the total at either end.
  private static func trimmedRange(_ counts: Row<Int32>, _ total: Int32) -> (Int, Int) {
    let maximumTrimmed = total / 200
    var (low, high) = (0, counts.count)
    var sum = counts[low]
    while sum <= maximumTrimmed, low < high - 1 {
      low += 1
      sum += counts[low]
    }
    sum = counts[high - 1]
    while sum <= maximumTrimmed, high > low + 1 {
      high -= 1
      sum += counts[high - 1]
    }
    return (low, high)
  }

  private func findRuns(_ row: Row<Float>, _ y: Int, _ threshold: Float) {
    var x = 0
    while x < row.count {
      guard row[x] > threshold else {
        x &+= 1
        continue
      }
      let start = x
      while x < row.count, row[x] > threshold { x &+= 1 }
      let number = Int32(runs.count)
      runs.append(Run(start: Int32(start), end: Int32(x), row: Int32(y), parent: number))
    }
  }

  /// Joins runs of one row to those above that touch them, also at a corner.
  private func union(_ above: Range<Int>, _ below: Range<Int>) {
    var (a, b) = (above.lowerBound, below.lowerBound)
    while a < above.upperBound, b < below.upperBound {
      if runs[a].end >= runs[b].start, runs[b].end >= runs[a].start {
        let (first, second) = (findRoot(a), findRoot(b))
        runs[max(first, second)].parent = Int32(min(first, second))
      }
      if runs[a].end < runs[b].end { a += 1 } else { b += 1 }
    }
  }

  private func findRoot(_ index: Int) -> Int {
    var index = index
    while Int(runs[index].parent) != index {
      // Path halving.
      runs[index].parent = runs[Int(runs[index].parent)].parent
      index = Int(runs[index].parent)
    }
    return index
  }

  private static func intersects(
    _ row: Int32, _ start: Int32, _ end: Int32, _ box: Rectangle
  ) -> Bool {
    Double(row) < box.maxY && Double(row + 1) > box.y
      && Double(start) < box.maxX
      && Double(end) > box.x
  }
}
