import Filters
package import Pixels

/// What stands behind the subject, a colour or a picture, as planes of a stream's own codes.
package final class Background {
  let grid: ChromaGrid
  private let planes: (Grid<UInt8>, Grid<UInt8>, Grid<UInt8>)

  /// One colour, 0xAARRGGBB; its alpha is not used.
  package init(color: UInt32, for video: VideoFormat) {
    grid = ChromaGrid(video)
    let values = grid.components(argb: color)
    // One row, which serves as all.
    func plane(_ width: Int, _ value: Float) -> Grid<UInt8> {
      Grid(width: width, height: 1, of: UInt8(min(max(value.rounded(), 0), 255)))
    }
    planes = (
      plane(grid.width, values.0), plane(grid.gridWidth, values.1), plane(grid.gridWidth, values.2)
    )
  }

  /// A picture, brought to the frame's size over `color`; where it covers the frame it is cut evenly
  /// at both sides.
  ///
  /// Each output pixel is a mean weighted by a tent, as wide as one output pixel when shrinking
  /// and as one of the image's when growing. `image` is of the RGB family; its alpha, where it
  /// has one, lets `color` through. Nil for other formats. Takes two passes over the image, and
  /// memory for a few of its rows.
  package init?(
    image: borrowing Picture, color: UInt32, fit: BackgroundFit = .cover, for video: VideoFormat
  ) {
    let (width, height) = (video.width, video.height)
    guard image.format.family == .rgb, width > 0, height > 0, image.width > 0, image.height > 0
    else { return nil }
    grid = ChromaGrid(video)
    planes = (
      Grid(width: width, height: height, of: 0),
      Grid(width: grid.gridWidth, height: grid.gridHeight, of: 0),
      Grid(width: grid.gridWidth, height: grid.gridHeight, of: 0)
    )
    let scaler = FitScaler(
      image: image, color: color, width: width, height: height, fit: fit)
    let writer = BackgroundWriter(grid: grid, rows: (planes.0.rows, planes.1.rows, planes.2.rows))
    let line = Grid(width: width, height: 1, of: SIMD4<Float>.zero)
    for y in 0..<height {
      scaler.row(y, of: image, into: line.row(0))
      writer.add(line.row(0), y: y)
    }
  }

  /// The rows alone; valid while this lives.
  var rows: BackgroundRows {
    BackgroundRows(planes: (planes.0.rows, planes.1.rows, planes.2.rows))
  }
}

/// The rows of a `Background`, or of cells that are brought to its size; valid while those live.
struct BackgroundRows {
  private enum Origin {
    case planes(Grid<UInt8>.Rows, Grid<UInt8>.Rows, Grid<UInt8>.Rows)
    case cells(CellBackdrop)
  }

  private let origin: Origin

  init(planes: (Grid<UInt8>.Rows, Grid<UInt8>.Rows, Grid<UInt8>.Rows)) {
    origin = .planes(planes.0, planes.1, planes.2)
  }

  init(_ cells: CellBackdrop) { origin = .cells(cells) }

  /// `count` samples of row `y` of a component from column `x` on; they may lie in `scratch`, until
  /// the next of that component.
  @inline(__always)
  func row(_ component: Int, _ y: Int, from x: Int, count: Int, _ scratch: KeyRows) -> Row<UInt8> {
    switch origin {
    case .planes(let first, let second, let third):
      let plane = pick(component, (first, second, third))
      return plane.row(min(y, plane.height &- 1))[from: x, count: count]
    case .cells(let cells):
      let room = scratch.behind(component)
      cells.expand(component, y, from: x, count: count, into: room, scratch)
      return room[..<count]
    }
  }

  /// The same of all three.
  func all(_ y: Int, from x: Int, count: Int, _ scratch: KeyRows) -> PackedPixels.Rows {
    (
      row(0, y, from: x, count: count, scratch), row(1, y, from: x, count: count, scratch),
      row(2, y, from: x, count: count, scratch)
    )
  }
}

/// Cells of a working grid as a background; valid while what they are of lives.
///
/// Luma is made at the chroma grid and each sample taken twice: nothing in it is as small as that.
struct CellBackdrop {
  let planes: (Grid<UInt8>.Rows, Grid<UInt8>.Rows, Grid<UInt8>.Rows)
  let upsampler: GridUpsampler
  let hShift, vShift: Int

  /// Writes `count` samples of row `y` of a component from column `x` on, which is even where
  /// chroma is halved.
  @inline(never)
  func expand(
    _ component: Int, _ y: Int, from x: Int, count: Int, into out: Row<UInt8>, _ scratch: KeyRows
  ) {
    let cells = pick(component, planes)
    guard component == 0, hShift > 0 else {
      upsampler.upsampleBilinear(
        cells, row: y, from: x, count: count, into: out, scratch: scratch.weights)
      return
    }
    let half = (count + 1) / 2
    let room = scratch.lineScreen
    upsampler.upsampleBilinear(
      cells, row: y >> vShift, from: x / 2, count: half, into: room, scratch: scratch.weights)
    MatteKernels.repeat2x(out, room[..<half])
  }
}
