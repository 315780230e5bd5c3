package import Filters
package import Pixels

/// The background of a composite, a colour or a picture, as planes of a stream's own codes.
package final class Background {
  let grid: ChromaGrid
  private let planes: (Grid<UInt8>, Grid<UInt8>, Grid<UInt8>)
  /// The same in codes of more bits, where the stream has them.
  private let deepPlanes: (Grid<UInt16>, Grid<UInt16>, Grid<UInt16>)?

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
    guard let codes = DeepCodes(video) else {
      deepPlanes = nil
      return
    }
    func deepPlane(_ width: Int, _ value: Float) -> Grid<UInt16> {
      Grid(width: width, height: 1, of: codes.nearest(value))
    }
    deepPlanes = (
      deepPlane(grid.width, values.0), deepPlane(grid.gridWidth, values.1),
      deepPlane(grid.gridWidth, values.2)
    )
  }

  /// A picture, brought to the frame's size over `color`; where it covers the frame it is cut
  /// evenly at both sides.
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
    if video.format.bitDepth > 8 {
      deepPlanes = (
        Grid(width: width, height: height, of: 0),
        Grid(width: grid.gridWidth, height: grid.gridHeight, of: 0),
        Grid(width: grid.gridWidth, height: grid.gridHeight, of: 0)
      )
    } else {
      deepPlanes = nil
    }
    let scaler = FitScaler(
      image: image, color: color, width: width, height: height, fit: fit)
    let writer = BackgroundWriter(
      grid: grid, rows: (planes.0.rows, planes.1.rows, planes.2.rows),
      deep: deepPlanes.map { ($0.0.rows, $0.1.rows, $0.2.rows) })
    let line = Grid(width: width, height: 1, of: SIMD4<Float>.zero)
    for y in 0..<height {
      scaler.scaleRow(y, of: image, into: line.row(0))
      writer.writeRow(line.row(0), y: y)
    }
  }

  /// The rows of a field of the format; valid while this lives.
  func rows(field: Int) -> BackgroundRows {
    BackgroundRows(
      planes: (planes.0.rows, planes.1.rows, planes.2.rows), field: field,
      of: grid.video.fieldCount)
  }

  /// The rows of more bits; nil for streams of 8 bits.
  func deepRows(field: Int) -> DeepBackground? {
    deepPlanes.map {
      DeepBackground(
        planes: ($0.0.rows, $0.1.rows, $0.2.rows), field: field, of: grid.video.fieldCount)
    }
  }
}

/// The rows of a `Background`, or of cells that are upsampled to its size; valid while those live.
package struct BackgroundRows {
  private enum Origin {
    case planes(Grid<UInt8>.Rows, Grid<UInt8>.Rows, Grid<UInt8>.Rows)
    case cells(CellBackground)
  }

  private let origin: Origin
  private let field, fieldCount: Int

  /// Of planes of the frame, the rows of field `field` of `fieldCount`.
  init(
    planes: (Grid<UInt8>.Rows, Grid<UInt8>.Rows, Grid<UInt8>.Rows), field: Int, of fieldCount: Int
  ) {
    origin = .planes(planes.0, planes.1, planes.2)
    (self.field, self.fieldCount) = (field, fieldCount)
  }

  package init(_ cells: CellBackground) {
    origin = .cells(cells)
    (field, fieldCount) = (0, 1)
  }

  /// Row `y` of a component, of `count` samples.
  ///
  /// Foreground blocks by `kinds` are undefined; without `kinds` all blocks are there. The samples
  /// may lie in `scratch`, until the component's next row.
  package func row(
    _ component: Int, _ y: Int, _ kinds: Row<UInt8>? = nil, count: Int,
    _ scratch: ComposeScratch.Rows
  ) -> Row<UInt8> {
    switch origin {
    case .planes(let first, let second, let third):
      let plane = pick(component, (first, second, third))
      return plane.row(min(y &* fieldCount &+ field, plane.height &- 1))[..<count]
    case .cells(let cells):
      let out = pick(component, scratch.background)
      guard let kinds else {
        cells.upsample(component, y, 0..<count, into: out, scratch)
        return out[..<count]
      }
      let size = cells.samplesPerBlock(component)
      var i = 0
      while i < kinds.count {
        let start = i
        let isForeground = kinds[i] == RowCompositor.Kind.foreground.rawValue
        repeat {
          i &+= 1
        } while i < kinds.count
          && (kinds[i] == RowCompositor.Kind.foreground.rawValue) == isForeground
        if isForeground { continue }
        cells.upsample(
          component, y, start &* size..<min(i &* size, count), into: out, scratch)
      }
      return out[..<count]
    }
  }
}

/// Cells of a coarse grid as a background; valid while the memory of both lives.
///
/// Luma is upsampled to the chroma grid and each sample repeated: a blurred picture has no finer
/// detail.
package struct CellBackground {
  private let planes: (Grid<UInt8>.Rows, Grid<UInt8>.Rows, Grid<UInt8>.Rows)
  private let upsampler: GridUpsampler
  private let grid: ChromaGrid

  package init(
    planes: (Grid<UInt8>.Rows, Grid<UInt8>.Rows, Grid<UInt8>.Rows), upsampler: GridUpsampler,
    grid: ChromaGrid
  ) {
    (self.planes, self.upsampler, self.grid) = (planes, upsampler, grid)
  }

  /// Samples of a component in a block.
  func samplesPerBlock(_ component: Int) -> Int {
    GridPlane.Rows.block << (component == 0 ? grid.hShift : 0)
  }

  /// Writes columns of row `y` of a component at their positions in `out`; the first column is even
  /// if chroma is subsampled.
  @inline(never)
  func upsample(
    _ component: Int, _ y: Int, _ columns: Range<Int>, into out: Row<UInt8>,
    _ scratch: ComposeScratch.Rows
  ) {
    let cells = pick(component, planes)
    let (x, out) = (columns.lowerBound, out[columns.lowerBound...])
    guard component == 0, grid.hShift > 0 else {
      upsampler.upsampleBilinear(
        cells, row: y, from: x, count: columns.count, into: out, scratch: scratch.cells)
      return
    }
    let half = (columns.count + 1) / 2
    upsampler.upsampleBilinear(
      cells, row: y >> grid.vShift, from: x / 2, count: half, into: scratch.backgroundLuma,
      scratch: scratch.cells)
    MatteKernels.repeat2x(out, scratch.backgroundLuma[..<half])
  }
}
