import Threads

/// A network that runs in planes of channels; see docs/inference.md.
///
/// It says what is done, not with what: any number of memories may be used with it at once.
final class Engine {
  let steps: [any EngineStep]
  let inputCount: Int
  private let count, scratch: Int
  /// Where the outputs lie, laid out as in the model.
  let outputs: [Range<Int>]

  /// A step that costs less is not worth another thread.
  private static let leastCost = 200_000

  init(_ plan: GraphBuilder) throws(Declined) {
    let planner = try EnginePlanner(plan)
    (steps, count, outputs) = (planner.steps, planner.count, planner.outputs)
    inputCount = planner[0].height * planner[0].width * planner[0].channels
    scratch = steps.map(\.scratch).max() ?? 0
    guard scratch <= EnginePlanner.mostNumbers else {
      throw Declined(reason: "a step needs too much memory")
    }
  }

  func makeMaps() -> FloatBuffer { FloatBuffer(count: count) }

  /// Scratch for a number of threads.
  func makeScratch(threads: Int) -> [FloatBuffer] {
    (0..<threads).map { _ in FloatBuffer(count: scratch + 2 * Vector.lanes) }
  }

  /// Runs the network once; as many threads as there is scratch for do the larger steps.
  func run(
    _ input: FloatBuffer, _ maps: FloatBuffer, _ scratch: [FloatBuffer],
    _ threads: (any SliceRunner)?
  ) {
    func memory(_ piece: Int) -> Memory {
      Memory(input: Numbers(input), maps: Numbers(maps), scratch: Numbers(scratch[piece]))
    }
    for step in steps {
      let pieces = step.cost < Self.leastCost ? 1 : min(scratch.count, step.units)
      guard pieces > 1, let threads else {
        step.run(0..<step.units, memory(0))
        continue
      }
      threads.run(pieces) { piece in
        let units = step.units
        step.run(units * piece / pieces..<units * (piece + 1) / pieces, memory(piece))
      }
    }
  }
}
