import Inference
import Support
import XNNPACKReference

/// Model files: parses, validates, builds and runs a network once, and compares it with XNNPACK.
final class ModelTarget: Target {
  let maximumLength = 4096
  let prefersFixedLength = true

  func run(_ input: [UInt8]) -> Outcome {
    do throws(ModelError) {
      let model = try TFLiteModel(bytes: input)
      _ = try? model.operatorConstants()
      let expected = try Self.runNetwork(Graph(model, backEnd: .xnnpack))
      guard let own = try? Self.runNetwork(Graph(model)) else { return Outcome(isAccepted: true) }
      return Outcome(isAccepted: true, failure: Self.firstDifference(own, expected))
    } catch {
      return Outcome(
        reason: error.description,
        failure: error.description.isEmpty ? "refused without a reason" : nil)
    }
  }

  /// The outputs for an input of small integers.
  static func runNetwork(_ graph: Graph) throws(ModelError) -> [[Float]] {
    graph.fillInput { Float($0 % 17) - 8 }
    try graph.invoke()
    return graph.outputShapes.indices.map { number in
      graph.withOutput(number) { values in values.indices.map { values[$0] } }
    }
  }

  /// The first output where the two back ends differ by more than a different summation order explains;
  /// not checked where values are so large that sums may overflow in one order and not in the other.
  static func firstDifference(_ own: [[Float]], _ expected: [[Float]]) -> String? {
    let largest = (own + expected).joined().lazy.filter { !$0.isNaN }.map(abs).max() ?? 0
    guard largest < 1e6 else { return nil }
    for (output, values) in expected.enumerated() {
      for (place, value) in values.enumerated() where value.isFinite {
        let found = own[output][place]
        guard abs(found - value) <= 1e-4 * max(1, largest) else {
          return "output \(output) at \(place) is \(found), XNNPACK's \(value)"
        }
      }
    }
    return nil
  }

  let dictionary: [[UInt8]] = [
    Array("TFL3".utf8), Array("Convolution2DTransposeBias".utf8), [0xff, 0xff, 0xff, 0xff],
    [1, 0, 0, 0], [0, 0, 0, 0],
  ]

  // MARK: Seeds

  private typealias Fields = [Int: FlatBytes.Field]

  /// A minimal network for each operator; operator codes and field numbers are those of TFLite's
  /// schema.fbs.
  func seeds() -> [[UInt8]] {
    let window: Fields = [1: .int(1), 2: .int(1), 3: .int(2), 4: .int(2)]
    let covering = window.merging([0: .byte(1)]) { $1 }
    let sizes = Self.int32Bytes([2, 2])
    var seeds = [14, 19, 117].map { Self.singleOperatorModel($0, [1, 2, 3, 2], [1, 2, 3, 2]) }
    seeds += [
      Self.singleOperatorModel(
        0, [1, 2, 1, 3], [1, 2, 1, 3], [([3], 0, Self.floatBytes(3))], (11, [0: .byte(3)])),
      Self.singleOperatorModel(
        18, [1, 2, 2, 2], [1, 2, 2, 2], [([1, 1, 1, 2], 0, Self.floatBytes(2))], (21, [:])),
      Self.singleOperatorModel(1, [1, 2, 2, 2], [1, 1, 1, 2], [], (5, covering)),
      Self.singleOperatorModel(17, [1, 3, 3, 1], [1, 3, 3, 1], [], (5, window)),
      Self.singleOperatorModel(5, [1, 1, 2, 4], [1, 2, 4, 1], [], (94, [0: .int(2)])),
      Self.singleOperatorModel(22, [1, 2, 3], [1, 6], [], (17, [0: .ints([1, -1])])),
      Self.singleOperatorModel(22, [1, 2, 3], [1, 6], [([2], 2, Self.int32Bytes([1, 6]))]),
      Self.singleOperatorModel(
        23, [1, 1, 1, 2], [1, 2, 2, 2], [([2], 2, sizes)], (15, [3: .byte(1)])),
      Self.singleOperatorModel(
        34, [1, 1, 2, 1], [1, 2, 3, 2],
        [([4, 2], 2, Self.int32Bytes([0, 0, 1, 0, 0, 1, 0, 1]))]),
      Self.singleOperatorModel(
        40, [1, 2, 3, 2], [1, 1, 1, 2], [([2], 2, Self.int32Bytes([1, 2]))], (27, [0: .byte(1)])),
      Self.singleOperatorModel(
        54, [1, 1, 2, 3], [1, 1, 2, 3], [([1, 1, 3], 0, Self.floatBytes(3))]),
      Self.singleOperatorModel(
        3, [1, 3, 3, 2], [1, 2, 2, 1],
        [([1, 2, 2, 2], 0, Self.floatBytes(8)), ([1], 0, Self.floatBytes(1))],
        (1, [0: .byte(1), 1: .int(1), 2: .int(1)])),
      Self.singleOperatorModel(
        4, [1, 2, 4, 2], [1, 1, 2, 2],
        [([1, 3, 3, 2], 0, Self.floatBytes(18)), ([2], 0, Self.floatBytes(2))],
        (2, [1: .int(2), 2: .int(2)])),
      Self.fullyConnectedModel(), Self.concatenationModel(), Self.transposeConvolutionModel(),
      Self.dequantizeModel(),
      Self.sparseModel(),
    ]
    return seeds
  }

  /// A network of one operator, whose first input is the network's and whose others are constants:
  /// shape, type and bytes.
  private static func singleOperatorModel(
    _ code: Int32, _ input: [Int32], _ output: [Int32],
    _ constants: [(shape: [Int32], type: UInt8, bytes: FlatBytes.Field)] = [],
    _ options: (UInt8, Fields)? = nil
  ) -> [UInt8] {
    var step: Fields = [
      0: .int(0), 1: .ints([0] + constants.indices.map { Int32($0 + 2) }), 2: .ints([1]),
    ]
    if let (type, table) = options {
      step[3] = .byte(type)
      step[4] = .table(table)
    }
    return model(
      codes: [[3: .int(code)]], constants, [tensor(input), tensor(output)], steps: [step])
  }

  private static func model(
    codes: [Fields], _ constants: [(shape: [Int32], type: UInt8, bytes: FlatBytes.Field)],
    _ values: [Fields], steps: [Fields]
  ) -> [UInt8] {
    let tensors =
      values
      + constants.enumerated().map { tensor($1.shape, type: $1.type, buffer: Int32($0 + 1)) }
    return FlatBytes.model([
      0: .int(3), 1: .tables(codes),
      2: .tables([[0: .tables(tensors), 1: .ints([0]), 2: .ints([1]), 3: .tables(steps)]]),
      4: .tables([[:]] + constants.map { [0: $0.bytes] }),
    ])
  }

  private static func tensor(_ shape: [Int32], type: UInt8 = 0, buffer: Int32 = 0) -> Fields {
    [0: .ints(shape), 1: .byte(type), 2: .int(buffer), 3: .text("t")]
  }

  private static func int32Bytes(_ values: [Int32]) -> FlatBytes.Field {
    .bytes(values.flatMap { v in [0, 8, 16, 24].map { UInt8(truncatingIfNeeded: v >> $0) } })
  }

  /// `count` floats: 0.5, 1, 1.5 and so on.
  private static func floatBytes(_ count: Int32) -> FlatBytes.Field {
    int32Bytes((1...count).map { Int32(bitPattern: (Float($0) / 2).bitPattern) })
  }

  /// A mean that drops dimensions, a dense layer of it and a sigmoid.
  private static func fullyConnectedModel() -> [UInt8] {
    let steps: [Fields] = [
      [0: .int(0), 1: .ints([0, 4]), 2: .ints([2]), 3: .byte(27), 4: .table([:])],
      [0: .int(1), 1: .ints([2, 5, 6]), 2: .ints([3]), 3: .byte(8), 4: .table([2: .byte(0)])],
      [0: .int(2), 1: .ints([3]), 2: .ints([1])],
    ]
    return model(
      codes: [[3: .int(40)], [3: .int(9)], [3: .int(14)]],
      [([2], 2, int32Bytes([1, 2])), ([3, 2], 0, floatBytes(6)), ([3], 0, floatBytes(3))],
      [tensor([1, 2, 3, 2]), tensor([1, 3]), tensor([1, 2]), tensor([1, 3])], steps: steps)
  }

  /// Concatenates two results.
  private static func concatenationModel() -> [UInt8] {
    let steps: [Fields] = [
      [0: .int(0), 1: .ints([0]), 2: .ints([2])], [0: .int(0), 1: .ints([2]), 2: .ints([3])],
      [0: .int(1), 1: .ints([2, 3]), 2: .ints([1]), 3: .byte(10), 4: .table([0: .int(1)])],
    ]
    return model(
      codes: [[3: .int(19)], [3: .int(2)]], [],
      [tensor([1, 2, 3]), tensor([1, 4, 3]), tensor([1, 2, 3]), tensor([1, 2, 3])], steps: steps)
  }

  private static func transposeConvolutionModel() -> [UInt8] {
    let step: Fields = [
      1: .ints([0, 2, 3]), 2: .ints([1]), 5: .bytes([2, 0, 0, 0, 3, 0, 0, 0, 2, 0, 0, 0]),
    ]
    return model(
      codes: [[1: .text("Convolution2DTransposeBias"), 3: .int(32)]],
      [([1, 2, 3, 1], 0, floatBytes(6)), ([1], 0, floatBytes(1))],
      [tensor([1, 1, 2, 1]), tensor([1, 2, 6, 1])], steps: [step])
  }

  /// Half-precision weights and the DEQUANTIZE operator.
  private static func dequantizeModel() -> [UInt8] {
    let widen: Fields = [0: .int(1), 1: .ints([3]), 2: .ints([2])]
    let add: Fields = [
      0: .int(0), 1: .ints([0, 2]), 2: .ints([1]), 3: .byte(11), 4: .table([:]),
    ]
    return model(
      codes: [[3: .int(0)], [3: .int(6)]], [([4], 1, .bytes([0, 60, 0, 192, 1, 0, 255, 123]))],
      [tensor([1, 4]), tensor([1, 4]), tensor([4])], steps: [widen, add])
  }

  /// A sparse row of four elements, compressed in its second dimension, and the DENSIFY operator.
  private static func sparseModel() -> [UInt8] {
    let dense: Fields = [0: .byte(0), 1: .int(1)]
    let compressed: Fields = [
      0: .byte(1), 2: .byte(1), 3: .table([0: .ints([0, 3])]), 4: .byte(1),
      5: .table([0: .ints([0, 2, 3])]),
    ]
    var constant = tensor([1, 4], buffer: 1)
    constant[6] = .table([0: .ints([0, 1]), 2: .tables([dense, compressed])])
    let unpack: Fields = [0: .int(1), 1: .ints([3]), 2: .ints([2])]
    let add: Fields = [
      0: .int(0), 1: .ints([0, 2]), 2: .ints([1]), 3: .byte(11), 4: .table([:]),
    ]
    return FlatBytes.model([
      0: .int(3), 1: .tables([[3: .int(0)], [3: .int(124)]]),
      2: .tables([
        [
          0: .tables([tensor([1, 4]), tensor([1, 4]), tensor([1, 4]), constant]), 1: .ints([0]),
          2: .ints([1]), 3: .tables([unpack, add]),
        ]
      ]),
      4: .tables([[:], [0: floatBytes(3)]]),
    ])
  }
}
