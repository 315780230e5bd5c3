/// A map made larger or smaller by weighing the four nearest pixels, whose centres lie at halves.
struct BilinearResize: Prologue {
  /// Two neighbours, and the weight of the second.
  struct Place {
    var first, second: Int
    var weight: Float
  }

  let input: MapLayout
  let output: MapLayout
  let columns: [Place]
  let rows: [Place]

  init(_ input: MapLayout, _ output: MapLayout) {
    (self.input, self.output) = (input, output)
    func places(_ from: Int, _ to: Int) -> [Place] {
      (0..<to).map { number in
        let place = max(0, (Float(number) + 0.5) * (Float(from) / Float(to)) - 0.5)
        let first = min(Int(place), from - 1)
        return Place(
          first: first, second: min(first + 1, from - 1), weight: place - Float(first))
      }
    }
    (rows, columns) = (places(input.height, output.height), places(input.width, output.width))
  }

  var planes: Int { input.channels }

  /// Numbers from a widened row to the next.
  private var pitch: Int { Vector.count(output.width) * Vector.lanes }

  /// Behind the runs, a channel's rows as wide as the output's.
  func stage(_ vectors: Int) -> ScratchLayout {
    let rows = min(
      input.height, output.rows(in: vectors) * input.height / output.height + 3)
    return ScratchLayout(output, vectors: vectors, runs: planes, more: rows * pitch)
  }

  func fill(_ stage: ScratchLayout, _ scratch: FloatView, _ band: Range<Int>, _ maps: FloatView)
    -> Int
  {
    let (lines, room) = (output.rows(band), stage.pitch * planes)
    let (top, bottom) = (rows[lines.lowerBound].first, rows[lines.upperBound - 1].second)
    var blended = Traversal(input, SlidingWindow(), output, band, stage)
    var widened = blended
    widened.lines = bottom - top + 1
    widened.from = Traversal.Side(
      index: input.origin + top * input.pitch, plane: input.plane, line: input.pitch)
    widened.to = Traversal.Side(index: room, plane: 0, line: pitch)
    (widened.step, widened.reach) = (Kernels.size / 2, -4..<5)
    blended.from = Traversal.Side(index: room, plane: 0, line: 0)
    blended.reach = 0..<(bottom - top) * pitch * 4 + 1
    let (wide, blend) = (
      Kernels.lines(widened, maps, scratch),
      Kernels.lines(blended, scratch, stage.target(scratch, maps))
    )
    for channel in 0..<input.channels {
      widen(wide.channel(channel), maps, widened.from.index + channel * input.plane, scratch, room)
      let blend = blend.channel(channel)
      for line in 0..<blend.count {
        let place = rows[lines.lowerBound + line]
        let one = (place.first &- top) &* pitch &* 4
        let (two, weight) = ((place.second &- top) &* pitch &* 4, Vector(place.weight))
        for number in 0..<blend.across {
          let cell = blend[line, number]
          var x = cell[one]
          x.add(cell[two] - x, times: weight)
          cell.store(x)
        }
      }
    }
    return stage.first
  }

  /// Makes a channel's rows as wide as the output's; the first begins at `index`.
  private func widen(
    _ lines: Kernels.ChannelRows, _ maps: FloatView, _ index: Int, _ scratch: FloatView, _ room: Int
  ) {
    let isDouble = output.width == 2 * input.width
    if isDouble {
      lines.each { cell, _ in
        let middle = cell[0] * Vector(0.75)
        var (even, odd, both) = (middle, middle, Vector(0))
        even.add(cell[-4], times: Vector(0.25))
        odd.add(cell[4], times: Vector(0.25))
        both.evenHalf = even.lowHalf
        both.oddHalf = odd.lowHalf
        cell.store(both)
      }
    }
    for line in 0..<lines.count {
      let (from, to) = (index + line * input.pitch, room + line * pitch)
      if isDouble {
        // Beyond an edge lies what is there.
        scratch[to] = maps[from]
        scratch[to + output.width - 1] = maps[from + input.width - 1]
      } else {
        for (x, place) in columns.enumerated() {
          let left = maps[from + place.first]
          scratch[to + x] = left + (maps[from + place.second] - left) * place.weight
        }
      }
    }
  }
}
