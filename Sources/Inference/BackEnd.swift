import CXNNPACK
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
    /// The engine where it knows the network and is quicker, otherwise XNNPACK; one of them alone
    /// where the environment's `MIEN_INFERENCE` is "own" or "xnnpack".
    case wanted
    case own
    case xnnpack

    func network(
      _ plan: GraphBuilder, _ threads: ThreadPool?
    ) throws(ModelError) -> (any RunningNetwork, BackEnd) {
      var choice = self
      if case .wanted = self {
        switch Environment.value("MIEN_INFERENCE") {
        case "own": choice = .own
        case "xnnpack": choice = .xnnpack
        default: break
        }
      }
      if case .wanted = choice, isNarrow { choice = .xnnpack }
      if case .xnnpack = choice { return (try XNNPACKNetwork(plan, threads: threads), .xnnpack) }
      do {
        return (EngineNetwork(try Engine(plan), threads), .own)
      } catch {
        guard case .own = choice else {
          return (try XNNPACKNetwork(plan, threads: threads), .xnnpack)
        }
        throw ModelError("the engine does not run it: \(error.reason)")
      }
    }
  }
}

/// Whether the processor's vectors are wider than those of this build.
///
/// XNNPACK's are the processor's, and it is quicker then. With all builds of the plugin in place none
/// is loaded where that is so.
private let isNarrow: Bool = {
  #if arch(x86_64) && x86_64_v3
    cxnn_processor() & 4 != 0
  #elseif arch(x86_64) && !x86_64_v4
    cxnn_processor() & 2 != 0
  #else
    false
  #endif
}()

/// A network with memory of its own.
protocol RunningNetwork: AnyObject {
  /// Where the input's values lie, and in which order.
  var input: (FloatBuffer, Range<Int>) { get }
  var inputLayout: InputLayout { get }

  /// Computes the first `outputs`, and perhaps the others.
  func run(outputs: Int, onItsThread: Bool) throws(ModelError)
  /// One with the same weights, for a thread of its own.
  func twin() -> (any RunningNetwork)?
  /// Where an output's values lie.
  func output(_ number: Int) -> (FloatBuffer, Range<Int>)
}

/// One that the engine runs.
final class EngineNetwork: RunningNetwork {
  private let engine: Engine
  private let maps: FloatBuffer
  private let scratch: [FloatBuffer]
  private let threads: ThreadPool?
  let inputLayout: InputLayout

  init(_ engine: Engine, _ threads: ThreadPool?) {
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

  func run(outputs: Int, onItsThread: Bool) {
    engine.run(maps, scratch, onItsThread ? nil : threads, outputs: outputs)
  }

  func twin() -> (any RunningNetwork)? { EngineNetwork(engine, nil) }

  func output(_ number: Int) -> (FloatBuffer, Range<Int>) { (maps, engine.outputs[number]) }
}
