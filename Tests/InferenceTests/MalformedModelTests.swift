import Support
import Testing
import XNNPACKReference

@testable import Inference

/// Hand-made networks of a few operators: valid ones, and one for each way of being invalid.
@Suite(.timeLimit(.minutes(20))) struct MalformedModelTests {
  typealias Fields = [Int: FlatBytes.Field]

  /// A float32 tensor; buffer 0 is the empty one.
  static func tensor(_ shape: [Int32], type: UInt8 = 0, buffer: Int32 = 0) -> Fields {
    [0: .ints(shape), 1: .byte(type), 2: .int(buffer), 3: .text("t")]
  }

  static func step(
    _ code: Int32, _ inputs: [Int32], _ outputs: [Int32], options: (UInt8, Fields)? = nil
  ) -> Fields {
    var fields: Fields = [0: .int(code), 1: .ints(inputs), 2: .ints(outputs)]
    if let (type, table) = options {
      fields[3] = .byte(type)
      fields[4] = .table(table)
    }
    return fields
  }

  static func floats(_ values: [Float]) -> Fields {
    let bytes = values.flatMap { value in
      [0, 8, 16, 24].map { UInt8(truncatingIfNeeded: value.bitPattern >> $0) }
    }
    return [0: .bytes(bytes)]
  }

  static func model(
    codes: [Int32], tensors: [Fields], inputs: [Int32] = [0], outputs: [Int32] = [1],
    steps: [Fields], buffers: [Fields] = [[:]]
  ) -> [UInt8] {
    FlatBytes.model([
      0: .int(3), 1: .tables(codes.map { [3: .int($0)] }),
      2: .tables([
        [0: .tables(tensors), 1: .ints(inputs), 2: .ints(outputs), 3: .tables(steps)]
      ]),
      4: .tables(buffers),
    ])
  }

  static func relu(
    shape: [Int32] = [1, 4], result: [Int32] = [1, 4], inputs: [Int32] = [0],
    outputs: [Int32] = [1], steps: [Fields] = [step(0, [0], [1])]
  ) -> [UInt8] {
    model(
      codes: [19], tensors: [tensor(shape), tensor(result)], inputs: inputs, outputs: outputs,
      steps: steps)
  }

  /// A 2 x 2 convolution of two channels to one on a 3 x 3 map.
  static func convolution(
    filter: [Int32] = [1, 2, 2, 2], bias: [Int32] = [1], result: [Int32] = [1, 2, 2, 1],
    options: Fields = [0: .byte(1), 1: .int(1), 2: .int(1)], type: UInt8 = 1,
    values: Int = 8, inputs: [Int32] = [0, 2, 3]
  ) -> [UInt8] {
    model(
      codes: [3],
      tensors: [
        tensor([1, 3, 3, 2]), tensor(result), tensor(filter, buffer: 1), tensor(bias, buffer: 2),
      ],
      steps: [step(0, inputs, [1], options: (type, options))],
      buffers: [[:], floats([Float](repeating: 1, count: values)), floats([0.5])])
  }

  private func run(_ bytes: [UInt8], _ input: [Float]) throws -> [Float] {
    // The engine runs feature maps only, and these tensors are none: the reader is what is tested.
    let graph = try Graph(TFLiteModel(bytes: bytes), backEnd: .xnnpack)
    graph.fillInput { input[$0] }
    try graph.invoke()
    return graph.output(0)
  }

  @Test func theHandMadeNetworksWork() throws {
    #expect(try run(Self.relu(), [-1, 2, -3, 4]) == [0, 2, 0, 4])
    let ones = [Float](repeating: 1, count: 18)
    #expect(try run(Self.convolution(), ones) == [8.5, 8.5, 8.5, 8.5])
    #expect(try run(Self.convolution(inputs: [0, 2, -1]), ones) == [8, 8, 8, 8])
    #expect(try run(Self.convolution(inputs: [0, 2]), ones) == [8, 8, 8, 8])
  }

  @Test func anUnsupportedNetworkIsRejectedWithTheOperatorAndAReason() {
    func error(_ bytes: [UInt8]) -> String? {
      let error = #expect(throws: ModelError.self) { _ = try Graph(TFLiteModel(bytes: bytes)) }
      return error?.description
    }
    #expect(error(Self.relu()) == "model: the engine does not support an input of one pixel")
    let square = Self.model(
      codes: [18], tensors: [Self.tensor([1, 2, 2, 2]), Self.tensor([1, 2, 2, 2])],
      steps: [Self.step(0, [0, 0], [1], options: (21, [:]))])
    #expect(
      error(square)
        == "model: operator 0 (MUL): the engine does not support operands of these shapes")
  }

  @Test func outputsMayBeAConcatenation() throws {
    let bytes = Self.model(
      codes: [19, 2],
      tensors: [
        Self.tensor([1, 2, 2]), Self.tensor([1, 4, 2]), Self.tensor([1, 2, 2]),
        Self.tensor([1, 2, 2]),
      ],
      steps: [
        Self.step(0, [0], [2]), Self.step(0, [2], [3]),
        Self.step(1, [2, 3], [1], options: (10, [0: .int(1)])),
      ])
    #expect(try run(bytes, [1, -2, 3, -4]) == [1, 0, 3, 0, 1, 0, 3, 0])
  }

  @Test func operatorsMayBeInAnyOrderAndUnusedOnesAreLeftOut() throws {
    let bytes = Self.model(
      codes: [19, 14, 99],
      tensors: [
        Self.tensor([1, 2]), Self.tensor([1, 2]), Self.tensor([1, 2]), Self.tensor([7]),
      ],
      steps: [Self.step(1, [2], [1]), Self.step(0, [0], [2]), Self.step(2, [0], [3])])
    let values = try run(bytes, [-5, 0])
    #expect(values == [0.5, 0.5])
  }

  struct Case: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var bytes: [UInt8]
    var reason: String

    init(_ name: String, _ bytes: [UInt8], _ reason: String) {
      testDescription = name
      self.bytes = bytes
      self.reason = reason
    }
  }

  static let files: [Case] = [
    Case("nothing", [], "TFL3"),
    Case("root outside", [0xff, 0xff, 0xff, 0xff] + Array("TFL3".utf8), "model"),
    Case("no vtable", [8, 0, 0, 0] + Array("TFL3".utf8) + [0xff, 0xff, 0xff, 0x7f], "field list"),
    Case(
      "vtable before the file", [8, 0, 0, 0] + Array("TFL3".utf8) + [99, 0, 0, 0], "field list"),
    Case("version 2", FlatBytes.model([0: .int(2)]), "version"),
    Case("no subgraph", FlatBytes.model([0: .int(3)]), "subgraphs"),
    Case(
      "vector offset outside", FlatBytes.model([0: .int(3), 2: .raw(0xffff_fff0)]), "subgraphs"),
    Case(
      "vector count outside",
      FlatBytes.model([0: .int(3), 4: .bytes([0xff, 0xff, 0xff, 0x7f])]), "buffer"),
    Case(
      "custom name outside",
      FlatBytes.model([0: .int(3), 1: .tables([[1: .raw(0x7fff_ffff)]])]), "custom_code"),
    Case("no input", relu(inputs: []), "0 inputs"),
    Case("two inputs", relu(inputs: [0, 0]), "2 inputs"),
    Case("no output", relu(outputs: []), "0 outputs"),
    Case("output that is the input", relu(outputs: [0]), "tensor 0"),
    Case("output twice", relu(outputs: [1, 1]), "tensor 1"),
    Case("tensor that is not there", relu(outputs: [2]), "tensor 2"),
    Case("negative tensor", relu(steps: [step(0, [-2], [1])]), "-2"),
    Case("absent operand", relu(steps: [step(0, [-1], [1])]), "inputs"),
    Case("operator code that is not there", relu(steps: [step(9, [0], [1])]), "opcode_index"),
    Case("no operator", relu(steps: []), "cannot be an output"),
    Case("made twice", relu(steps: [step(0, [0], [1]), step(0, [0], [1])]), "exists already"),
    Case("makes the input", relu(steps: [step(0, [1], [0])]), "exists already"),
    Case("a circle", relu(steps: [step(0, [1], [1])]), "each other"),
    Case("shape that does not follow", relu(result: [1, 5]), "its operator computes"),
    Case("negative size", relu(shape: [1, -4]), "shape"),
    Case("size 0", relu(shape: [1, 0], result: [1, 0]), "not supported"),
    Case("scalar", relu(shape: [], result: []), "not supported"),
    Case("batch of 2", relu(shape: [2, 4], result: [2, 4]), "not supported"),
    Case("five dimensions", relu(shape: [1, 1, 1, 1, 4]), "not supported"),
    Case(
      "more elements than fit a word",
      relu(shape: [1, .max, .max, .max], result: [1, .max, .max, .max]), "not supported"),
    Case(
      "a reshaped constant of more elements than fit a word",
      model(
        codes: [22],
        tensors: [tensor([1, 4]), tensor([1, 4]), tensor([.max, .max, .max, .max], buffer: 1)],
        steps: [step(0, [2], [1], options: (17, [0: .ints([1, 4])]))],
        buffers: [[:], floats([1, 2, 3, 4])]), "nothing computes it"),
    Case(
      "memory without end",
      relu(shape: [1, 1 << 23], result: [1, 1 << 23]), "not supported"),
    Case(
      "unknown operator",
      model(codes: [77], tensors: [tensor([1, 4]), tensor([1, 4])], steps: [step(0, [0], [1])]),
      "builtin operator 77"),
    Case(
      "not a float",
      model(
        codes: [19], tensors: [tensor([1, 4], type: 9), tensor([1, 4])], steps: [step(0, [0], [1])]
      ), "tensor 0"),
    Case(
      "buffer that is not there",
      model(
        codes: [19], tensors: [tensor([1, 4], buffer: 8), tensor([1, 4])],
        steps: [step(0, [0], [1])]), "buffer"),
    Case("options of another operator", convolution(type: 5), "builtin_options_type"),
    Case("stride 0", convolution(options: [0: .byte(1), 1: .int(0), 2: .int(1)]), "stride_w"),
    Case(
      "stride below 0", convolution(options: [0: .byte(1), 1: .int(1), 2: .int(-7)]), "stride_h"),
    Case(
      "unknown padding", convolution(options: [0: .byte(3), 1: .int(1), 2: .int(1)]), "padding"),
    Case(
      "unknown activation",
      convolution(options: [0: .byte(1), 1: .int(1), 2: .int(1), 3: .byte(77)]), "activation"),
    Case(
      "dilation", convolution(options: [0: .byte(1), 1: .int(1), 2: .int(1), 4: .int(2)]),
      "dilation"),
    Case("filter larger than its data", convolution(filter: [1, 2, 2, 200]), "bytes"),
    Case("filter smaller than its data", convolution(values: 9), "bytes"),
    Case("filter of three dimensions", convolution(filter: [2, 2, 2]), "filter"),
    Case("filter of other channels", convolution(filter: [1, 2, 4, 1]), "channels"),
    Case("filter larger than the map", convolution(filter: [1, 4, 1, 2]), "does not fit"),
    Case("filter without end", convolution(filter: [.max, .max, .max, .max]), "shape"),
    Case("bias of another size", convolution(filter: [2, 1, 2, 2]), "bias"),
    Case("result of another size", convolution(result: [1, 3, 3, 1]), "its operator computes"),
    Case("filter that is not constant", convolution(inputs: [0, 0, 3]), "no data"),
    Case("no filter", convolution(inputs: [0]), "inputs"),
    Case("no data", convolution(inputs: [-1, 2, 3]), "inputs"),
  ]

  @Test(arguments: files)
  func anInvalidModelIsRejectedWithTheReason(_ file: Case) {
    let error = #expect(throws: ModelError.self) { _ = try Graph(TFLiteModel(bytes: file.bytes)) }
    #expect(error?.description.contains(file.reason) == true, "\(error?.description ?? "")")
  }
}
