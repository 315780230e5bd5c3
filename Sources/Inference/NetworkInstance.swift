import Threads

/// A network with memory of its own.
package protocol NetworkInstance: AnyObject {
  /// Where the input's values lie, and in which order.
  var input: (FloatBuffer, Range<Int>) { get }
  var inputLayout: InputLayout { get }

  /// Computes the first `outputs`, and perhaps the others.
  func run(outputs: Int, singleThreaded: Bool) throws(ModelError)
  /// One with the same weights, for a thread of its own; nil where they cannot be shared.
  func clone() -> (any NetworkInstance)?
  /// Where an output's values lie.
  func output(_ number: Int) -> (FloatBuffer, Range<Int>)
}

/// One that the engine runs.
final class EngineNetwork: NetworkInstance {
  private let engine: Engine
  private let maps: FloatBuffer
  private let scratch: [FloatBuffer]
  private let threads: ThreadPool?
  let inputLayout: InputLayout

  /// Throws where the engine does not know what the network asks for.
  convenience init(_ plan: NetworkDefinition, _ threads: ThreadPool?) throws(ModelError) {
    do {
      self.init(try Engine(plan), threads)
    } catch {
      throw ModelError("no network of this kind can be run: \(error.reason)")
    }
  }

  private init(_ engine: Engine, _ threads: ThreadPool?) {
    (self.engine, self.threads) = (engine, threads)
    let input = engine.input
    inputLayout = InputLayout(
      height: input.height, width: input.width, channels: input.channels, row: input.pitch,
      column: 1, channel: input.plane)
    maps = engine.makeMaps()
    scratch = engine.makeScratch(threads: threads?.threadCount ?? 1)
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
