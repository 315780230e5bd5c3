package import Files
package import Threads

/// A network ready to run, with memory for its input and its outputs.
///
/// Write the input, call `invoke`, read the outputs. One thread at a time may use a graph; any
/// number of graphs may share a `ThreadPool`. A run allocates nothing, and its results do not
/// depend on the number of threads.
@safe package final class Graph {
  /// The model's name in error messages.
  package let name: String
  /// The input's dimensions: [1, height, width, 3] for all face and person models.
  package let inputShape: [Int]
  /// The outputs' dimensions, in the order of the model file.
  package let outputShapes: [[Int]]
  /// The threads that a run uses; nil means the calling thread alone.
  package let threads: ThreadPool?
  /// Whether a run uses the calling thread alone, as it must where that is one of `threads`.
  package var isSingleThreaded = false
  private let network: any NetworkInstance
  /// The number of outputs that `invoke` computes, from the first on; the others keep their values.
  package var outputsUsed: Int {
    didSet { precondition((1...outputShapes.count).contains(outputsUsed)) }
  }

  /// Builds the network of `model`; throws where the model is inconsistent, unsupported or too
  /// large.
  package convenience init(_ model: TFLiteModel, threads: ThreadPool? = nil) throws(ModelError) {
    try self.init(model, threads: threads) { (definition, threads) throws(ModelError) in
      try EngineNetwork(definition, threads)
    }
  }

  /// The same for another back end; tests compare the engine with one.
  package convenience init(
    _ model: TFLiteModel, threads: ThreadPool?,
    run: (NetworkDefinition, ThreadPool?) throws(ModelError) -> any NetworkInstance
  ) throws(ModelError) {
    try self.init(model.name, threads, run) { () throws(ModelError) in
      try TFLiteNetwork.definition(of: model)
    }
  }

  /// Builds the network of an ONNX model for an input of this size.
  ///
  /// The input is [1, height, width, 3], whatever order of dimensions the file has.
  package convenience init(
    _ model: ONNXModel, height: Int, width: Int, threads: ThreadPool? = nil
  ) throws(ModelError) {
    try self.init(model, height: height, width: width, threads: threads) {
      (definition, threads) throws(ModelError) in try EngineNetwork(definition, threads)
    }
  }

  /// The same for another back end.
  package convenience init(
    _ model: ONNXModel, height: Int, width: Int, threads: ThreadPool?,
    run: (NetworkDefinition, ThreadPool?) throws(ModelError) -> any NetworkInstance
  ) throws(ModelError) {
    try self.init(model.name, threads, run) { () throws(ModelError) in
      try ONNXNetwork.definition(of: model, height: height, width: width)
    }
  }

  /// Builds a network of dense layers with ReLU between them, for an input of `rows` rows.
  package convenience init(
    name: String, perceptron layers: [DenseWeights], rows: Int, threads: ThreadPool? = nil
  ) throws(ModelError) {
    try self.init(name, threads) { (definition, threads) throws(ModelError) in
      try EngineNetwork(definition, threads)
    } read: { () throws(ModelError) in
      try NetworkDefinition.perceptron(layers, rows: rows)
    }
  }

  private init(
    _ name: String, _ threads: ThreadPool?,
    _ run: (NetworkDefinition, ThreadPool?) throws(ModelError) -> any NetworkInstance,
    read: () throws(ModelError) -> NetworkDefinition
  ) throws(ModelError) {
    do throws(ModelError) {
      let definition = try read()
      network = try run(definition, threads)
      self.threads = threads
      self.name = name
      (inputShape, outputShapes) = (definition.inputShape, definition.outputShapes)
      outputsUsed = outputShapes.count
    } catch {
      throw ModelError("\(name): \(error)")
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

  /// A graph with the same weights and values of its own, for another thread; nil where weights
  /// cannot be shared.
  package func clone() -> Graph? { network.clone().map { Graph(self, $0) } }

  private init(_ other: Graph, _ network: any NetworkInstance) {
    (name, inputShape, outputShapes) = (other.name, other.inputShape, other.outputShapes)
    (outputsUsed, threads) = (other.outputsUsed, nil)
    self.network = network
  }

  /// Throws unless the input and the outputs have these shapes, in this order.
  package func requireShapes(input: [Int], outputs: [[Int]]) throws(ModelError) {
    guard inputShape == input else {
      throw ModelError(
        "\(name): another model is expected: the input is \(inputShape), not \(input)")
    }
    guard outputShapes == outputs else {
      throw ModelError(
        "\(name): another model is expected: the outputs are \(outputShapes), not \(outputs)")
    }
  }

  /// Where the input's numbers lie.
  package var inputLayout: InputLayout { network.inputLayout }

  /// Lends the input for writing; it keeps its values between runs.
  ///
  /// Numbers between those of `inputLayout` must not be changed.
  package func withInput<R>(_ body: (inout MutableSpan<Float>) throws -> R) rethrows -> R {
    let (buffer, range) = network.input
    var span = unsafe UnsafeMutableBufferPointer(rebasing: buffer.values[range]).mutableSpan
    return try body(&span)
  }

  /// Writes the input; `index` counts its numbers in the model's order, all channels of a pixel
  /// together.
  package func fillInput(_ value: (_ index: Int) -> Float) {
    let layout = inputLayout
    withInput { input in
      var index = 0
      for y in 0..<layout.height {
        for x in 0..<layout.width {
          for channel in 0..<layout.channels {
            input[y * layout.row + x * layout.column + channel * layout.channel] = value(index)
            index += 1
          }
        }
      }
    }
  }

  /// Lends the values of an output after the last run, by its index in `outputShapes`.
  package func withOutput<R>(_ number: Int, _ body: (Span<Float>) throws -> R) rethrows -> R {
    let (buffer, range) = network.output(number)
    return try unsafe body(UnsafeBufferPointer(rebasing: buffer.values[range]).span)
  }
}
