import Inference
import Pixels
import Threads

/// A network whose input is a square region of a picture.
///
/// One thread at a time may use it.
final class RegionNetwork {
  /// Samples along each side of the region.
  let side: Int
  private let graph: Graph
  private let sampler: RegionSampler

  private let range: ClosedRange<Float>

  /// Wraps a network for samples in `range`, of which only the first `used` outputs are computed;
  /// throws unless its tensors have these shapes.
  convenience init(
    _ graph: Graph, side: Int, range: ClosedRange<Float>, outputs: [[Int]], used: Int? = nil
  ) throws(ModelError) {
    try graph.requireShapes(input: [1, side, side, 3], outputs: outputs)
    graph.outputsUsed = used ?? outputs.count
    self.init(graph, side, range)
  }

  private init(_ graph: Graph, _ side: Int, _ range: ClosedRange<Float>) {
    (self.graph, self.side, self.range) = (graph, side, range)
    sampler = RegionSampler(width: side, height: side, range: range)
  }

  var threads: ThreadPool? { graph.threads }

  /// Whether a run uses the calling thread alone.
  var isSingleThreaded: Bool {
    get { graph.isSingleThreaded }
    set { graph.isSingleThreaded = newValue }
  }

  /// A network with the same weights for another thread; nil where weights cannot be shared.
  func clone() -> RegionNetwork? { graph.clone().map { RegionNetwork($0, side, range) } }

  /// Runs the network on the samples that `toUpright` places in the upright picture, amplified by
  /// `gain`.
  func run(
    on picture: borrowing Picture, _ orientation: Orientation, _ toUpright: Affine,
    border: RegionSampler.Border, gain: Float = 1
  ) throws(ModelError) {
    let map = toUpright.then(UprightView(picture, orientation).toStoredPixels)
    graph.withInput {
      sampler.sample(picture, map, border: border, gain: gain, graph.inputLayout, into: &$0)
    }
    try graph.invoke()
  }

  /// Lends the values of an output after the last run.
  func withOutput<R>(_ number: Int, _ body: (Span<Float>) -> R) -> R {
    graph.withOutput(number, body)
  }
}
