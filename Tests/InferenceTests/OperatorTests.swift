import Support
import Testing
import XNNPACKReference

@testable import Inference

/// Each operator on numbers that can be computed by hand.
@Suite(.timeLimit(.minutes(20))) struct OperatorTests {
  typealias Fields = MalformedModelTests.Fields

  /// Runs one operator on an input that counts up from 1; further inputs are constants.
  private func run(
    _ code: Int32, _ input: [Int32], to output: [Int32], constants: [Fields] = [],
    buffers: [Fields] = [], options: (UInt8, Fields)? = nil, scale: Float = 1
  ) throws -> [Float] {
    let tensors = [
      MalformedModelTests.tensor(input), MalformedModelTests.tensor(output),
    ]
    let inputs = [0] + constants.indices.map { Int32($0 + 2) }
    let bytes = MalformedModelTests.model(
      codes: [code], tensors: tensors + constants,
      steps: [MalformedModelTests.step(0, inputs, [1], options: options)],
      buffers: [[:]] + buffers)
    return try outputs(bytes, scale: scale)
  }

  /// XNNPACK's results; the engine's must be equal, unless it does not support the operator.
  private func outputs(_ bytes: [UInt8], scale: Float = 1) throws -> [Float] {
    func values(_ backEnd: BackEnd) throws -> [Float] {
      let graph = try Graph(TFLiteModel(bytes: bytes), backEnd: backEnd)
      graph.fillInput { scale * Float($0 + 1) }
      try graph.invoke()
      return graph.output(0)
    }
    let expected = try values(.xnnpack)
    if let own = try? values(.engine) {
      #expect(zip(own, expected).allSatisfy { abs($0 - $1) <= 1e-6 * max(1, abs($1)) })
    }
    return expected
  }

  private func constant(_ shape: [Int32], buffer: Int32 = 1) -> Fields {
    MalformedModelTests.tensor(shape, buffer: buffer)
  }

  private func integers(_ shape: [Int32], buffer: Int32 = 1) -> Fields {
    MalformedModelTests.tensor(shape, type: 2, buffer: buffer)
  }

  private func bytes(_ values: [Int32]) -> Fields {
    MalformedModelTests.floats(values.map { Float(bitPattern: UInt32(bitPattern: $0)) })
  }

  private func floats(_ values: [Float]) -> Fields { MalformedModelTests.floats(values) }

  @Test func addBroadcastsTheSmallerShapeAndClamps() throws {
    let sums = try run(
      0, [1, 2, 1, 3], to: [1, 2, 1, 3], constants: [constant([3])], buffers: [floats([1, 0, -9])],
      options: (11, [0: .byte(3)]))
    #expect(sums == [2, 2, 0, 5, 5, 0])
    let stretched = try run(
      0, [1, 3], to: [1, 1, 2, 3], constants: [constant([1, 1, 2, 1])],
      buffers: [floats([10, 20])], options: (11, [:]))
    #expect(stretched == [11, 12, 13, 21, 22, 23])
  }

  @Test func multiplyScalesChannels() throws {
    let products = try run(
      18, [1, 2, 2, 2], to: [1, 2, 2, 2], constants: [constant([1, 1, 1, 2])],
      buffers: [floats([2, -1])], options: (21, [:]))
    #expect(products == [2, -2, 6, -4, 10, -6, 14, -8])
  }

  @Test func shapesThatCannotBeBroadcastAreRejected() {
    #expect(throws: ModelError.self) {
      try run(
        0, [1, 2, 1, 3], to: [1, 2, 1, 3], constants: [constant([2])], buffers: [floats([1, 2])],
        options: (11, [:]))
    }
  }

  @Test func activationsFollowTheirFormulas() throws {
    #expect(try run(14, [1, 1], to: [1, 1], scale: 0) == [0.5])
    #expect(try run(19, [1, 3], to: [1, 3], scale: -1) == [0, 0, 0])
    let swish = try run(117, [1, 5], to: [1, 5], scale: -1)
    for (value, x) in zip(swish, [-1, -2, -3, -4, -5] as [Float]) {
      #expect(abs(value - x * min(max(x + 3, 0), 6) / 6) < 1e-6)
    }
    let prelu = try run(
      54, [1, 1, 2, 3], to: [1, 1, 2, 3], constants: [constant([1, 1, 3])],
      buffers: [floats([0.5, 1, -1])], scale: -1)
    #expect(prelu == [-0.5, -2, 3, -2, -5, 6])
  }

  @Test func maxPoolPadsAtTheEndFirst() throws {
    let options: Fields = [1: .int(2), 2: .int(2), 3: .int(2), 4: .int(2)]
    #expect(try run(17, [1, 3, 3, 1], to: [1, 2, 2, 1], options: (5, options)) == [5, 6, 8, 9])
    let valid = options.merging([0: .byte(1)]) { $1 }
    #expect(try run(17, [1, 3, 3, 1], to: [1, 1, 1, 1], options: (5, valid)) == [5])
    // A window of 49 cells on a map of 6 is all padding at the edges.
    let wide: Fields = [1: .int(1), 2: .int(1), 3: .int(7), 4: .int(7)]
    let pooled = try run(17, [1, 2, 3, 1], to: [1, 2, 3, 1], options: (5, wide))
    #expect(pooled == [6, 6, 6, 6, 6, 6])
  }

  @Test func averagesCoverTheWholeMap() throws {
    let options: Fields = [
      0: .byte(1), 1: .int(3), 2: .int(2), 3: .int(3), 4: .int(2),
    ]
    #expect(try run(1, [1, 2, 3, 2], to: [1, 1, 1, 2], options: (5, options)) == [6, 7])
    let part = options.merging([3: .int(2)]) { $1 }
    #expect(throws: ModelError.self) {
      try run(1, [1, 2, 3, 2], to: [1, 1, 2, 2], options: (5, part))
    }
    for axes in [[1, 2], [2, 1], [-3, -2]] as [[Int32]] {
      let mean = try run(
        40, [1, 2, 3, 2], to: [1, 1, 1, 2], constants: [integers([2])], buffers: [bytes(axes)],
        options: (27, [0: .byte(1)]))
      #expect(mean == [6, 7])
    }
    #expect(throws: ModelError.self) {
      try run(
        40, [1, 2, 3, 2], to: [1, 2, 3, 1], constants: [integers([1])], buffers: [bytes([3])],
        options: (27, [0: .byte(1)]))
    }
  }

  @Test func aMeanMayDropHeightAndWidth() throws {
    let mean = try run(
      40, [1, 2, 3, 2], to: [1, 2], constants: [integers([2])], buffers: [bytes([1, 2])],
      options: (27, [:]))
    #expect(mean == [6, 7])
  }

  /// A dense layer of the means of two channels, which are 6 and 7.
  private func dense(
    weights: [Int32] = [3, 2], bias: [Int32] = [3], to output: [Int32] = [1, 3],
    mean: [Int32] = [1, 2], options: (UInt8, Fields) = (8, [:])
  ) throws -> [Float] {
    let (tensor, step) = (MalformedModelTests.tensor, MalformedModelTests.step)
    return try outputs(
      MalformedModelTests.model(
        codes: [40, 9],
        tensors: [
          tensor([1, 2, 3, 2], 0, 0), tensor(output, 0, 0), tensor(mean, 0, 0),
          integers([2], buffer: 1), constant(weights, buffer: 2), constant(bias, buffer: 3),
        ],
        steps: [
          step(0, [0, 3], [2], (27, [0: .byte(mean.count == 4 ? 1 : 0)])),
          step(1, [2, 4, 5], [1], options),
        ],
        buffers: [
          [:], bytes([1, 2]), floats([1, 0, 0, 1, 2, -3]), floats([0.5, 0, 0]),
        ]))
  }

  @Test func aFullyConnectedLayerIsAMatrixTimesThePixelPlusABias() throws {
    #expect(try dense() == [6.5, 7, -9])
    #expect(try dense(options: (8, [0: .byte(3)])) == [6, 6, 0])
    #expect(
      try dense(to: [1, 1, 1, 3], mean: [1, 1, 1, 2], options: (8, [2: .byte(1)])) == [6.5, 7, -9])
    for options: Fields in [[1: .byte(1)], [0: .byte(5)]] {
      #expect(throws: ModelError.self) { try dense(options: (8, options)) }
    }
    #expect(throws: ModelError.self) { try dense(options: (1, [:])) }
    #expect(throws: ModelError.self) { try dense(weights: [2, 3], bias: [3]) }
    #expect(throws: ModelError.self) { try dense(weights: [3, 2, 1, 1]) }
    #expect(throws: ModelError.self) { try dense(bias: [1, 3]) }
    #expect(throws: ModelError.self) { try dense(to: [3]) }
  }

  @Test func padPutsZerosAround() throws {
    let padded = try run(
      34, [1, 1, 2, 1], to: [1, 2, 3, 2], constants: [integers([4, 2])],
      buffers: [bytes([0, 0, 1, 0, 0, 1, 0, 1])])
    #expect(padded == [0, 0, 0, 0, 0, 0, 1, 0, 2, 0, 0, 0])
    let nothing = try run(
      34, [1, 1, 2, 1], to: [1, 1, 2, 1], constants: [integers([4, 2])],
      buffers: [bytes([0, 0, 0, 0, 0, 0, 0, 0])])
    #expect(nothing == [1, 2])
    for wrong in [[0, 0, -1, 1, 0, 0, 0, 0], [1, 0, 0, 0, 0, 0, 0, 0]] as [[Int32]] {
      #expect(throws: ModelError.self) {
        try run(
          34, [1, 1, 2, 1], to: [1, 1, 2, 1], constants: [integers([4, 2])],
          buffers: [bytes(wrong)])
      }
    }
  }

  @Test func reshapeKeepsTheOrderAndFillsInOneSize() throws {
    let counting: [Float] = [1, 2, 3, 4, 5, 6]
    for shape in [[1, 6], [1, -1], [-1, 6]] as [[Int32]] {
      #expect(
        try run(22, [1, 2, 3], to: [1, 6], options: (17, [0: .ints(shape)])) == counting)
      #expect(
        try run(
          22, [1, 2, 3], to: [1, 6], constants: [integers([2])], buffers: [bytes(shape)])
          == counting)
    }
    for shape in [[], [1, 5], [-1, -1], [0, 6], [1, -2], [4, -1], [.max, .max]] as [[Int32]] {
      #expect(throws: ModelError.self) {
        try run(22, [1, 2, 3], to: [1, 6], options: (17, [0: .ints(shape)]))
      }
    }
  }

  @Test func resizeUsesHalfPixelCentres() throws {
    let wide = try run(
      23, [1, 1, 2, 1], to: [1, 1, 4, 1], constants: [integers([2])], buffers: [bytes([1, 4])],
      options: (15, [3: .byte(1)]))
    #expect(wide == [1, 1.25, 1.75, 2])
    let spread = try run(
      23, [1, 1, 1, 2], to: [1, 3, 5, 2], constants: [integers([2])], buffers: [bytes([3, 5])],
      options: (15, [3: .byte(1)]))
    #expect(spread == [Float]((0..<30).map { $0 % 2 == 0 ? 1 : 2 }))
    let options: [Fields] = [[:], [2: .byte(1)], [2: .byte(1), 3: .byte(1)]]
    for other in options {
      #expect(throws: ModelError.self) {
        try run(
          23, [1, 1, 2, 1], to: [1, 1, 4, 1], constants: [integers([2])],
          buffers: [bytes([1, 4])], options: (15, other))
      }
    }
    for size in [[0, 4], [1, -4], [.max, .max], [1, 4, 1]] as [[Int32]] {
      #expect(throws: ModelError.self) {
        try run(
          23, [1, 1, 2, 1], to: [1, 1, 4, 1], constants: [integers([Int32(size.count)])],
          buffers: [bytes(size)], options: (15, [3: .byte(1)]))
      }
    }
  }

  @Test func depthToSpaceTurnsChannelsIntoBlocks() throws {
    let spread = try run(5, [1, 1, 2, 4], to: [1, 2, 4, 1], options: (94, [0: .int(2)]))
    #expect(spread == [1, 2, 5, 6, 3, 4, 7, 8])
    #expect(throws: ModelError.self) {
      try run(5, [1, 1, 2, 4], to: [1, 3, 6, 1], options: (94, [0: .int(3)]))
    }
  }

  @Test func depthwiseConvolutionKeepsChannelsApart() throws {
    // SAME with stride 2 on an even map pads after only.
    let sums = try run(
      4, [1, 2, 4, 2], to: [1, 1, 2, 2],
      constants: [constant([1, 3, 3, 2]), constant([2], buffer: 2)],
      buffers: [
        floats((0..<18).map { $0 % 2 == 0 ? 1 : 0 }), floats([0, 7]),
      ], options: (2, [1: .int(2), 2: .int(2)]))
    #expect(sums == [42, 7, 40, 7])
  }

  @Test func halfPrecisionWeightsAreConverted() throws {
    // 1, -2, the smallest number above 0, 65504: all exact.
    let halves: [UInt16] = [0x3c00, 0xc000, 0x0001, 0x7bff]
    let packed = halves.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] }
    let bytes = MalformedModelTests.model(
      codes: [0, 6],
      tensors: [
        MalformedModelTests.tensor([1, 4]), MalformedModelTests.tensor([1, 4]),
        MalformedModelTests.tensor([4], type: 1, buffer: 1), MalformedModelTests.tensor([4]),
      ],
      steps: [
        MalformedModelTests.step(1, [2], [3]),
        MalformedModelTests.step(0, [0, 3], [1], options: (11, [:])),
      ], buffers: [[:], [0: .bytes(packed)]])
    let graph = try Graph(TFLiteModel(bytes: bytes), backEnd: .xnnpack)
    try graph.invoke()
    #expect(graph.output(0) == [1, -2, 0x1p-24, 65504])
  }

  @Test func transposedConvolutionTurnsPixelsIntoBlocks() throws {
    func make(padding: UInt8, strides: [UInt8] = [3, 2]) throws -> [Float] {
      let options: [UInt8] = [padding, 0, 0, 0, strides[0], 0, 0, 0, strides[1], 0, 0, 0]
      let bytes = FlatBytes.model([
        0: .int(3), 1: .tables([[1: .text("Convolution2DTransposeBias"), 3: .int(32)]]),
        2: .tables([
          [
            0: .tables([
              MalformedModelTests.tensor([1, 1, 2, 1]), MalformedModelTests.tensor([1, 2, 6, 1]),
              constant([1, 2, 3, 1]), constant([1], buffer: 2),
            ]),
            1: .ints([0]), 2: .ints([1]),
            3: .tables([[1: .ints([0, 2, 3]), 2: .ints([1]), 5: .bytes(options)]]),
          ]
        ]),
        4: .tables([[:], floats([1, 2, 3, 4, 5, 6]), floats([0.5])]),
      ])
      return try outputs(bytes)
    }
    let blocks: [Float] = [1.5, 2.5, 3.5, 2.5, 4.5, 6.5, 4.5, 5.5, 6.5, 8.5, 10.5, 12.5]
    #expect(try make(padding: 2) == blocks)
    #expect(throws: ModelError.self) { try make(padding: 1) }
    #expect(throws: ModelError.self) { try make(padding: 3) }
    #expect(throws: ModelError.self) { try make(padding: 2, strides: [1, 2]) }
    #expect(throws: ModelError.self) { try make(padding: 2, strides: [0, 2]) }
  }
}
