package import Pixels

/// What stands behind the subject, in a stream's own codes: a colour, or a picture.
///
/// Made once for a format and size; holds the three components the keyer works on, planar.
@safe package final class Background {
  let grid: KeyGrid
  private let rows: [Strip<UInt8>]
  private let strides: [Int]

  /// One colour, 0xAARRGGBB; its alpha is not used.
  package init(
    color: UInt32, format: PixelFormat, width: Int, height: Int, colorimetry: Colorimetry,
    chromaSite: ChromaSite
  ) {
    let grid = KeyGrid(
      format: format, width: max(width, 1), height: max(height, 1), colorimetry: colorimetry,
      chromaSite: chromaSite)
    self.grid = grid
    let values = grid.components(argb: color)
    rows = [values.0, values.1, values.2].enumerated().map { index, value in
      let code = UInt8(min(max(value.rounded(), 0), 255))
      return Strip(index == 0 ? grid.width : grid.gridWidth, of: code)
    }
    strides = [0, 0, 0]
  }

  /// Addresses of all rows.
  var addresses: BackgroundRows {
    unsafe BackgroundRows(
      bases: (rows[0].base, rows[1].base, rows[2].base), strides: (strides[0], strides[1]))
  }

  /// A picture, scaled to cover the frame and cut evenly at both sides, over `color`.
  ///
  /// Each output pixel is a mean weighted by a tent, as wide as one output pixel when shrinking
  /// and as one of the image's when growing. `image` is of the RGB family; its alpha, where it
  /// has one, lets `color` through. Nil for other formats. Takes two passes over the image, and
  /// memory for a few of its rows.
  package convenience init?(
    image: borrowing Picture, color: UInt32, format: PixelFormat, width: Int, height: Int,
    colorimetry: Colorimetry, chromaSite: ChromaSite
  ) {
    guard image.format.family == .rgb, width > 0, height > 0, image.width > 0, image.height > 0
    else { return nil }
    self.init(
      grid: KeyGrid(
        format: format, width: width, height: height, colorimetry: colorimetry,
        chromaSite: chromaSite))
    let scaler = CoverScaler(image: image, color: color, width: width, height: height)
    let writer = BackgroundWriter(grid: grid)
    let line = Strip(width, of: SIMD4<Float>.zero)
    for y in 0..<height {
      scaler.row(y, of: image, into: line)
      writer.add(line, y: y, to: self)
    }
  }

  private init(grid: KeyGrid) {
    self.grid = grid
    rows = [
      Strip(grid.width * grid.height, of: 0), Strip(grid.gridWidth * grid.gridHeight, of: 0),
      Strip(grid.gridWidth * grid.gridHeight, of: 0),
    ]
    strides = [grid.width, grid.gridWidth, grid.gridWidth]
  }

  /// Whether this was made for pictures of `grid`.
  func fits(_ other: KeyGrid) -> Bool {
    grid.format == other.format && grid.width == other.width && grid.height == other.height
      && grid.colorimetry == other.colorimetry && grid.chromaSite == other.chromaSite
  }
}

/// Addresses of a `Background`'s rows; valid while it lives.
@safe struct BackgroundRows {
  let bases: (UnsafeMutablePointer<UInt8>, UnsafeMutablePointer<UInt8>, UnsafeMutablePointer<UInt8>)
  /// Of component 0, and of the others.
  let strides: (Int, Int)

  /// Row `y` of a component, contiguous.
  @inline(__always)
  @unsafe func row(_ component: Int, _ y: Int) -> UnsafeMutablePointer<UInt8> {
    switch component {
    case 0: unsafe bases.0 + y &* strides.0
    case 1: unsafe bases.1 + y &* strides.1
    default: unsafe bases.2 + y &* strides.1
    }
  }
}
