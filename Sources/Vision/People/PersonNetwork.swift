import Filters
import Inference
import Pixels
import Threads

/// One of MediaPipe's two selfie segmentation networks, which computes the probability of a person
/// for each sample of a region.
///
/// Files and shapes are those of the mediapipe 0.10.14 wheel. One thread at a time may use it.
final class PersonNetwork {
  let width, height: Int
  private let graph: Graph
  private let sampler: RegionSampler
  private let downscaler = AreaDownscaler()

  /// Wraps a network; throws unless its tensors are this model's.
  init(_ model: PersonSegmenter.Network, _ graph: Graph) throws(ModelError) {
    (width, height) = model.size
    try graph.requireShapes(input: [1, height, width, 3], outputs: [[1, height, width, 1]])
    self.graph = graph
    sampler = RegionSampler(width: width, height: height, range: 0...1)
  }

  /// Runs the network on `region`, in pixels of the picture, stretched to the network's size.
  ///
  /// A region with two or more pixels for each sample is first downscaled by box means, which
  /// removes the sensor's noise. Boxes are powers of two, so that they have whole chroma samples.
  /// `scratch` holds the downscaled region.
  func run(
    on picture: borrowing Picture, _ region: Rectangle, _ scratch: RegionScratch,
    _ runner: any SliceRunner
  ) throws(ModelError) {
    let x = max(0, min(Int(region.x), picture.width - 1)) & ~1
    let y = max(0, min(Int(region.y), picture.height - 1)) & ~1
    let right = min(max(Int(region.maxX.rounded(.up)), x + 1), picture.width)
    let bottom = min(max(Int(region.maxY.rounded(.up)), y + 1), picture.height)
    func box(_ size: Double, _ samples: Int) -> Int {
      let maximum = max(1, min(Int(size / Double(samples)), 128))
      return 1 << (Int.bitWidth - 1 - maximum.leadingZeroBitCount)
    }
    let step = (x: box(region.width, width), y: box(region.height, height))
    guard step.x > 1 || step.y > 1 else {
      let map = Self.map(region, width, height)
      sample(picture, map)
      return try graph.invoke()
    }
    let cells = AreaDownscaler.Cells(
      x: x, y: y, step: step, columns: (right - x + step.x - 1) / step.x,
      rows: (bottom - y + step.y - 1) / step.y)
    let target = scratch.picture(for: picture, cells)
    let inCells = Rectangle(
      x: (region.x - Double(x)) / Double(step.x), y: (region.y - Double(y)) / Double(step.y),
      width: region.width / Double(step.x), height: region.height / Double(step.y))
    target.withPicture { small in
      downscaler.downscale(picture, cells, into: small, runner: runner)
      sample(small, Self.map(inCells, width, height))
    }
    try graph.invoke()
  }

  private func sample(_ picture: borrowing Picture, _ map: Affine) {
    graph.withInput {
      sampler.sample(picture, map, border: .replicate, graph.inputLayout, into: &$0)
    }
  }

  /// Lends the mask of the last run, row by row.
  func withResult<R>(_ body: (Span<Float>) -> R) -> R { graph.withOutput(0, body) }

  /// From samples to pixels whose centres have integer coordinates.
  private static func map(_ region: Rectangle, _ width: Int, _ height: Int) -> Affine {
    let (a, d) = (region.width / Double(width), region.height / Double(height))
    return Affine(
      a: a, b: 0, c: 0, d: d, tx: region.x + a / 2 - 0.5, ty: region.y + d / 2 - 0.5)
  }
}

/// A region's downscaled picture, reallocated only when its size changes.
final class RegionScratch {
  private var downscaled: OwnedPicture?

  /// A picture of the size of `cells`, and of the kind of `picture`.
  func picture(for picture: borrowing Picture, _ cells: AreaDownscaler.Cells) -> OwnedPicture {
    let format: PixelFormat =
      switch picture.format.family {
      case .rgb: .rgbx
      case .ycc: .y444
      case .gray: .gray8
      }
    if let downscaled, downscaled.format == format, downscaled.width == cells.columns,
      downscaled.height == cells.rows, downscaled.colorimetry == picture.colorimetry
    {
      return downscaled
    }
    let made = OwnedPicture(
      format: format, width: cells.columns, height: cells.rows, colorimetry: picture.colorimetry)
    downscaled = made
    return made
  }
}
