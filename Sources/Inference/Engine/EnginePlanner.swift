/// Why the engine does not run a network.
struct UnsupportedOperator: Error {
  let reason: String
}

/// Puts layers together into steps: what follows a convolution number by number is done while its
/// sums are still in registers, padding becomes the zeros round a map, and maps that are not needed
/// any more give their memory to others of the same size.
final class EnginePlanner {
  /// A value of the network as a map that the engine keeps, seen in another way.
  struct TensorView {
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
    var isWhole: Bool { isUnpadded && channels == 0 }
    var isUnpadded: Bool { top + bottom + left + right == 0 }
  }

  /// What sums are made of.
  enum Source { case map, gathered, windows, columns, pooled, resized }

  /// A step that is not made yet, for what comes next may belong to it.
  struct PendingStep {
    var source: Source
    var input: Int
    /// What moves over the input, if anything does, with its weights where they are a channel's own.
    var window = SlidingWindow()
    var first: ConvolutionParameters?
    var firstActivation = Activation.identity
    /// What is gathered: a factor for each channel, and another map's numbers.
    var scale: Int?
    var more: Int?
    /// Nil where every channel stays by itself.
    var filter: ConvolutionParameters?
    var bias: FloatBuffer?
    var shape: MapShape
    var activation: Activation
    var added: Int?
    var addsAfterActivation = false
    var block = (height: 1, width: 1)

    var isVector: Bool { shape.height * shape.width == 1 }
    var isBare: Bool { added == nil && activation.isIdentity && filter == nil && bias == nil }
  }

  struct Item {
    var reads: [Int]
    var writes: Int? = nil
    /// A map that it may write over.
    var over: Int? = nil
    /// The network's output that it writes to.
    var output: Int? = nil
    var step: (EnginePlanner) -> any EngineStep
  }

  let plan: NetworkDefinition
  var shapes: [MapShape] = []
  /// How far windows reach over the edges of each map, and maps that are laid out alike.
  private var reaches: [Int: Halo] = [:]
  private var alike: [(Int, Int)] = []
  var views: [Int: TensorView] = [:]
  var open: [Int: PendingStep] = [:]
  var items: [Item] = []
  var readers: [Int: Int] = [:]
  private var planes: [MapLayout] = []
  private(set) var steps: [any EngineStep] = []
  private(set) var count = 16
  private(set) var outputs: [Range<Int>] = []

  /// Sizes beyond those of networks that run in real time are declined.
  static let (maximumSide, maximumChannels, maximumKernel, maximumFloats) = (
    4096, 2048, 9, 16 << 20
  )

  init(_ plan: NetworkDefinition) throws(UnsupportedOperator) {
    self.plan = plan
    for layer in plan.layers {
      for case .value(let tensor) in layer.inputs { readers[tensor, default: 0] += 1 }
    }
    // What goes out must be there as it is.
    for piece in plan.outputParts { readers[piece.tensor, default: 0] += 2 }
    views[plan.input] = TensorView(map: keep(try map(plan.input)))
    guard !isVector(0) else { throw UnsupportedOperator(reason: "its input") }
    for layer in plan.layers {
      do throws(UnsupportedOperator) {
        try take(layer)
      } catch {
        throw UnsupportedOperator(
          reason: "\(layer.title) at operator \(layer.number): \(error.reason)")
      }
    }
    try addOutputSteps()
    try assignMemory()
    steps = items.map { $0.step(self) }
  }

  /// The outputs that each step is needed for: a bit for each.
  var needs: [UInt32] {
    var maps = [UInt32](repeating: 0, count: shapes.count)
    let steps = items.reversed().map { item in
      let need = item.output.map { 1 << UInt32($0) } ?? item.writes.map { maps[$0] } ?? 0
      for map in item.reads { maps[map] |= need }
      return need
    }
    return steps.reversed()
  }

  subscript(_ map: Int) -> MapLayout { planes[map] }

  func map(_ tensor: Int) throws(UnsupportedOperator) -> MapShape {
    guard let shape = plan.shapes[tensor], shape.count == 4, shape[0] == 1,
      shape[1] <= Self.maximumSide, shape[2] <= Self.maximumSide, shape[3] <= Self.maximumChannels
    else { throw UnsupportedOperator(reason: "its shape") }
    return MapShape(height: shape[1], width: shape[2], channels: shape[3])
  }

  func keep(_ shape: MapShape) -> Int {
    shapes.append(shape)
    return shapes.count - 1
  }

  func isVector(_ map: Int) -> Bool { shapes[map].height * shapes[map].width == 1 }

  /// Has windows reach over a map's edges; they may mask what lies beyond a row's ends.
  func requireHalo(_ map: Int, _ window: SlidingWindow, masks: Bool) {
    let columns = max(window.left, window.right)
    reaches[map, default: Halo()].form(
      max: Halo(
        gap: masks ? 0 : columns, margin: max(window.top, window.bottom),
        masked: masks ? columns : 0))
  }

  /// Makes a step of what is still open and gives the value as it is then.
  func close(_ tensor: Int) throws(UnsupportedOperator) -> TensorView {
    if let own = open.removeValue(forKey: tensor) { views[tensor] = emit(own) }
    guard let view = views[tensor] else { throw UnsupportedOperator(reason: "its input") }
    return view
  }

  func emit(_ own: PendingStep) -> TensorView {
    let to = keep(own.shape)
    let reads = [own.input] + [own.scale, own.more].compactMap { $0 }
    // Bands see no more of what is added than their own places.
    let over = own.added.flatMap { reads.contains($0) ? nil : $0 }
    // These are gone through together.
    if let more = own.more { alike.append((own.input, more)) }
    if let added = own.added, own.addsAfterActivation { alike.append((to, added)) }
    items.append(
      Item(reads: reads + [own.added].compactMap { $0 }, writes: to, over: over) { planner in
        let (from, into) = (planner[own.input], planner[to])
        if own.isVector, let filter = own.filter {
          return DenseStep(filter, from, into, own.activation)
        }
        // Windows without a filter bend what they see and add to it, where that is all there is.
        let isAlone = own.source == .windows && own.filter == nil
        let added = own.added.map { planner[$0] }
        let adds =
          isAlone && (own.addsAfterActivation || own.activation.isIdentity)
          && own.activation.isIdentityOrReLU
          && added.map { $0.isSameLayout(into) && Epilogue.takes(into, from: from) } ?? false
        let activates = isAlone && (own.added == nil || adds)
        let preparation: (any Prologue)? =
          switch own.source {
          // Rows of few vectors are better laid together.
          case .map:
            from.isFlat || from.across > 3 || own.filter == nil
              ? nil : ScaleAndResidual(input: from)
          case .gathered:
            ScaleAndResidual(
              input: from, scale: own.scale.map { planner[$0] }, more: own.more.map { planner[$0] })
          case .windows:
            own.first.map {
              DepthwiseConvolution(
                $0, activates ? own.activation : own.firstActivation, from, into,
                added: adds ? added : nil)
            }
          case .columns: Im2Col(input: from, output: into, window: own.window)
          case .pooled: MaxPooling(input: from, output: into, window: own.window)
          case .resized: BilinearResize(from, into)
          }
        return FusedStep(from, preparation, own.filter, bias: own.bias) { vectors in
          Epilogue(
            into, vectors: vectors, activates ? .identity : own.activation,
            added: adds ? nil : added,
            addsAfterActivation: own.addsAfterActivation && !adds)
        }
      })
    return TensorView(map: to, block: own.block)
  }

  /// Steps that lay the outputs out as the model's user expects them.
  private func addOutputSteps() throws(UnsupportedOperator) {
    for output in plan.model.outputs {
      let size = plan.model.tensors[output].shape.reduce(1, *)
      outputs.append(count..<count + size)
      count += (size + 15) / 16 * 16 + 16
    }
    for piece in plan.outputParts {
      let view = try close(piece.tensor)
      guard view.isWhole else { throw UnsupportedOperator(reason: "an output is padded") }
      let place = outputs[piece.output].lowerBound + piece.offset
      items.append(
        Item(reads: [view.map], output: piece.output) {
          OutputStep(input: $0[view.map], block: view.block, place: place)
        })
    }
  }

  /// Gives every map its place.
  private func assignMemory() throws(UnsupportedOperator) {
    var lastUse = [Int](repeating: -1, count: shapes.count)
    for (number, item) in items.enumerated() { for map in item.reads { lastUse[map] = number } }
    var free: [Int] = []
    let groups = groups()
    for (map, shape) in shapes.enumerated() {
      let first = groups[map]
      let own = MapLayout(
        shape, reaches[first] ?? Halo(), like: first < map ? planes[first] : nil)
      guard own.size <= Self.maximumFloats else {
        throw UnsupportedOperator(reason: "it needs too much memory")
      }
      planes.append(own)
    }
    // The input keeps its values.
    lastUse[0] = -1
    try place(0, nil)
    for (number, item) in items.enumerated() {
      if let map = item.writes {
        let own = planes[map]
        let fitting = free.indices.first {
          planes[free[$0]].isSameLayout(own) && !own.isVector
        }
        if let over = item.over, lastUse[over] == number, planes[over].isSameLayout(own) {
          try place(map, over)
          lastUse[over] = -1
        } else {
          try place(map, fitting.map { free.remove(at: $0) })
        }
      }
      for map in Set(item.reads) where lastUse[map] == number && !planes[map].isVector {
        free.append(map)
      }
    }
    // What vectors read beyond the last row.
    let widest = planes.lazy.map(\.pitch).max() ?? 0
    count += (2 + Self.maximumKernel) * (widest + 4 * Vector.lanes)
  }

  /// For each map the first of those that are laid out alike, whose reach becomes that of all: of one
  /// size where vectors run through rows.
  private func groups() -> [Int] {
    var (groups, sizes) = (Array(shapes.indices), [[Int]: Int]())
    for (map, shape) in shapes.enumerated()
    where MapLayout.unit(shape.width) * Vector.lanes != shape.width {
      let size = [shape.height, shape.width]
      if let first = sizes[size] { alike.append((first, map)) } else { sizes[size] = map }
    }
    for (one, other) in alike {
      let (first, last) = (min(groups[one], groups[other]), max(groups[one], groups[other]))
      guard first < last else { continue }
      groups = groups.map { $0 == last ? first : $0 }
      reaches[first, default: Halo()].form(max: reaches[last] ?? Halo())
    }
    return groups
  }

  /// Gives a map the memory of another, or some of its own.
  private func place(_ map: Int, _ other: Int?) throws(UnsupportedOperator) {
    if let other {
      planes[map].origin = planes[other].origin
      return
    }
    let own = planes[map]
    let before = (own.reach.margin * own.pitch + own.reach.gap + 31) / 16 * 16
    planes[map].origin = count + before
    count += before + own.size + before
    guard count <= Self.maximumFloats else {
      throw UnsupportedOperator(reason: "it needs too much memory")
    }
  }
}
