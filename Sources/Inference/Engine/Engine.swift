import Threads

/// A network that runs in planes of channels; see docs/inference.md.
///
/// It says what is done, not with what: any number of memories may be used with it at once.
final class Engine {
  let steps: [any EngineStep]
  /// The outputs that each step is needed for: a bit for each.
  private let needs: [UInt32]
  let input: MapLayout
  private let count, scratch: Int
  /// Where the outputs lie, laid out as in the model.
  let outputs: [Range<Int>]

  /// A step that costs less is not worth another thread.
  private static let leastCost = 200_000

  init(_ plan: NetworkDefinition) throws(UnsupportedOperator) {
    let planner = try EnginePlanner(plan)
    (steps, count, outputs) = (planner.steps, planner.count, planner.outputs)
    needs = planner.needs
    input = planner[0]
    scratch = steps.map(\.scratch).max() ?? 0
    guard scratch <= EnginePlanner.maximumFloats else {
      throw UnsupportedOperator(reason: "a step needs too much memory")
    }
  }

  func makeMaps() -> FloatBuffer { FloatBuffer(count: count) }

  /// Scratch for a number of threads.
  func makeScratch(threads: Int) -> [FloatBuffer] {
    (0..<threads).map { _ in FloatBuffer(count: scratch + 2 * Vector.lanes) }
  }

  /// Runs the network once, for its first `outputs`; as many threads as there is scratch for do the
  /// larger steps.
  func run(_ maps: FloatBuffer, _ scratch: [FloatBuffer], _ threads: ThreadPool?, outputs: Int) {
    func memory(_ piece: Int) -> Memory {
      Memory(maps: FloatView(maps), scratch: FloatView(scratch[piece]))
    }
    let wanted = (UInt32(1) << UInt32(outputs)) - 1
    func isShared(_ number: Int) -> Bool {
      needs[number] & wanted != 0 && steps[number].units > 1
        && steps[number].cost >= Self.leastCost
    }
    let last = threads == nil ? nil : steps.indices.last { isShared($0) }
    for (number, step) in steps.enumerated() where needs[number] & wanted != 0 {
      let units = step.units
      guard let threads, let last, isShared(number) else {
        step.run(0..<units, memory(0))
        continue
      }
      let pieces = min(scratch.count, units)
      threads.run(pieces, goesOn: number < last) { piece in
        step.run(units * piece / pieces..<units * (piece + 1) / pieces, memory(piece))
      }
    }
  }
}
