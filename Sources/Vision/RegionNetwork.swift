import Inference
import Pixels
import Threads

/// A network that looks at one square region of a picture at a time; not for two threads at once.
final class RegionNetwork {
  /// Samples along each side of the region.
  let side: Int
  private let graph: Graph
  private let sampler: RegionSampler

  private let range: ClosedRange<Float>

  /// Takes a loaded network for samples in `range`; refuses one whose tensors are not as expected.
  ///
  /// Outputs after the first `used` are not computed where that saves something.
  convenience init(
    _ graph: Graph, side: Int, range: ClosedRange<Float>, outputs: [[Int]], used: Int? = nil
  ) throws(ModelError) {
    try graph.expect(input: [1, side, side, 3], outputs: outputs)
    graph.outputsUsed = used ?? outputs.count
    self.init(graph, side, range)
  }

  private init(_ graph: Graph, _ side: Int, _ range: ClosedRange<Float>) {
    (self.graph, self.side, self.range) = (graph, side, range)
    sampler = RegionSampler(width: side, height: side, range: range)
  }

  var threads: ThreadPool? { graph.threads }

  /// Whether a look stays on the thread that asks for it.
  var isSingleThreaded: Bool {
    get { graph.isSingleThreaded }
    set { graph.isSingleThreaded = newValue }
  }

  /// The same network for another thread; nil where there can be none.
  func clone() -> RegionNetwork? { graph.clone().map { RegionNetwork($0, side, range) } }

  /// Runs the network on the samples that `toUpright` places in the upright picture.
  func look(
    at picture: borrowing Picture, _ orientation: Orientation, _ toUpright: Affine,
    border: RegionSampler.Border
  ) throws(ModelError) {
    let map = toUpright.then(View(picture, orientation).toStoredPixels)
    graph.withInput { sampler.sample(picture, map, border: border, graph.inputLayout, into: &$0) }
    try graph.invoke()
  }

  /// Lends an output's values of the last run, by its place among the outputs expected.
  func withOutput<R>(_ number: Int, _ body: (Span<Float>) -> R) -> R {
    graph.withOutput(number, body)
  }
}
