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
  /// Who runs it.
  package let backEnd: BackEnd
  private let network: any RunningNetwork

  /// Builds the network of `model`; `threads` nil means the calling thread alone.
  ///
  /// `choice` other than `.wanted` is for those who compare the two.
  /// Throws when the model does not hang together, uses what is not supported, or is too large.
  package init(
    _ model: TFLiteModel, threads: ThreadPool? = nil, backEnd choice: BackEnd.Choice = .wanted
  ) throws(ModelError) {
    do throws(ModelError) {
      let plan = try GraphBuilder(model)
      (network, backEnd) = try choice.network(plan, threads)
      name = model.name
      inputShape = model.tensors[model.inputs[0]].shape
      outputShapes = model.outputs.map { model.tensors[$0].shape }
    } catch {
      throw ModelError("\(model.name): \(error)")
    }
  }

  /// Reads the model file at `path` and builds its network; errors name the path.
  package convenience init(path: FilePath, threads: ThreadPool? = nil) throws(ModelError) {
    try self.init(TFLiteModel(path: path), threads: threads)
  }

  /// Runs the network once on the input as it is now.
  package func invoke() throws(ModelError) { try network.run() }

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

  /// Lends the input for writing; it keeps its values between runs.
  package func withInput<R>(_ body: (inout MutableSpan<Float>) throws -> R) rethrows -> R {
    var span = unsafe network.input.values.mutableSpan
    return try body(&span)
  }

  /// Lends the values that the last run left in an output, by its place in `outputShapes`.
  package func withOutput<R>(_ number: Int, _ body: (Span<Float>) throws -> R) rethrows -> R {
    let (buffer, range) = network.output(number)
    return try unsafe body(UnsafeBufferPointer(rebasing: buffer.values[range]).span)
  }
}
