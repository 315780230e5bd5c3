import Inference
import Pixels

/// A network that looks at one square region of a picture at a time; not for two threads at once.
final class RegionNetwork {
  /// Samples along each side of the region.
  let side: Int
  private let graph: Graph
  private let sampler: RegionSampler

  /// Takes a loaded network for samples in `range`; refuses one whose tensors are not as expected.
  init(_ graph: Graph, side: Int, range: ClosedRange<Float>, outputs: [[Int]]) throws(ModelError) {
    try graph.expect(input: [1, side, side, 3], outputs: outputs)
    (self.graph, self.side) = (graph, side)
    sampler = RegionSampler(width: side, height: side, range: range)
  }

  /// Runs the network on the samples that `toUpright` places in the upright picture.
  func look(
    at picture: borrowing Picture, _ orientation: Orientation, _ toUpright: Affine,
    border: RegionSampler.Border
  ) throws(ModelError) {
    let map = toUpright.then(View(picture, orientation).toStoredPixels)
    graph.withInput { sampler.sample(picture, map, border: border, into: &$0) }
    try graph.invoke()
  }

  /// Lends an output's values of the last run, by its place among the outputs expected.
  func withOutput<R>(_ number: Int, _ body: (Span<Float>) -> R) -> R {
    graph.withOutput(number, body)
  }
}
