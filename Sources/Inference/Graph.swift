import CXNNPACK
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
  private let inputBuffer: FloatBuffer
  private let outputBuffers: [FloatBuffer]
  private let retained: [FloatBuffer]
  private let threads: ThreadPool?
  private let runtime: xnn_runtime_t

  /// Builds the network of `model`; `threads` nil means the calling thread alone.
  ///
  /// Throws when the model does not hang together, uses what is not supported, or is too large.
  package init(_ model: TFLiteModel, threads: ThreadPool? = nil) throws(ModelError) {
    do throws(ModelError) {
      let builder = try GraphBuilder(model)
      var runtime: xnn_runtime_t?
      try XNNPACK.check(
        unsafe xnn_create_runtime_v2(
          builder.handle, threads?.handle, UInt32(XNN_FLAG_YIELD_WORKERS), &runtime),
        "xnn_create_runtime")
      guard let runtime = unsafe runtime else { throw ModelError("xnn_create_runtime: no runtime") }
      unsafe self.runtime = runtime
      self.threads = threads
      name = model.name
      inputShape = model.tensors[model.inputs[0]].shape
      outputShapes = model.outputs.map { model.tensors[$0].shape }
      inputBuffer = builder.externals[0].buffer
      outputBuffers = builder.outputs
      retained = builder.retained
      let values = unsafe builder.externals.map { external in
        unsafe xnn_external_value(id: external.id, data: external.buffer.address(external.offset))
      }
      try XNNPACK.check(
        unsafe xnn_setup_runtime(runtime, values.count, values), "xnn_setup_runtime")
    } catch {
      throw ModelError("\(model.name): \(error)")
    }
  }

  /// Reads the model file at `path` and builds its network; errors name the path.
  package convenience init(path: FilePath, threads: ThreadPool? = nil) throws(ModelError) {
    try self.init(TFLiteModel(path: path), threads: threads)
  }

  deinit { unsafe xnn_delete_runtime(runtime) }

  /// Runs the network once on the input as it is now.
  package func invoke() throws(ModelError) {
    try XNNPACK.check(unsafe xnn_invoke_runtime(runtime), "xnn_invoke_runtime")
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

  /// Lends the input for writing; it keeps its values between runs.
  package func withInput<R>(_ body: (inout MutableSpan<Float>) throws -> R) rethrows -> R {
    var span = unsafe inputBuffer.values.mutableSpan
    return try body(&span)
  }

  /// Lends the values that the last run left in an output, by its place in `outputShapes`.
  package func withOutput<R>(_ number: Int, _ body: (Span<Float>) throws -> R) rethrows -> R {
    try unsafe body(outputBuffers[number].values.span)
  }
}
