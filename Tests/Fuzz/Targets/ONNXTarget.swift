import Inference
import Support
import XNNPACKReference

/// ONNX files: parses, validates, builds and runs a network once on 32 by 32 samples, and compares it
/// with XNNPACK.
final class ONNXTarget: Target {
  let maximumLength = 4096

  func run(_ input: [UInt8]) -> Outcome {
    do throws(ModelError) {
      let model = try ONNXModel(bytes: input)
      let own = try ModelTarget.runNetwork(Graph(model, height: 32, width: 32))
      guard let reference = try? Graph(xnnpack: model, height: 32, width: 32) else {
        return Outcome(isAccepted: true)
      }
      return Outcome(
        isAccepted: true,
        failure: ModelTarget.firstDifference(own, try ModelTarget.runNetwork(reference)))
    } catch {
      return Outcome(
        reason: error.description,
        failure: error.description.isEmpty ? "refused without a reason" : nil)
    }
  }

  let dictionary: [[UInt8]] =
    [
      "Conv", "Relu", "MaxPool", "Resize", "Add", "Transpose", "Reshape", "Sigmoid", "pads",
      "group",
    ]
    .map { Array($0.utf8) } + [[0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1]]

  // MARK: Seeds

  /// A minimal network for each operator.
  func seeds() -> [[UInt8]] {
    typealias Node = ONNXBytes.Node
    func floats(_ shape: [Int]) -> ONNXBytes.Input {
      .floats(shape, (0..<shape.reduce(1, *)).map { Float($0 % 5) / 4 - 0.5 })
    }
    let same: ProtobufBytes.Value = .packed([1, 1, 1, 1])
    let halves: ProtobufBytes.Value = .packed([2, 2])
    let pool = Node("MaxPool", [], ["kernel_shape": halves, "strides": halves])
    let nearest: [String: ProtobufBytes.Value] = [
      "mode": .text("nearest"), "coordinate_transformation_mode": .text("asymmetric"),
      "nearest_mode": .text("floor"),
    ]
    let pointwise = Node("Conv", [floats([4, 3, 1, 1]), floats([4])])
    let depthwise = Node(
      "Conv", [floats([4, 1, 3, 3]), floats([4])], ["pads": same, "group": .integer(4)])
    return [
      ONNXBytes.model([Node("Relu")], channels: 3),
      ONNXBytes.model([pool], channels: 3),
      ONNXBytes.model([pointwise, depthwise, Node("Relu")], channels: 4),
      ONNXBytes.model(
        [Node("Conv", [floats([2, 3, 3, 3]), floats([2])], ["strides": halves, "pads": same])],
        channels: 2),
      ONNXBytes.model(
        [
          pointwise, Node("MaxPool", [], pool.attributes),
          Node("Resize", [.name(""), .floats([4], [1, 1, 2, 2])], nearest),
          Node("Add", [.name("t0")]),
        ], channels: 4),
    ]
  }
}
