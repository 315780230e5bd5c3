import CXNNPACK
import Inference
import Threads

/// An instance that XNNPACK runs, with which tests compare the engine's.
@safe final class XNNPACKNetwork: NetworkInstance {
  let inputLayout: InputLayout
  private let inputs: FloatBuffer
  private let outputs: [FloatBuffer]
  /// The constants that the runtime reads.
  private var retained: [FloatBuffer] = []
  /// XNNPACK's identifiers of the tensors.
  private var values: [Int: UInt32] = [:]
  /// The runtime does not own it.
  private let pool: pthreadpool_t?
  private var subgraph: xnn_subgraph_t?
  private var runtime: xnn_runtime_t?

  init(_ network: NetworkDefinition, threads: ThreadPool?) throws(ModelError) {
    unsafe pool = threads.map { unsafe pthreadpool_create($0.threadCount) } ?? nil
    try XNNPACK.start()
    let shape = network.inputShape
    guard network.outputParts.allSatisfy({ $0.channels == nil }) else {
      throw ModelError("XNNPACK cannot write some channels of a tensor")
    }
    inputLayout =
      shape.count == 4
      ? InputLayout(height: shape[1], width: shape[2], channels: shape[3])
      : InputLayout(height: 1, width: 1, channels: shape.reduce(1, *))
    inputs = FloatBuffer(count: shape.reduce(1, *))
    outputs = network.outputShapes.map { FloatBuffer(count: $0.reduce(1, *)) }
    try XNNPACK.check(
      unsafe xnn_create_subgraph(UInt32(network.outputParts.count + 1), 0, &subgraph),
      "xnn_create_subgraph")
    defer { if let subgraph = unsafe subgraph { unsafe xnn_delete_subgraph(subgraph) } }
    var externals = unsafe [xnn_external_value(id: 0, data: inputs.address())]
    for (index, part) in network.outputParts.enumerated() {
      unsafe externals.append(
        xnn_external_value(
          id: UInt32(index + 1), data: outputs[part.output].address(part.offset)))
    }
    values[network.input] = try unsafe define(
      network.shapes[network.input] ?? [], nil, external: 0, XNN_VALUE_FLAG_EXTERNAL_INPUT)
    for layer in network.layers {
      do throws(ModelError) {
        try build(layer, network)
      } catch {
        throw layer.addingLocation(to: error)
      }
    }
    try XNNPACK.check(
      unsafe xnn_create_runtime_v2(
        subgraph, pool, UInt32(XNN_FLAG_YIELD_WORKERS), &runtime),
      "xnn_create_runtime")
    guard let runtime = unsafe runtime else { throw ModelError("xnn_create_runtime: no runtime") }
    try XNNPACK.check(
      unsafe xnn_setup_runtime(runtime, externals.count, externals), "xnn_setup_runtime")
  }

  deinit {
    if let runtime = unsafe runtime { unsafe xnn_delete_runtime(runtime) }
    if let pool = unsafe pool { unsafe pthreadpool_destroy(pool) }
  }

  var input: (FloatBuffer, Range<Int>) { (inputs, 0..<inputs.count) }

  func run(outputs: Int, singleThreaded: Bool) throws(ModelError) {
    try XNNPACK.check(unsafe xnn_invoke_runtime(runtime), "xnn_invoke_runtime")
  }

  func clone() -> (any NetworkInstance)? { nil }

  func output(_ number: Int) -> (FloatBuffer, Range<Int>) {
    (outputs[number], 0..<outputs[number].count)
  }

  // MARK: Values

  /// Defines a constant, whose memory must outlive the runtime.
  private func define(_ constant: Constant) throws(ModelError) -> UInt32 {
    precondition(constant.shape.reduce(1, *) == constant.buffer.count)
    retained.append(constant.buffer)
    return try unsafe define(constant.shape, constant.buffer.address(), external: nil, 0)
  }

  @unsafe private func define(
    _ shape: [Int], _ data: UnsafeRawPointer?, external: Int?, _ flags: Int32
  ) throws(ModelError) -> UInt32 {
    var id: UInt32 = 0
    try XNNPACK.check(
      unsafe xnn_define_tensor_value(
        subgraph, xnn_datatype_fp32, shape.count, shape, data,
        external.map { UInt32($0) } ?? UInt32.max, UInt32(flags), &id),
      "xnn_define_tensor_value")
    return id
  }

  private func number(_ input: Layer.Input) throws(ModelError) -> UInt32 {
    switch input {
    case .constant(let constant): return try define(constant)
    case .value(let tensor):
      guard let id = values[tensor] else { throw ModelError("tensor \(tensor) has no value") }
      return id
    }
  }

  // MARK: Layers

  private func build(_ layer: Layer, _ network: NetworkDefinition) throws(ModelError) {
    let shape = network.shapes[layer.output] ?? []
    let inputs = try layer.inputs.map { (input) throws(ModelError) in try number(input) }
    let (input, handle) = unsafe (inputs[0], subgraph)
    let external = network.outputParts.firstIndex { $0.tensor == layer.output }.map { $0 + 1 }
    let output = try unsafe define(
      shape, nil, external: external, external == nil ? 0 : XNN_VALUE_FLAG_EXTERNAL_OUTPUT)
    values[layer.output] = output
    let status: xnn_status
    switch layer.operation {
    case .convolution(let filter), .depthwiseConvolution(let filter),
      .transposeConvolution(let filter):
      status = try convolution(
        layer, filter, input, output, channels: network.shapes[layer.input]?[3])
    case .fullyConnected(let filter):
      let (limits, outputs) = (filter.window.activation, filter.bias.shape[0])
      retained.append(filter.weights.buffer)
      let weights = try unsafe define(
        [outputs, filter.weights.shape[3]], filter.weights.buffer.address(), external: nil, 0)
      status = try unsafe xnn_define_fully_connected(
        handle, limits.minimum, limits.maximum, input, weights, define(filter.bias),
        output, 0)
    case .maxPool(let w):
      status = unsafe xnn_define_max_pooling_2d(
        handle, UInt32(w.top), UInt32(w.right), UInt32(w.bottom), UInt32(w.left),
        UInt32(w.height), UInt32(w.width), UInt32(w.strideHeight), UInt32(w.strideWidth), 1, 1,
        w.activation.minimum, w.activation.maximum, input, output, 0)
    case .globalAverage(let activation):
      status = unsafe xnn_define_global_average_pooling_2d(
        handle, activation.minimum, activation.maximum, input, output,
        shape.count == 4 ? cxnn_flag_keep_dims : 0)
    case .add(let limits):
      status = unsafe xnn_define_add2(
        handle, limits.minimum, limits.maximum, input, inputs[1], output, 0)
    case .multiply(let limits):
      status = unsafe xnn_define_multiply2(
        handle, limits.minimum, limits.maximum, input, inputs[1], output, 0)
    case .relu: status = unsafe xnn_define_clamp(handle, 0, .infinity, input, output, 0)
    case .logistic: status = unsafe xnn_define_sigmoid(handle, input, output, 0)
    case .hardSwish: status = unsafe xnn_define_hardswish(handle, input, output, 0)
    case .prelu(let slopes):
      status = try unsafe xnn_define_prelu(handle, input, define(slopes), output, 0)
    case .pad(let before, let after):
      status = unsafe xnn_define_static_constant_pad(handle, before, after, 0, input, output, 0)
    case .reshape:
      status = unsafe xnn_define_static_reshape(handle, shape.count, shape, input, output, 0)
    case .resize(.nearest):
      throw ModelError("XNNPACK has no nearest resizing")
    case .resize(.bilinear):
      status = unsafe xnn_define_static_resize_bilinear_2d(
        handle, shape[1], shape[2], input, output, 0)
    case .depthToSpace(let block):
      status = unsafe xnn_define_depth_to_space(handle, input, output, UInt32(block), 0)
    }
    try XNNPACK.check(status, "XNNPACK")
  }

  private func convolution(
    _ layer: Layer, _ filter: ConvolutionParameters, _ input: UInt32, _ output: UInt32,
    channels: Int?
  ) throws(ModelError) -> xnn_status {
    let (w, channels, handle) = unsafe (filter.window, channels ?? 0, subgraph)
    let (weights, bias) = (try define(filter.weights), try define(filter.bias))
    let (low, high) = (w.activation.minimum, w.activation.maximum)
    let padding = (UInt32(w.top), UInt32(w.right), UInt32(w.bottom), UInt32(w.left))
    let size = (UInt32(w.height), UInt32(w.width), UInt32(w.strideHeight), UInt32(w.strideWidth))
    return switch layer.operation {
    case .convolution:
      unsafe xnn_define_convolution_2d(
        handle, padding.0, padding.1, padding.2, padding.3, size.0, size.1, size.2, size.3, 1, 1,
        1, channels, filter.bias.shape[0], low, high, input, weights, bias, output, 0)
    case .depthwiseConvolution:
      unsafe xnn_define_depthwise_convolution_2d(
        handle, padding.0, padding.1, padding.2, padding.3, size.0, size.1, size.2, size.3, 1, 1,
        1, channels, low, high, input, weights, bias, output, 0)
    default:
      unsafe xnn_define_deconvolution_2d(
        handle, 0, 0, 0, 0, 0, 0, size.0, size.1, size.2, size.3, 1, 1,
        1, channels, filter.bias.shape[0], low, high, input, weights, bias, output, 0)
    }
  }
}
