/// What a band's sums are made of, laid in scratch: for each of its taps a run of numbers as long as
/// the band, one for each of its places.
protocol Prologue {
  /// Runs that there are for each number of a place: a guess at what must stay near.
  var planes: Int { get }

  /// Cycles or so for each vector of the map, where so many rows are laid at once.
  func cost(_ rows: Int) -> Double

  /// Scratch for bands of so many vectors.
  func stage(_ vectors: Int) -> ScratchLayout
  /// Lays the numbers of a band, in scratch or in the map that the stage names; gives the place of
  /// the first in scratch.
  func fill(_ stage: ScratchLayout, _ scratch: FloatView, _ band: Range<Int>, _ maps: FloatView)
    -> Int
}

extension Prologue {
  func cost(_ rows: Int) -> Double { 3 * Double(planes) }
}

/// How scratch is laid out, or where else what is prepared goes.
struct ScratchLayout {
  /// Numbers from a run to the next.
  let pitch: Int
  /// The place of the first run's first number.
  let first: Int
  let count: Int
  /// The map that is filled where what is prepared is the result.
  var map: MapLayout?

  /// Runs for bands of a map, with room for what rows have beyond them.
  init(_ map: MapLayout, vectors: Int, runs: Int, more: Int = 0) {
    first = map.isFlat ? (map.pitch + 2 * Vector.lanes + 15) / 16 * 16 : 0
    pitch = (vectors * Vector.lanes + 2 * first + 15) / 16 * 16 | 16
    count = runs * pitch + more + 2 * Vector.lanes
  }

  init(pitch: Int, count: Int) { (self.pitch, first, self.count) = (pitch, 0, count) }

  /// What is filled.
  func target(_ scratch: FloatView, _ maps: FloatView) -> FloatView { map == nil ? scratch : maps }

  /// Where a band's runs begin; in scratch at `index`, and lines lie `line` numbers apart.
  func side(_ band: Range<Int>, index: Int, line: Int) -> Traversal.Side {
    if let map {
      return Traversal.Side(index: map.place(band.lowerBound), plane: map.plane, line: map.pitch)
    }
    return Traversal.Side(index: index, plane: pitch, line: line)
  }
}

/// Vectors that are gone through line by line, channel by channel.
struct Traversal {
  struct Side {
    /// The first number, and how far it is to the next channel and to the next line.
    var index, plane, line: Int
  }

  var channels, lines, across: Int
  var from, to: Side
  /// Bytes from a vector's place to the next vector's, and what may be read about it.
  var step = Kernels.size
  var reach = 0..<1
  /// How far from a place something may be written.
  var room = 0
  /// Bytes from where something is written to what is added to it, if anything is.
  var apart: Int?

  /// All of a band that has the same places in both maps, or in scratch.
  init(_ map: MapLayout, _ band: Range<Int>, _ stage: ScratchLayout) {
    channels = map.channels
    (lines, across) = map.isFlat ? (1, band.count) : (band.count / map.across, map.across)
    from = Side(index: map.place(band.lowerBound), plane: map.plane, line: map.pitch)
    to = stage.side(band, index: stage.first, line: map.line)
  }

  /// The same, from a band of a map to itself.
  init(_ map: MapLayout, _ band: Range<Int>) {
    self.init(map, band, ScratchLayout(pitch: 0, count: 0))
    to = from
  }

  /// Windows over `input` that give the rows which a band of `output` meets.
  init(
    _ input: MapLayout, _ window: SlidingWindow, _ output: MapLayout, _ band: Range<Int>,
    _ stage: ScratchLayout
  ) {
    let rows = output.rows(band)
    (channels, lines, across) = (input.channels, rows.count, Vector.count(output.width))
    let top = rows.lowerBound * window.strideHeight - window.top
    from = Side(
      index: input.origin + top * input.pitch - window.left, plane: input.plane,
      line: window.strideHeight * input.pitch)
    to = stage.side(
      band, index: stage.first + rows.lowerBound * output.line - band.lowerBound * Vector.lanes,
      line: output.line)
    if window.strideWidth == 2 { step *= 2 }
    let more = window.strideWidth == 2 ? Kernels.size : 0
    reach = 0..<((window.height - 1) * input.pitch + window.width - 1) * 4 + more + 1
  }
}

/// A map's numbers, each channel times a factor, with another map's added.
struct ScaleAndResidual: Prologue {
  let input: MapLayout
  /// A vector with a factor for each channel.
  var scale: MapLayout?
  var more: MapLayout?

  var planes: Int { input.channels }

  func stage(_ vectors: Int) -> ScratchLayout {
    ScratchLayout(input, vectors: vectors, runs: planes)
  }

  func fill(_ stage: ScratchLayout, _ scratch: FloatView, _ band: Range<Int>, _ maps: FloatView)
    -> Int
  {
    var scan = Traversal(input, band, stage)
    let apart = more.map { ($0.origin - input.origin) * 4 }
    scan.reach = min(0, apart ?? 0)..<max(0, apart ?? 0) + 1
    Kernels.channels(scan, maps, stage.target(scratch, maps)) { channel, lines in
      let factor = Vector(scale.map { maps[$0.origin + channel] } ?? 1)
      if let apart {
        lines.each { cell, _ in
          var sum = cell[apart]
          sum.add(cell[0], times: factor)
          cell.store(sum)
        }
      } else {
        lines.each { cell, _ in cell.store(cell[0] * factor) }
      }
    }
    return stage.first
  }
}

/// The largest number of each window; windows stay inside the map.
struct MaxPooling: Prologue {
  let input: MapLayout
  let output: MapLayout
  let window: SlidingWindow

  var planes: Int { input.channels }

  func stage(_ vectors: Int) -> ScratchLayout {
    ScratchLayout(output, vectors: vectors, runs: planes)
  }

  func fill(_ stage: ScratchLayout, _ scratch: FloatView, _ band: Range<Int>, _ maps: FloatView)
    -> Int
  {
    let scan = Traversal(input, window, output, band, stage)
    let (row, width) = (input.pitch * 4, window.width)
    let isDouble = window.strideWidth == 2
    Kernels.channels(scan, maps, stage.target(scratch, maps)) { _, lines in
      guard !isDouble || window.height != 2 || width != 2 else {
        lines.each { cell, _ in
          let below = cell.every(row).atLeast(cell.every(row &+ 4))
          cell.store(cell.every(0).atLeast(cell.every(4)).atLeast(below))
        }
        return
      }
      lines.each { cell, _ in
        var most = Vector(-.infinity)
        for tap in 0..<window.height * width {
          let offset = tap / width &* row &+ tap % width &* 4
          most = most.atLeast(isDouble ? cell.every(offset) : cell[offset])
        }
        cell.store(most)
      }
    }
    return stage.first
  }
}

/// What windows over all channels see: for each of their columns a run, of every row that they meet,
/// those of even and odd rows apart where they move by 2.
struct Im2Col: Prologue {
  let input: MapLayout
  let output: MapLayout
  let window: SlidingWindow

  var planes: Int { input.channels * window.width * window.height }
  private var parts: Int { min(window.strideHeight, window.height) }

  func stage(_ vectors: Int) -> ScratchLayout {
    let rows = output.rows(in: vectors)
    let high = rows + (window.height - 1) / window.strideHeight
    let pitch = (high * output.line + Vector.lanes + 15) / 16 * 16 | 16
    let runs = input.channels * window.width * parts
    return ScratchLayout(pitch: pitch, count: runs * pitch + (vectors + 2) * Vector.lanes)
  }

  /// Rows that two bands see are laid twice.
  func cost(_ rows: Int) -> Double {
    let more = output.isFlat && rows < output.height ? window.strideHeight : 0
    let high = rows * window.strideHeight + window.height - window.strideHeight + more
    return 4 * Double(input.channels * window.width * high) / Double(rows)
  }

  /// Where the numbers of a window lie, in bytes.
  func taps(_ stage: ScratchLayout) -> [Int] {
    let step = window.strideHeight
    let parts = parts
    return (0..<window.height).flatMap { y in
      (0..<window.width).flatMap { x in
        (0..<input.channels).map { channel in
          let run = (channel * window.width + x) * parts + y % step
          return (run * stage.pitch + y / step * output.line) * 4
        }
      }
    }
  }

  func fill(_ stage: ScratchLayout, _ scratch: FloatView, _ band: Range<Int>, _ maps: FloatView)
    -> Int
  {
    let step = window.strideHeight
    let whole = Traversal(input, window, output, band, stage)
    for x in 0..<window.width {
      for y in 0..<parts {
        var scan = whole
        scan.lines += (window.height - 1 - y) / step
        scan.from.index += y * input.pitch + x
        scan.to.index = (x * parts + y) * stage.pitch
        scan.to.plane = window.width * parts * stage.pitch
        scan.reach = 0..<scan.step - Kernels.size + 1
        Kernels.channels(scan, maps, scratch) { _, lines in
          if window.strideWidth == 2 {
            lines.each { cell, _ in cell.store(cell.every(0)) }
          } else {
            lines.each { cell, _ in cell.store(cell[0]) }
          }
        }
      }
    }
    return band.lowerBound * Vector.lanes - output.rows(band).lowerBound * output.line
  }
}
