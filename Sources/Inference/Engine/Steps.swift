/// What a step of the engine works on: all maps of the network, and scratch for the caller alone.
struct Memory {
  let maps: Numbers
  let scratch: Numbers
}

/// Something the engine does between two points at which all threads wait for each other.
protocol EngineStep {
  /// Pieces that may be done in any order and at the same time.
  var units: Int { get }
  /// Multiplications or so.
  var cost: Int { get }
  /// Numbers of scratch.
  var scratch: Int { get }

  func run(_ units: Range<Int>, _ memory: Memory)
}

/// What becomes of sums, and where they go.
struct Finish {
  let output: Planes
  let channels: Int
  let curve: Curve
  let slopes: FloatBuffer
  /// What is added to the sums, as far as it has channels, before they are bent or after.
  let added: Planes?
  let addsLast: Bool
  /// Whether tiles leave bending and adding to `complete`.
  private(set) var isLate: Bool
  /// Where the vectors of a band lie, in bytes from the first.
  let places: [Int32]
  let addedPlaces: [Int32]

  init(
    _ output: Planes, vectors: Int, _ curve: Curve, added: Planes? = nil, addsLast: Bool = false
  ) {
    (self.output, self.curve, self.added, self.addsLast) = (output, curve, added, addsLast)
    isLate = curve.isSlow || addsLast
    channels = output.channels
    slopes = curve.slopes ?? FloatBuffer(count: channels)
    func places(_ map: Planes) -> [Int32] {
      (0..<vectors).map { Int32((map.place($0) - map.origin) * 4) }
    }
    self.places = places(output)
    addedPlaces = added.map { places($0) } ?? self.places
  }
}

extension Finish {
  /// The same where no tile bends anything.
  func bendingLate() -> Finish {
    var own = self
    own.isLate = isLate || !curve.isNone
    return own
  }

  /// Does what tiles left.
  func complete(_ band: Range<Int>, _ maps: Numbers) {
    guard isLate else { return }
    var scan = Scan(output, band)
    let apart = addsLast ? added.map { ($0.origin - output.origin) * 4 } ?? 0 : 0
    scan.reach = min(0, apart)..<max(0, apart) + 1
    Kernels.bend(
      Kernels.lines(scan, maps, maps), by: curve, adding: addsLast ? apart : nil,
      mask: output.mask.map { Numbers($0) }, from: band.lowerBound * Vector.lanes)
  }
}

extension Finish {
  /// Whether what is prepared of `input` for each place of `output` can be laid where it goes: rows
  /// are whole vectors, which follow each other here as there.
  static func takes(_ output: Planes, from input: Planes) -> Bool {
    output.width % Vector.lanes == 0 && !output.isVector
      && (!input.isFlat || output.isFlat || !input.isSameSize(output))
  }
}

/// Sums for every place of a map, band by band.
struct SumStep: EngineStep {
  let input: Planes
  let preparation: (any Preparation)?
  let bands: Bands
  let cost: Int
  private let stage: Stage?
  private let sums: Sums
  private let finish: Finish
  /// Whether what is prepared is laid where results go, so that no tile has to.
  private let isDirect: Bool

  /// Without `filter` every channel is what was prepared for it, plus `bias`; without a
  /// `preparation` the sums are of the map as it lies.
  init(
    _ input: Planes, _ preparation: (any Preparation)?, _ filter: LaidFilter?, bias: FloatBuffer?,
    finish: (_ vectors: Int) -> Finish
  ) {
    (self.input, self.preparation) = (input, preparation)
    let (output, added) = (finish(1).output, finish(1).added)
    let weights = filter.map { Numbers($0.weights.buffer) }
    let load =
      weights.map {
        Sums.Load($0, channels: output.channels, added: min(added?.channels ?? 0, output.channels))
      }
      ?? Sums.Load(channels: output.channels)
    bands = Bands(output, planes: preparation?.planes ?? input.channels, load) {
      preparation?.cost($0) ?? 0
    }
    let size = bands.size
    var stage = preparation?.stage(size)
    isDirect =
      stage != nil && filter == nil && bias == nil && added == nil
      && Finish.takes(output, from: input)
    if isDirect { stage?.map = output }
    let pitch = stage?.pitch ?? input.plane
    let taps =
      (preparation as? Columns).flatMap { columns in stage.map { columns.taps($0) } }
      ?? (0..<input.channels).map { $0 * pitch * 4 }
    self.stage = stage
    if let weights, let filter {
      sums = Sums(weights, taps: taps, bias: filter.bias.buffer, width: bands.width)
    } else {
      sums = Sums(taps: taps, bias: bias ?? FloatBuffer(count: input.channels))
    }
    self.finish = isDirect ? finish(size).bendingLate() : finish(size)
    let own = (preparation as? Windows).map { $0.window.height * $0.window.width } ?? 2
    cost = output.count * Vector.lanes * (sums.factors.count + own * input.channels)
  }

  var output: Planes { finish.output }
  var width: Int { sums.width }
  var units: Int { bands.count }
  var scratch: Int { stage?.count ?? 0 }

  func run(_ units: Range<Int>, _ memory: Memory) {
    for unit in units {
      let band = bands[unit]
      if let preparation, let stage {
        let first = preparation.fill(stage, memory.scratch, band, memory.maps)
        if !isDirect {
          Kernels.run(sums, finish, band, input: (memory.scratch, first), maps: memory.maps)
        }
      } else {
        Kernels.run(
          sums, finish, band, input: (memory.maps, input.place(band.lowerBound)),
          maps: memory.maps, rows: input.isFlat ? nil : input)
      }
      finish.complete(band, memory.maps)
    }
  }
}

/// Convolutions with one pixel as their result: a matrix times a vector.
///
/// The kernels' parts are exchanged: vectors are of weights, and weights are the window's numbers.
struct DenseStep: EngineStep {
  /// A tile, and the weights of its outputs alone: what is read lies in the order of reading.
  private struct Part {
    let band: Range<Int>
    let sums: Sums
    let weights: FloatBuffer
  }

  let input: Planes
  let window: LaidWindow
  private let parts: [Part]
  private let finish: Finish
  let cost: Int
  let scratch: Int

  init(_ filter: LaidFilter, _ input: Planes, _ output: Planes, _ curve: Curve) {
    (self.input, window) = (input, filter.window)
    let (from, bias) = (Numbers(filter.weights.buffer), Numbers(filter.bias.buffer))
    let outputs = output.width
    let count = filter.weights.buffer.count / outputs
    (scratch, cost) = (count + 1, count * outputs)
    finish = Finish(output, vectors: output.count, curve)
    var parts: [Part] = []
    Tiling(output.count, most: Kernels.most(1)) { first, size in
      let pitch = size * Vector.lanes
      // The last column is what is added to the sums: its number is 1.
      let weights = FloatBuffer(count: pitch * (count + 1))
      let to = Numbers(weights)
      let start = first * Vector.lanes
      for index in 0..<max(0, min(pitch, outputs - start)) {
        for tap in 0..<count { to[tap * pitch + index] = from[(start + index) * count + tap] }
        to[count * pitch + index] = bias[start + index]
      }
      parts.append(
        Part(
          band: first..<first + size, sums: Sums(columns: count + 1, pitch: pitch),
          weights: weights))
    }
    self.parts = parts
  }

  var units: Int { parts.count }

  func run(_ units: Range<Int>, _ memory: Memory) {
    guard !units.isEmpty else { return }
    if input.isVector {
      for index in 0..<scratch - 1 { memory.scratch[index] = memory.maps[input.origin + index] }
    } else {
      var place = 0
      for y in -window.top..<window.height - window.top {
        for x in -window.left..<window.width - window.left {
          let isInside = y >= 0 && y < input.height && x >= 0 && x < input.width
          let index = input.origin + y * input.pitch + x
          for channel in 0..<input.channels {
            memory.scratch[place] = isInside ? memory.maps[index + channel * input.plane] : 0
            place += 1
          }
        }
      }
    }
    memory.scratch[scratch - 1] = 1
    for part in parts[units] {
      Kernels.run(
        part.sums, finish, part.band, input: (Numbers(part.weights), 0), maps: memory.maps,
        vector: memory.scratch)
      finish.complete(part.band, memory.maps)
    }
  }
}

/// The average of each channel, as `Gathering` would lay it.
struct AverageStep: EngineStep {
  let source: Gathering
  let output: Planes
  let curve: Curve

  var units: Int { source.input.channels }
  var cost: Int { source.input.count * Vector.lanes * source.input.channels }
  let scratch = 0

  func run(_ units: Range<Int>, _ memory: Memory) {
    let (input, maps) = (source.input, memory.maps)
    let share = 1 / Float(input.height * input.width)
    for channel in units {
      var total = Self.total(input, channel, maps)
      if let scale = source.scale { total *= maps[scale.origin + channel] }
      if let more = source.more { total += Self.total(more, channel, maps) }
      let value = curve.bend(Vector(total * share), slope: Vector(0))
      maps[output.origin + channel] = value[0]
    }
  }

  private static func total(_ map: Planes, _ channel: Int, _ maps: Numbers) -> Float {
    var scan = Scan(map, 0..<map.count)
    scan.from.index += channel * map.plane
    (scan.channels, scan.to) = (1, Scan.Side(index: scan.from.index, plane: 0, line: 0))
    var sums = (Vector(0), Vector(0))
    Kernels.channels(scan, maps, maps) { _, lines in
      lines.each { cell, _ in sums = (sums.1, sums.0 + cell[0]) }
    }
    return (sums.0 + sums.1).sum()
  }
}
