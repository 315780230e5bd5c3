import Threads

/// A network as the steps that compute it; see docs/inference.md.
///
/// It holds no values: any number of clones may run it at once, each with memory of its own.
final class Engine {
  let steps: [any EngineStep]
  /// For each step a bit mask of the outputs that depend on it.
  private let dependentOutputs: [UInt32]
  let input: MapLayout
  /// Numbers of all maps, and of each thread's scratch memory.
  let mapFloats, scratchFloats: Int
  /// Where the outputs lie, in the model's own layout.
  let outputs: [Range<Int>]

  /// A step that costs less is not worth another thread.
  private static let minimumParallelCost = 200_000

  init(_ network: NetworkDefinition) throws(ModelError) {
    let planner = try EnginePlanner(network)
    (steps, dependentOutputs, mapFloats) = (
      planner.makeSteps(), planner.dependentOutputs, planner.floatCount
    )
    (input, outputs) = (planner[0], planner.outputs)
    scratchFloats = (steps.map(\.scratchFloats).max() ?? 0) + 2 * Vector.lanes
    guard scratchFloats <= EnginePlanner.maximumFloats else {
      throw ModelError("a layer needs too much memory")
    }
  }

  /// Runs the network once, for its first `outputs`; the larger steps use a thread for each scratch
  /// memory.
  func run(_ maps: FloatBuffer, _ scratch: [FloatBuffer], _ threads: ThreadPool?, outputs: Int) {
    func memory(_ thread: Int) -> Memory {
      Memory(maps: FloatView(maps), scratch: FloatView(scratch[thread]))
    }
    let wanted = (UInt32(1) << UInt32(outputs)) - 1
    func isShared(_ number: Int) -> Bool {
      dependentOutputs[number] & wanted != 0 && steps[number].units > 1
        && steps[number].cost >= Self.minimumParallelCost
    }
    let last = threads == nil ? nil : steps.indices.last { isShared($0) }
    for (number, step) in steps.enumerated() where dependentOutputs[number] & wanted != 0 {
      let units = step.units
      guard let threads, let last, isShared(number) else {
        step.run(0..<units, memory(0))
        continue
      }
      let slices = min(scratch.count, units)
      threads.run(slices, keepSpinning: number < last) { slice in
        step.run(units * slice / slices..<units * (slice + 1) / slices, memory(slice))
      }
    }
  }
}

/// What a step works on: all maps of the network, and scratch of the thread's own.
struct Memory {
  let maps: FloatView
  let scratch: FloatView
}

/// What all threads do together before they wait for each other.
protocol EngineStep {
  /// Parts that may be done in any order and at the same time.
  var units: Int { get }
  /// The approximate number of multiplications.
  var cost: Int { get }
  /// Numbers of scratch memory.
  var scratchFloats: Int { get }

  func run(_ units: Range<Int>, _ memory: Memory)
}
