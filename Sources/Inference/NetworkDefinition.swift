/// The layers of a network, in the order of execution.
///
/// A reader of a file format adds them. Back ends trust the shapes: the reader computes each from
/// the operator's own rules. Additions that exceed `Limits` throw.
package final class NetworkDefinition {
  /// A tensor that is an output of the network, or a part of one.
  package struct OutputPart {
    package var tensor, output: Int
    /// The index in the output of the part's first number.
    package var offset: Int
    /// The channels of the tensor that are the part; nil for all.
    package var channels: Range<Int>?
  }

  /// The tensor of the only input, and its shape.
  package let input: Int
  package let inputShape: [Int]
  /// In the order of the model file.
  package private(set) var outputShapes: [[Int]] = []
  /// Each layer follows those whose results it reads.
  package private(set) var layers: [Layer] = []
  package private(set) var outputParts: [OutputPart] = []
  /// The shapes of all tensors that are computed.
  package private(set) var shapes: [Int: [Int]] = [:]
  /// A tensor's name in error messages.
  private let title: (Int) -> String
  /// The operator whose layers are being added.
  private var current = (number: 0, title: "")
  private var activationElements = 0, multiplications = 0

  init(input: Int, shape: [Int], title: @escaping (Int) -> String) throws(ModelError) {
    (self.input, inputShape, self.title) = (input, shape, title)
    try defineTensor(input, shape: shape)
  }

  /// The layers that are added next belong to this operator of the file.
  func beginOperator(_ number: Int, _ title: String) { current = (number, title) }

  /// Adds an output, of which parts are added next; returns its number.
  func addOutput(_ shape: [Int]) -> Int {
    outputShapes.append(shape)
    return outputShapes.count - 1
  }

  func addOutputPart(_ part: OutputPart) { outputParts.append(part) }

  /// The number of elements of a computed tensor; throws where that exceeds the limits.
  func elementCount(_ tensor: Int, _ shape: [Int]) throws(ModelError) -> Int {
    guard let count = Limits.elementCount(of: shape, limit: Limits.activationElements),
      shape[0] == 1
    else { throw ModelError("\(title(tensor)) of shape \(shape) is not supported") }
    return count
  }

  /// Adds a tensor that is computed.
  private func defineTensor(_ tensor: Int, shape: [Int]) throws(ModelError) {
    activationElements += try elementCount(tensor, shape)
    guard activationElements <= Limits.totalActivationElements else {
      throw ModelError("the network needs too much memory")
    }
    guard shapes.updateValue(shape, forKey: tensor) == nil else {
      throw ModelError("\(title(tensor)) is computed twice")
    }
  }

  /// Adds the layer that computes a tensor of this shape.
  func addLayer(
    _ operation: Layer.Operation, _ inputs: [Layer.Input], output: Int, shape: [Int]
  ) throws(ModelError) {
    try defineTensor(output, shape: shape)
    layers.append(
      Layer(
        operation: operation, inputs: inputs, output: output, number: current.number,
        title: current.title))
  }

  /// Adds the layer that computes a map of which each number is a sum over windows of `cells`
  /// pixels and over `depth` channels of the first input; `shape` is the tensor's, if it has fewer
  /// dimensions than the map.
  func addWindowedLayer(
    _ operation: Layer.Operation, _ inputs: [Layer.Input], output: Int, _ result: MapShape,
    cells: Int, depth: Int, shape: [Int]? = nil
  ) throws(ModelError) {
    try addLayer(operation, inputs, output: output, shape: shape ?? result.tensorShape)
    let pixels = result.height * result.width
    let (taps, tapsOverflow) = pixels.multipliedReportingOverflow(by: cells)
    guard !tapsOverflow, taps <= Limits.windowPixels else {
      throw ModelError("\(pixels) windows of \(cells) cells are too many")
    }
    // Pixels times cells, and channels, are below 2^23 here: only the last product can overflow.
    let (work, overflow) = (pixels * result.channels * cells).multipliedReportingOverflow(by: depth)
    guard !overflow, work <= Limits.multiplications - multiplications else {
      throw ModelError("the network needs too many multiplications")
    }
    multiplications += work
  }

  /// A computed tensor that a layer reads.
  func computedInput(_ tensor: Int) throws(ModelError) -> Layer.Input {
    guard shapes[tensor] != nil else {
      throw ModelError("\(title(tensor)) is read, but nothing computes it")
    }
    return .value(tensor)
  }
}
