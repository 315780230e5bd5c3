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

  /// A picture, scaled to cover the frame and cut evenly at both sides, over `color`.
  ///
  /// Each output pixel is a mean weighted by a tent, as wide as one output pixel when shrinking
  /// and as one of the image's when growing. `image` is of the RGB family; its alpha, where it
  /// has one, lets `color` through. Nil for other formats. Takes two passes over the image, and
  /// memory for a few of its rows.
  package init?(image: borrowing Picture, color: UInt32, for video: VideoFormat) {
    let (width, height) = (video.width, video.height)
    guard image.format.family == .rgb, width > 0, height > 0, image.width > 0, image.height > 0
    else { return nil }
    grid = ChromaGrid(video)
    planes = (
      Grid(width: width, height: height, of: 0),
      Grid(width: grid.gridWidth, height: grid.gridHeight, of: 0),
      Grid(width: grid.gridWidth, height: grid.gridHeight, of: 0)
    )
    let scaler = CoverScaler(image: image, color: color, width: width, height: height)
    let writer = BackgroundWriter(grid: grid, rows: rows)
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

/// The rows of a `Background`; valid while it lives.
struct BackgroundRows {
  let planes: (Grid<UInt8>.Rows, Grid<UInt8>.Rows, Grid<UInt8>.Rows)

  /// `count` samples of row `y` of a component from column `x` on.
  @inline(__always)
  func row(_ component: Int, _ y: Int, from x: Int, count: Int) -> Row<UInt8> {
    let plane = pick(component, planes)
    return plane.row(min(y, plane.height &- 1))[from: x, count: count]
  }

  /// The same of all three.
  func all(_ y: Int, from x: Int, count: Int) -> PackedPixels.Rows {
    (
      row(0, y, from: x, count: count), row(1, y, from: x, count: count),
      row(2, y, from: x, count: count)
    )
  }
}
