/// What a step of the engine works on: all maps of the network, and scratch for the caller alone.
struct Memory {
  let maps: FloatView
  let scratch: FloatView
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
struct Epilogue {
  let output: MapLayout
  let channels: Int
  let activation: Activation
  let slopes: FloatBuffer
  /// What is added to the sums, as far as it has channels, before they are bent or after.
  let added: MapLayout?
  let addsAfterActivation: Bool
  /// Whether tiles leave bending and adding to `complete`.
  private(set) var isOwnPass: Bool
  /// Where the vectors of a band lie, in bytes from the first.
  let places: [Int32]
  let addedPlaces: [Int32]

  init(
    _ output: MapLayout, vectors: Int, _ activation: Activation, added: MapLayout? = nil,
    addsAfterActivation: Bool = false
  ) {
    (self.output, self.activation, self.added, self.addsAfterActivation) = (
      output, activation, added, addsAfterActivation
    )
    isOwnPass = activation.runsInOwnPass || addsAfterActivation
    channels = output.channels
    slopes = activation.slopes ?? FloatBuffer(count: channels)
    func places(_ map: MapLayout) -> [Int32] {
      (0..<vectors).map { Int32((map.place($0) - map.origin) * 4) }
    }
    self.places = places(output)
    addedPlaces = added.map { places($0) } ?? self.places
  }
}

extension Epilogue {
  /// The same where no tile bends anything.
  func inOwnPass() -> Epilogue {
    var own = self
    own.isOwnPass = isOwnPass || !activation.isIdentity
    return own
  }

  /// Does what tiles left.
  func complete(_ band: Range<Int>, _ maps: FloatView) {
    guard isOwnPass else { return }
    var scan = Traversal(output, band)
    let apart = addsAfterActivation ? added.map { ($0.origin - output.origin) * 4 } ?? 0 : 0
    scan.reach = min(0, apart)..<max(0, apart) + 1
    Kernels.activate(
      Kernels.lines(scan, maps, maps), by: activation, adding: addsAfterActivation ? apart : nil,
      mask: output.mask.map { FloatView($0) }, from: band.lowerBound * Vector.lanes)
  }
}

extension Epilogue {
  /// Whether what is prepared of `input` for each place of `output` can be laid where it goes: rows
  /// are whole vectors, which follow each other here as there.
  static func takes(_ output: MapLayout, from input: MapLayout) -> Bool {
    output.width % Vector.lanes == 0 && !output.isVector
      && (!input.isFlat || output.isFlat || !input.isSameSize(output))
  }
}

/// Sums for every place of a map, band by band.
struct FusedStep: EngineStep {
  let input: MapLayout
  let preparation: (any Prologue)?
  let bands: Bands
  let cost: Int
  private let stage: ScratchLayout?
  private let sums: PackedWeights
  private let finish: Epilogue
  /// Whether what is prepared is laid where results go, so that no tile has to.
  private let isDirect: Bool

  /// Without `filter` every channel is what was prepared for it, plus `bias`; without a
  /// `preparation` the sums are of the map as it lies.
  init(
    _ input: MapLayout, _ preparation: (any Prologue)?, _ filter: ConvolutionParameters?,
    bias: FloatBuffer?,
    finish: (_ vectors: Int) -> Epilogue
  ) {
    (self.input, self.preparation) = (input, preparation)
    let (output, added) = (finish(1).output, finish(1).added)
    let weights = filter.map { FloatView($0.weights.buffer) }
    let load =
      weights.map {
        CostEstimate(
          $0, channels: output.channels, added: min(added?.channels ?? 0, output.channels))
      }
      ?? CostEstimate(channels: output.channels)
    bands = Bands(output, planes: preparation?.planes ?? input.channels, load) {
      preparation?.cost($0) ?? 0
    }
    let size = bands.size
    var stage = preparation?.stage(size)
    isDirect =
      stage != nil && filter == nil && bias == nil && added == nil
      && Epilogue.takes(output, from: input)
    if isDirect { stage?.map = output }
    let pitch = stage?.pitch ?? input.plane
    let taps =
      (preparation as? Im2Col).flatMap { columns in stage.map { columns.taps($0) } }
      ?? (0..<input.channels).map { $0 * pitch * 4 }
    self.stage = stage
    if let weights, let filter {
      sums = PackedWeights(weights, taps: taps, bias: filter.bias.buffer, width: bands.width)
    } else {
      sums = PackedWeights(taps: taps, bias: bias ?? FloatBuffer(count: input.channels))
    }
    self.finish = isDirect ? finish(size).inOwnPass() : finish(size)
    let own = (preparation as? DepthwiseConvolution).map { $0.window.height * $0.window.width } ?? 2
    cost = output.count * Vector.lanes * (sums.factors.count + own * input.channels)
  }

  var output: MapLayout { finish.output }
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
    let sums: PackedWeights
    let weights: FloatBuffer
  }

  let input: MapLayout
  let window: SlidingWindow
  private let parts: [Part]
  private let finish: Epilogue
  let cost: Int
  let scratch: Int

  init(
    _ filter: ConvolutionParameters, _ input: MapLayout, _ output: MapLayout,
    _ activation: Activation
  ) {
    (self.input, window) = (input, filter.window)
    let (from, bias) = (FloatView(filter.weights.buffer), FloatView(filter.bias.buffer))
    let outputs = output.width
    let count = filter.weights.buffer.count / outputs
    (scratch, cost) = (count + 1, count * outputs)
    finish = Epilogue(output, vectors: output.count, activation)
    var parts: [Part] = []
    Tiling(output.count, most: Kernels.most(1)) { first, size in
      let pitch = size * Vector.lanes
      // The last column is what is added to the sums: its number is 1.
      let weights = FloatBuffer(count: pitch * (count + 1))
      let to = FloatView(weights)
      let start = first * Vector.lanes
      for index in 0..<max(0, min(pitch, outputs - start)) {
        for tap in 0..<count { to[tap * pitch + index] = from[(start + index) * count + tap] }
        to[count * pitch + index] = bias[start + index]
      }
      parts.append(
        Part(
          band: first..<first + size, sums: PackedWeights(columns: count + 1, pitch: pitch),
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
        part.sums, finish, part.band, input: (FloatView(part.weights), 0), maps: memory.maps,
        vector: memory.scratch)
      finish.complete(part.band, memory.maps)
    }
  }
}

/// The average of each channel, as `ScaleAndResidual` would lay it.
struct GlobalAverageStep: EngineStep {
  let source: ScaleAndResidual
  let output: MapLayout
  let activation: Activation

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
      let value = activation.activate(Vector(total * share), slope: Vector(0))
      maps[output.origin + channel] = value[0]
    }
  }

  private static func total(_ map: MapLayout, _ channel: Int, _ maps: FloatView) -> Float {
    var scan = Traversal(map, 0..<map.count)
    scan.from.index += channel * map.plane
    (scan.channels, scan.to) = (1, Traversal.Side(index: scan.from.index, plane: 0, line: 0))
    var sums = (Vector(0), Vector(0))
    Kernels.channels(scan, maps, maps) { _, lines in
      lines.each { cell, _ in sums = (sums.1, sums.0 + cell[0]) }
    }
    return (sums.0 + sums.1).sum()
  }
}
