/// A map made larger or smaller by weighing the four nearest pixels, whose centres lie at halves.
struct Resizing: Preparation {
  /// Two neighbours, and the weight of the second.
  struct Place {
    var first, second: Int
    var weight: Float
  }

  let input: Planes
  let output: Planes
  let columns: [Place]
  let rows: [Place]

  init(_ input: Planes, _ output: Planes) {
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

  /// Numbers from a row between two rows to the next.
  private var pitch: Int {
    (Vector.count(max(input.width, (output.width + 1) / 2)) + 3) * Vector.lanes
  }

  /// Behind the runs, a channel's rows between rows, with the edges repeated round them.
  func stage(_ vectors: Int) -> Stage {
    Stage(output, vectors: vectors, runs: planes, more: output.rows(in: vectors) * pitch)
  }

  func fill(_ stage: Stage, _ scratch: Numbers, _ band: Range<Int>, _ maps: Numbers) -> Int {
    let (first, room) = (output.rows(band).lowerBound, stage.pitch * planes + Vector.lanes)
    let last = input.width - 1
    var whole = Scan(input, LaidWindow(), output, band, stage)
    var between = whole
    between.across = Vector.count(input.width)
    between.from = Scan.Side(index: input.origin, plane: input.plane, line: 0)
    between.to = Scan.Side(index: room, plane: 0, line: pitch)
    between.reach = 0..<(input.height - 1) * input.pitch * 4 + 1
    whole.from = Scan.Side(index: room, plane: 0, line: pitch)
    (whole.step, whole.reach) = (Kernels.size / 2, -4..<5)
    let (above, across) = (
      Kernels.lines(between, maps, scratch), Kernels.lines(whole, scratch, scratch)
    )
    for channel in 0..<input.channels {
      let (above, across) = (above.channel(channel), across.channel(channel))
      for line in 0..<above.count {
        let place = rows[first + line]
        let (one, two) = (place.first &* input.pitch &* 4, place.second &* input.pitch &* 4)
        let weight = Vector(place.weight)
        for number in 0..<above.across {
          let cell = above[line, number]
          var x = cell[one]
          x.add(cell[two] - x, times: weight)
          cell.store(x)
        }
        let row = room + line * pitch
        scratch[row - 1] = scratch[row]
        scratch[row + last + 1] = scratch[row + last]
      }
      if output.width == 2 * input.width {
        across.each { cell, _ in
          let middle = cell[0] * Vector(0.75)
          var (even, odd, both) = (middle, middle, Vector(0))
          even.add(cell[-4], times: Vector(0.25))
          odd.add(cell[4], times: Vector(0.25))
          both.evenHalf = even.lowHalf
          both.oddHalf = odd.lowHalf
          cell.store(both)
        }
      } else {
        for line in 0..<whole.lines {
          let row = room + line * pitch
          let to = whole.to.index + channel * stage.pitch + line * whole.to.line
          for (x, place) in columns.enumerated() {
            let left = scratch[row + place.first]
            scratch[to + x] = left + (scratch[row + place.second] - left) * place.weight
          }
        }
      }
    }
    return stage.first
  }
}
