import Files
import Support
import Testing
import Threads
import XNNPACKReference

@testable import Inference

/// Random networks of layers that the engine supports, on maps of any size.
@Suite(.timeLimit(.minutes(20))) struct EngineTests {
  typealias Fields = MalformedModelTests.Fields

  /// A network that is built layer by layer.
  struct RandomNetwork {
    var random: SplitMix
    var tensors: [Fields] = []
    var steps: [Fields] = []
    var buffers: [Fields] = [[:]]
    var shapes: [[Int]] = []

    static let codes: [Int32] = [3, 4, 0, 18, 19, 54, 34, 17, 23, 5, 117, 40, 14, 22, 9]

    init(seed: UInt64) { random = SplitMix(seed) }

    mutating func tensor(_ shape: [Int]) -> Int32 {
      tensors.append(MalformedModelTests.tensor(shape.map { Int32($0) }))
      shapes.append(shape)
      return Int32(tensors.count - 1)
    }

    /// A constant of numbers from -1 to 1; `zeros` in ten of them are 0.
    mutating func constant(_ shape: [Int], zeros: Int = 0) -> Int32 {
      let values = (0..<shape.reduce(1, *)).map { _ in
        random.below(10) < zeros ? Float(0) : Float(random.below(2001) - 1000) / 1000
      }
      return constant(shape, MalformedModelTests.floats(values), type: 0)
    }

    mutating func integers(_ shape: [Int], _ values: [Int]) -> Int32 {
      constant(
        shape, MalformedModelTests.floats(values.map { Float(bitPattern: UInt32($0)) }), type: 2)
    }

    private mutating func constant(_ shape: [Int], _ bytes: Fields, type: UInt8) -> Int32 {
      buffers.append(bytes)
      tensors.append(
        MalformedModelTests.tensor(
          shape.map { Int32($0) }, type: type, buffer: Int32(buffers.count - 1)))
      shapes.append(shape)
      return Int32(tensors.count - 1)
    }

    mutating func add(
      _ code: Int32, _ inputs: [Int32], _ shape: [Int], _ options: (UInt8, Fields)? = nil
    ) -> Int32 {
      let output = tensor(shape)
      let number = Int32(Self.codes.firstIndex(of: code)!)
      steps.append(MalformedModelTests.step(number, inputs, [output], options: options))
      return output
    }

    private func size(_ input: Int, _ window: Int, _ stride: Int, isSame: Bool) -> Int {
      isSame ? (input + stride - 1) / stride : (input - window) / stride + 1
    }

    mutating func convolution(_ input: Int32, isDepthwise: Bool, isPoint: Bool = false) -> Int32 {
      let shape = shapes[Int(input)]
      let window = isPoint ? 1 : 1 + random.below(5)
      let stride = isPoint ? 1 : 1 + random.below(2)
      let isSame = window > min(shape[1], shape[2]) || random.below(2) == 0
      let channels = isDepthwise ? shape[3] : 1 + random.below(20)
      let zeros = random.below(2) * 7
      let filter =
        isDepthwise ? [1, window, window, channels] : [channels, window, window, shape[3]]
      let inputs = [input, constant(filter, zeros: zeros), constant([channels])]
      let options: Fields = [
        0: .byte(isSame ? 0 : 1), 1: .int(Int32(stride)), 2: .int(Int32(stride)),
        (isDepthwise ? 4 : 3): .byte([0, 1, 3][random.below(3)]),
      ]
      return add(
        isDepthwise ? 4 : 3, inputs,
        [
          1, size(shape[1], window, stride, isSame: isSame),
          size(shape[2], window, stride, isSame: isSame), channels,
        ], (isDepthwise ? 2 : 1, options))
    }

    mutating func addLayer(_ input: Int32) -> Int32 {
      let shape = shapes[Int(input)]
      let (height, width, channels) = (shape[1], shape[2], shape[3])
      switch random.below(13) {
      case 0, 1: return convolution(input, isDepthwise: false)
      case 2, 3:
        var own = convolution(input, isDepthwise: true)
        if random.below(3) == 0 { return own }
        // With a hard swish or a PReLU between the two.
        let shape = shapes[Int(own)]
        switch random.below(4) {
        case 0: own = add(117, [own], shape)
        case 1: own = add(54, [own, constant([1, 1, shape[3]])], shape)
        default: break
        }
        return convolution(own, isDepthwise: false, isPoint: true)
      case 4:
        let own = convolution(input, isDepthwise: false, isPoint: true)
        let wide = shapes[Int(own)][3]
        guard wide >= channels else { return own }
        let padding = integers([4, 2], [0, 0, 0, 0, 0, 0, 0, wide - channels])
        let padded = wide == channels ? input : add(34, [input, padding], shapes[Int(own)])
        return add(0, [padded, own], shapes[Int(own)], (11, [0: .byte([0, 1][random.below(2)])]))
      case 5: return add(19, [input], shape)
      case 6: return add(54, [input, constant([1, 1, channels])], shape)
      case 7: return add(117, [input], shape)
      case 8:
        guard height > 1, width > 1 else { return add(14, [input], shape) }
        let options: Fields = [
          0: .byte(1), 1: .int(2), 2: .int(2), 3: .int(2), 4: .int(2),
        ]
        return add(17, [input], [1, height / 2, width / 2, channels], (5, options))
      case 9:
        let (tall, wide) = (height * 2, random.below(2) == 0 ? width * 2 : width + 3)
        guard tall * wide < 2000 else { return add(14, [input], shape) }
        let size = integers([2], [tall, wide])
        return add(23, [input, size], [1, tall, wide, channels], (15, [3: .byte(1)]))
      case 10:
        let mean = add(
          40, [input, integers([2], [1, 2])], [1, 1, 1, channels], (27, [0: .byte(1)]))
        return add(18, [input, mean], shape, (21, [:]))
      case 11:
        let padding = integers([4, 2], [0, 0, 1, 1, 1, 1, 0, 0])
        let padded = add(34, [input, padding], [1, height + 2, width + 2, channels])
        return convolution(padded, isDepthwise: random.below(2) == 0)
      default: return add(18, [input, constant([1, 1, 1, channels])], shape, (21, [:]))
      }
    }

    /// The mean of each channel, and a dense layer of these, with a sigmoid or without.
    mutating func addHead(_ input: Int32) -> Int32 {
      let channels = shapes[Int(input)][3]
      let keeps = random.below(2)
      let size = keeps == 1 ? [1, 1, 1] : [1]
      let mean = add(
        40, [input, integers([2], [1, 2])], size + [channels], (27, [0: .byte(UInt8(keeps))]))
      let outputs = 1 + random.below(70)
      let dense = add(
        9, [mean, constant([outputs, channels]), constant([outputs])], size + [outputs],
        (8, [0: .byte([0, 1, 3][random.below(3)]), 2: .byte(UInt8(keeps))]))
      return random.below(2) == 0 ? add(14, [dense], size + [outputs]) : dense
    }

    /// A convolution of a map, at half or full size, with a PReLU, that is added to the map.
    mutating func addBranch(_ input: Int32) -> Int32 {
      let shape = shapes[Int(input)]
      let options: Fields = [0: .byte(0), 1: .int(1), 2: .int(1)]
      var own = input
      if shape[1] % 2 == 0, shape[2] % 2 == 0, random.below(2) == 0 {
        let half: Fields = [0: .byte(1), 1: .int(2), 2: .int(2), 3: .int(2), 4: .int(2)]
        own = add(17, [input], [1, shape[1] / 2, shape[2] / 2, shape[3]], (5, half))
        let size = integers([2], [shape[1], shape[2]])
        own = add(23, [own, size], shape, (15, [3: .byte(1)]))
      }
      let weights = [shape[3], 1, 1, shape[3]]
      own = add(3, [own, constant(weights), constant([shape[3]])], shape, (1, options))
      own = add(54, [own, constant([1, 1, shape[3]])], shape)
      return add(0, random.below(2) == 0 ? [own, input] : [input, own], shape, (11, [:]))
    }

    func bytes(output: Int32) -> [UInt8] {
      FlatBytes.model([
        0: .int(3), 1: .tables(Self.codes.map { [3: .int($0)] }),
        2: .tables([
          [0: .tables(tensors), 1: .ints([0]), 2: .ints([output]), 3: .tables(steps)]
        ]),
        4: .tables(buffers),
      ])
    }
  }

  @Test(arguments: [false, true])
  func randomNetworksAgreeWithXNNPACK(withHead: Bool) throws {
    var compared = 0
    for seed in 1...300 as ClosedRange<UInt64> {
      var network = RandomNetwork(seed: seed)
      let (height, width) = (1 + network.random.below(40), 1 + network.random.below(40))
      var last = network.tensor([1, height, width, 1 + network.random.below(6)])
      for _ in 0..<1 + network.random.below(5) { last = network.addLayer(last) }
      if withHead {
        if network.shapes[Int(last)].count == 4 { last = network.addBranch(last) }
        last = network.addHead(last)
      }
      guard last != 0 else { continue }
      let model = try TFLiteModel(bytes: network.bytes(output: last))
      func outputs(_ backEnd: BackEnd, threads: Int = 1) throws -> [Float] {
        let graph = try Graph(
          model, threads: threads > 1 ? ThreadPool(exactly: threads) : nil, backEnd: backEnd)
        graph.fillInput { Float($0 * 7919 % 1000) / 500 - 1 }
        try graph.invoke()
        return graph.output(0)
      }
      let expected = try outputs(.xnnpack)
      guard let own = try? outputs(.engine) else { continue }
      compared += 1
      let largest = expected.lazy.map(abs).max() ?? 0
      for (place, value) in expected.enumerated() {
        guard abs(own[place] - value) <= 2e-5 * max(1, largest) else {
          Issue.record("network \(seed) at \(place): \(own[place]), XNNPACK \(value)")
          break
        }
      }
      if seed % 10 == 0 { #expect(try outputs(.engine, threads: 2) == own, "network \(seed)") }
    }
    #expect(compared > 150)
  }
}
