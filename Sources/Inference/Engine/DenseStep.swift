/// Convolutions with one pixel as their result: a matrix times a vector.
///
/// The kernels' parts are exchanged: vectors are of weights, and weights are the window's numbers.
struct DenseStep: EngineStep {
  let input: Rows
  let output: Rows
  let window: LaidWindow
  let curve: Curve
  private let weights: FloatBuffer
  private let bias: FloatBuffer
  private let slopes: FloatBuffer
  private let sums: Sums
  private let finish: Finish
  private let tiling: Tiling
  let cost: Int

  let units = 1
  var scratch: Int { count }
  private let count: Int

  init(_ filter: Filter, _ input: Rows, _ output: Rows, _ curve: Curve) {
    (self.input, self.output, window, self.curve) = (input, output, filter.window, curve)
    let (outputs, lanes) = (output.width, Vector.lanes)
    let count = filter.weights.buffer.count / outputs
    self.count = count
    let vectors = Vector.count(outputs)
    tiling = Tiling(flat: vectors, width: 1)
    // The last tile is looked at as if it were as far from the first as its results are.
    weights = FloatBuffer(count: vectors * lanes * (count + 1))
    (bias, slopes) = (FloatBuffer(count: vectors * lanes), FloatBuffer(count: vectors * lanes))
    let (from, to) = (Numbers(filter.weights.buffer), Numbers(weights))
    for index in 0..<outputs {
      Numbers(bias)[index] = Numbers(filter.bias.buffer)[index]
      Numbers(slopes)[index] = curve.slope(index)
    }
    var place = 0
    var starts: [(place: Int, step: Int)] = []
    for tile in tiling.list {
      let across = tile.shape.total * lanes
      starts.append((place, across))
      for tap in 0..<count {
        for lane in 0..<across where Int(tile.place) * lanes + lane < outputs {
          to[place + lane] = from[(Int(tile.place) * lanes + lane) * count + tap]
        }
        place += across
      }
    }
    sums = Sums(matrix: starts, tiles: tiling, count: count)
    let places = (0..<vectors).map { Int32($0 * lanes * 4) }
    var finish = Finish(places: places, pitch: 0, channels: 1, lastLanes: lanes, .none)
    let row = Rows(height: 1, width: vectors * lanes, channels: 1)
    finish.add(row, rows: 1, last: false)
    self.finish = finish
    cost = count * outputs
  }

  func run(_ units: Range<Int>, _ memory: Memory) {
    guard !units.isEmpty else { return }
    if input.isVector {
      for index in 0..<count { memory.scratch[index] = memory.maps[input.origin + index] }
    } else {
      var place = 0
      for y in -window.top..<window.height - window.top {
        for x in -window.left..<window.width - window.left {
          let isInside = y >= 0 && y < input.height && x >= 0 && x < input.width
          for channel in 0..<input.channels {
            memory.scratch[place] =
              isInside ? memory.maps[input.index(row: y, channel: channel) + x] : 0
            place += 1
          }
        }
      }
    }
    let target = (memory.maps, output.origin)
    Kernels.run(
      sums, groups: Groups(), tiling, finish, input: (Numbers(weights), 0), output: target,
      added: (Numbers(bias), 0), vector: memory.scratch)
    guard !curve.isNone else { return }
    for vector in 0..<output.vectors {
      let index = output.origin + vector * Vector.lanes
      let slope = Numbers(slopes).vector(vector * Vector.lanes)
      memory.maps.put(curve.bend(memory.maps.vector(index), slope: slope), index)
    }
  }
}
