package import Files
package import Threads

/// A network ready to run, with memory for its input and its outputs.
///
/// Write the input, call `invoke`, read the outputs. Not for several threads at once; any number
/// of graphs may share one `ThreadPool`. A run allocates nothing, and its results are the same
/// bits for every number of threads.
@safe package final class Graph {
  /// What the model is called in error messages.
  package let name: String
  /// The input's dimensions: [1, height, width, 3] for all face and person models.
  package let inputShape: [Int]
  /// The outputs' dimensions, in the order of the model file.
  package let outputShapes: [[Int]]
  /// The threads that it runs on, beside the caller's.
  package let threads: ThreadPool?
  /// Whether a run stays on the thread that asks for it, as it must where that is one of `threads`.
  package var isSingleThreaded = false
  private let network: any NetworkInstance
  /// How many outputs `invoke` must compute, of the first ones; what only others
  /// need, and these keep what they had.
  package var outputsUsed: Int {
    didSet { precondition((1...outputShapes.count).contains(outputsUsed)) }
  }

  /// Builds the network of `model`; `threads` nil means the calling thread alone.
  ///
  /// Throws when the model does not hang together, uses what is not supported, or is too large.
  package convenience init(_ model: TFLiteModel, threads: ThreadPool? = nil) throws(ModelError) {
    try self.init(model, threads: threads) { (plan, threads) throws(ModelError) in
      try EngineNetwork(plan, threads)
    }
  }

  /// The same for another who runs networks: tests compare the engine with one.
  package init(
    _ model: TFLiteModel, threads: ThreadPool?,
    run: (NetworkDefinition, ThreadPool?) throws(ModelError) -> any NetworkInstance
  ) throws(ModelError) {
    do throws(ModelError) {
      let plan = try NetworkDefinition(model)
      network = try run(plan, threads)
      self.threads = threads
      name = model.name
      (inputShape, outputShapes) = (plan.inputShape, plan.outputShapes)
      outputsUsed = outputShapes.count
    } catch {
      throw ModelError("\(model.name): \(error)")
    }
  }

  /// Reads the model file at `path` and builds its network; errors name the path.
  package convenience init(path: FilePath, threads: ThreadPool? = nil) throws(ModelError) {
    try self.init(TFLiteModel(path: path), threads: threads)
  }

  /// Runs the network once on the input as it is now.
  package func invoke() throws(ModelError) {
    try network.run(outputs: outputsUsed, singleThreaded: isSingleThreaded)
  }

  /// The same network with memory of its own and the same weights, for another thread, on which it
  /// stays; nil where weights cannot be shared.
  package func clone() -> Graph? { network.clone().map { Graph(self, $0) } }

  private init(_ other: Graph, _ network: any NetworkInstance) {
    (name, inputShape, outputShapes) = (other.name, other.inputShape, other.outputShapes)
    (outputsUsed, threads) = (other.outputsUsed, nil)
    self.network = network
  }

  /// Throws unless the input and the outputs have these shapes, in this order.
  package func expect(input: [Int], outputs: [[Int]]) throws(ModelError) {
    guard inputShape == input else {
      throw ModelError("\(name): not the model wanted: its input is \(inputShape), not \(input)")
    }
    guard outputShapes == outputs else {
      throw ModelError(
        "\(name): not the model wanted: its outputs are \(outputShapes), not \(outputs)")
    }
  }

  /// The order of the input's numbers.
  package var inputLayout: InputLayout { network.inputLayout }

  /// Lends the input for writing; it keeps its values between runs.
  ///
  /// Its numbers lie in the order of `inputLayout`; what lies between them must stay as it is.
  package func withInput<R>(_ body: (inout MutableSpan<Float>) throws -> R) rethrows -> R {
    let (buffer, range) = network.input
    var span = unsafe UnsafeMutableBufferPointer(rebasing: buffer.values[range]).mutableSpan
    return try body(&span)
  }

  /// Writes every number of the input from its place in the order of the model's file: row by row,
  /// all channels of a pixel together.
  package func fill(_ value: (_ place: Int) -> Float) {
    let layout = inputLayout
    withInput { input in
      var place = 0
      for y in 0..<layout.height {
        for x in 0..<layout.width {
          for channel in 0..<layout.channels {
            input[y * layout.row + x * layout.column + channel * layout.channel] = value(place)
            place += 1
          }
        }
      }
    }
  }

  /// Lends the values that the last run left in an output, by its place in `outputShapes`.
  package func withOutput<R>(_ number: Int, _ body: (Span<Float>) throws -> R) rethrows -> R {
    let (buffer, range) = network.output(number)
    return try unsafe body(UnsafeBufferPointer(rebasing: buffer.values[range]).span)
  }
}
