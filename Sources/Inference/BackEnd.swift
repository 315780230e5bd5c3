import Threads

/// Who runs a network.
package enum BackEnd: Equatable, Sendable, CustomStringConvertible {
  /// This module's engine.
  case own
  case xnnpack

  /// For the debug log.
  package var description: String {
    switch self {
    case .own: "the engine"
    case .xnnpack: "XNNPACK"
    }
  }

  /// Which back end a network gets.
  package enum Choice: Sendable {
    /// XNNPACK, for as long as the engine is not quicker, unless the environment's
    /// `MIEN_INFERENCE` says "own": then it is the engine and no other.
    case wanted
    case own
    case xnnpack

    func network(
      _ plan: GraphBuilder, _ threads: ThreadPool?
    ) throws(ModelError) -> (any RunningNetwork, BackEnd) {
      var choice = self
      if case .wanted = self {
        choice = Environment.value("MIEN_INFERENCE") == "own" ? .own : .xnnpack
      }
      guard case .own = choice else {
        return (try XNNPACKNetwork(plan, threads: threads), .xnnpack)
      }
      do {
        return (EngineNetwork(try Engine(plan), threads), .own)
      } catch {
        throw ModelError("the engine does not run it: \(error.reason)")
      }
    }
  }
}

/// A network with memory of its own.
protocol RunningNetwork: AnyObject {
  /// All channels of a pixel together, row by row.
  var input: FloatBuffer { get }

  func run() throws(ModelError)
  /// Where an output's values lie.
  func output(_ number: Int) -> (FloatBuffer, Range<Int>)
}

/// One that the engine runs.
final class EngineNetwork: RunningNetwork {
  private let engine: Engine
  private let maps: FloatBuffer
  private let scratch: [FloatBuffer]
  private let threads: ThreadPool?
  let input: FloatBuffer

  init(_ engine: Engine, _ threads: ThreadPool?) {
    (self.engine, self.threads) = (engine, threads)
    input = FloatBuffer(count: engine.inputCount)
    maps = engine.makeMaps()
    scratch = engine.makeScratch(threads: threads?.threadCount ?? 1)
  }

  func run() { engine.run(input, maps, scratch, threads) }

  func output(_ number: Int) -> (FloatBuffer, Range<Int>) { (maps, engine.outputs[number]) }
}
