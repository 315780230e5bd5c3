/// Why the engine leaves a network to XNNPACK.
struct Declined: Error {
  let reason: String
}

/// Puts layers together into steps: what follows a convolution number by number is done while its
/// sums are still in registers, padding becomes the zeros round a map, and maps that are not needed
/// any more give their memory to others of the same size.
final class EnginePlanner {
  /// A value of the network as a map that the engine keeps, seen in another way.
  struct View {
    var map: Int
    /// Zeros that layers would have put round it, and after its channels.
    var top = 0
    var bottom = 0
    var left = 0
    var right = 0
    var channels = 0
    /// Pixels that each of its pixels stands for.
    var block = (height: 1, width: 1)
    var isReshaped = false

    var isPlain: Bool { isWhole && block == (1, 1) && !isReshaped }
    var isWhole: Bool { top + bottom + left + right + channels == 0 }
  }

  /// A convolution that is not a step yet, for what comes next may belong to it.
  struct Open {
    var first: Filter?
    var firstCurve = Curve.none
    var filter: Filter
    var input: View
    var shape: Map
    var curve: Curve
    var added: View?
    var addsLast = false
    var block = (height: 1, width: 1)
    /// Whether `filter` keeps channels apart.
    var isDepthwise = false

    var isVector: Bool { shape.height * shape.width == 1 }
  }

  struct KeptMap {
    var shape: Map
    var top = 0
    var bottom = 0
    var gap = 0
    var lastUse = 0
    var rows: Rows?
  }

  struct Item {
    var reads: [Int]
    var writes: Int?
    var step: (EnginePlanner) -> any EngineStep
  }

  let plan: GraphBuilder
  var maps: [KeptMap] = []
  var views: [Int: View] = [:]
  var open: [Int: Open] = [:]
  var items: [Item] = []
  var readers: [Int: Int] = [:]
  private(set) var steps: [any EngineStep] = []
  private(set) var count = 16
  private(set) var outputs: [Range<Int>] = []

  var input: Rows { rows(0) }

  /// Sizes beyond those of networks that run in real time are left to XNNPACK.
  static let (longest, mostChannels, widest, mostNumbers) = (4096, 2048, 9, 16 << 20)

  init(_ plan: GraphBuilder) throws(Declined) {
    self.plan = plan
    for layer in plan.layers {
      for case .value(let tensor) in layer.inputs { readers[tensor, default: 0] += 1 }
    }
    // What goes out must be there as it is.
    for piece in plan.pieces { readers[piece.tensor, default: 0] += 2 }
    views[plan.input] = View(map: try keep(try map(plan.input)))
    guard maps[0].shape.height * maps[0].shape.width > 1 else {
      throw Declined(reason: "its input")
    }
    for layer in plan.layers {
      do throws(Declined) {
        try take(layer)
      } catch {
        throw Declined(reason: "\(layer.title) at operator \(layer.number): \(error.reason)")
      }
    }
    try putOut()
    try allocate()
    steps = items.map { $0.step(self) }
  }

  func rows(_ map: Int) -> Rows { maps[map].rows ?? Rows(height: 0, width: 0, channels: 0) }

  func map(_ tensor: Int) throws(Declined) -> Map {
    guard let shape = plan.shapes[tensor], shape.count == 4, shape[0] == 1,
      shape[1] <= Self.longest, shape[2] <= Self.longest, shape[3] <= Self.mostChannels
    else { throw Declined(reason: "its shape") }
    return Map(height: shape[1], width: shape[2], channels: shape[3])
  }

  func keep(_ shape: Map) throws(Declined) -> Int {
    maps.append(KeptMap(shape: shape))
    return maps.count - 1
  }

  /// Makes a step of what is still open and gives the value as it is then.
  func close(_ tensor: Int) throws(Declined) -> View {
    guard let own = open.removeValue(forKey: tensor) else {
      guard let view = views[tensor] else { throw Declined(reason: "its input") }
      return view
    }
    let to = try keep(own.shape)
    views[tensor] = View(map: to, block: own.block)
    let (input, added) = (own.input.map, own.added?.map)
    items.append(
      Item(reads: [input] + (added.map { [$0] } ?? []), writes: to) { planner in
        let (from, into) = (planner.rows(input), planner.rows(to))
        let more = added.map { planner.rows($0) }
        if own.isVector { return DenseStep(own.filter, from, into, own.curve) }
        if let first = own.first {
          return DepthwiseStep(
            first, own.firstCurve, from, into, then: own.filter, own.curve, added: more,
            last: own.addsLast)
        }
        if own.isDepthwise { return DepthwiseStep(own.filter, own.curve, from, into) }
        return ConvolutionStep(
          own.filter, from, into, own.curve, added: more, last: own.addsLast)
      })
    return View(map: to, block: own.block)
  }

  /// Steps that lay the outputs out as the model's user expects them.
  private func putOut() throws(Declined) {
    let shapes = plan.model.outputs.map { plan.model.tensors[$0].shape.reduce(1, *) }
    for size in shapes {
      outputs.append(count..<count + size)
      count += (size + 15) / 16 * 16 + 16
    }
    for piece in plan.pieces {
      let view = try close(piece.tensor)
      guard view.isWhole else { throw Declined(reason: "an output is padded") }
      let place = outputs[piece.output].lowerBound + piece.offset
      items.append(
        Item(reads: [view.map], writes: nil) {
          OutputStep(input: $0.rows(view.map), block: view.block, place: place)
        })
    }
  }

  // MARK: Memory

  private func allocate() throws(Declined) {
    for (number, item) in items.enumerated() {
      for map in item.reads { maps[map].lastUse = number }
    }
    struct Size: Hashable { var numbers: [Int] }
    var free: [Size: [Int]] = [:]
    func place(_ number: Int) throws(Declined) -> Size {
      let map = maps[number]
      var rows = Rows(
        height: map.shape.height, width: map.shape.width, channels: map.shape.channels)
      if isVector(number) {
        rows = Rows(height: 1, width: rows.channels, channels: 1, isVector: true)
      }
      rows.pitch = Vector.count(rows.width + map.gap) * Vector.lanes
      rows.stride = rows.pitch * rows.channels
      let size = Size(numbers: [
        rows.height, rows.width, rows.stride, rows.pitch, map.top, map.bottom,
      ])
      if let origin = free[size]?.popLast() {
        rows.origin = origin
      } else {
        rows.origin = count + 16 + map.top * rows.stride
        count = rows.origin + (rows.height + map.bottom) * rows.stride + 2 * Vector.lanes
        guard count <= Self.mostNumbers else { throw Declined(reason: "it needs too much memory") }
      }
      maps[number].rows = rows
      return size
    }
    var sizes: [Int: Size] = [0: try place(0)]
    for (number, item) in items.enumerated() {
      if let map = item.writes { sizes[map] = try place(map) }
      // The input keeps its values between runs.
      for map in Set(item.reads) where map != 0 && maps[map].lastUse == number {
        if let size = sizes[map], let origin = maps[map].rows?.origin {
          free[size, default: []].append(origin)
        }
      }
    }
    // What vectors read beyond the last row.
    count += 4 * (maps.map { $0.rows?.pitch ?? 0 }.max() ?? 0) + 8 * Vector.lanes
  }
}
