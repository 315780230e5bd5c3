import CXNNPACK
import Threads

/// A network that runs in rows of channels; see docs/inference.md.
///
/// It says what is done, not with what: any number of memories may be used with it at once.
final class Engine {
  private let steps: [any EngineStep]
  private let count, scratch: Int
  let input: Rows
  /// Where the outputs lie, laid out as in the model.
  let outputs: [Range<Int>]

  /// A step that costs less is not worth another thread.
  private static let leastCost = 200_000

  init(_ plan: GraphBuilder) throws(Declined) {
    let planner = try EnginePlanner(plan)
    (steps, count, input, outputs) = (
      planner.steps, planner.count, planner.input, planner.outputs
    )
    scratch = steps.map(\.scratch).max() ?? 0
  }

  func makeMaps() -> FloatBuffer { FloatBuffer(count: count) }

  /// Scratch for a number of threads.
  func makeScratch(threads: Int) -> [FloatBuffer] {
    (0..<threads).map { _ in FloatBuffer(count: scratch + 2 * Vector.lanes) }
  }

  /// Runs the network once; as many threads as there is scratch for do the larger steps.
  func run(_ maps: FloatBuffer, _ scratch: [FloatBuffer], _ threads: (any SliceRunner)?) {
    let memories = Numbers(maps)
    for step in steps {
      let pieces = step.cost < Self.leastCost ? 1 : min(scratch.count, step.units)
      guard pieces > 1, let threads else {
        step.run(0..<step.units, Memory(maps: memories, scratch: Numbers(scratch[0])))
        continue
      }
      threads.run(pieces) { piece in
        let units = step.units
        step.run(
          units * piece / pieces..<units * (piece + 1) / pieces,
          Memory(maps: memories, scratch: Numbers(scratch[piece])))
      }
    }
  }
}
