import Threads

/// A network and the memory of its values.
package protocol NetworkInstance: AnyObject {
  /// Where the input's values lie, and in which order.
  var input: (FloatBuffer, Range<Int>) { get }
  var inputLayout: InputLayout { get }

  /// Computes at least the first `outputs`.
  func run(outputs: Int, singleThreaded: Bool) throws(ModelError)
  /// An instance with the same weights, for another thread; nil where weights cannot be shared.
  func clone() -> (any NetworkInstance)?
  /// Where an output's values lie.
  func output(_ number: Int) -> (FloatBuffer, Range<Int>)
}

/// Where the numbers of a network's input lie: each back end has its own order.
package struct InputLayout: Equatable, Sendable {
  package let height, width, channels: Int
  /// Numbers from a row to the next, from a pixel to the next in its row, and from a channel of a
  /// pixel to the next.
  package let row, column, channel: Int
}

extension InputLayout {
  /// Interleaved: row by row, all channels of a pixel together.
  package init(height: Int, width: Int, channels: Int) {
    self.init(
      height: height, width: width, channels: channels, row: width * channels, column: channels,
      channel: 1)
  }

  /// Numbers from the first to the last.
  package var count: Int {
    (height - 1) * row + (width - 1) * column + (channels - 1) * channel + 1
  }
}

/// An instance that the plugin's engine runs.
final class EngineNetwork: NetworkInstance {
  private let engine: Engine
  private let maps: FloatBuffer
  private let scratch: [FloatBuffer]
  private let threads: ThreadPool?
  let inputLayout: InputLayout

  /// Throws where the engine does not support the network.
  convenience init(_ network: NetworkDefinition, _ threads: ThreadPool?) throws(ModelError) {
    self.init(try Engine(network), threads)
  }

  private init(_ engine: Engine, _ threads: ThreadPool?) {
    (self.engine, self.threads) = (engine, threads)
    let input = engine.input
    inputLayout = InputLayout(
      height: input.height, width: input.width, channels: input.channels, row: input.rowStride,
      column: 1, channel: input.channelStride)
    maps = FloatBuffer(count: engine.mapFloats)
    scratch = (0..<(threads?.threadCount ?? 1)).map { _ in
      FloatBuffer(count: engine.scratchFloats)
    }
  }

  var input: (FloatBuffer, Range<Int>) {
    let first = engine.input.origin
    return (maps, first..<first + inputLayout.count)
  }

  func run(outputs: Int, singleThreaded: Bool) {
    engine.run(maps, scratch, singleThreaded ? nil : threads, outputs: outputs)
  }

  func clone() -> (any NetworkInstance)? { EngineNetwork(engine, nil) }

  func output(_ number: Int) -> (FloatBuffer, Range<Int>) { (maps, engine.outputs[number]) }
}
