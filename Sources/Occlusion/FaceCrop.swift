import Faces
import Filters
import Pixels
import Threads

/// The picture around a face, downscaled to square cells, as red, green and blue.
///
/// Keeps its memory from picture to picture. One thread at a time.
final class FaceCrop {
  /// The cells along each side of the crop, if the picture is that large.
  static let side = 160
  /// The part of the crop that a face with its margin takes at most.
  private static let margin = 1.24

  /// The first pixel, the side of a cell in pixels, and the size in cells.
  private(set) var x = 0, y = 0, step = 1, columns = 0, rows = 0
  /// Red, green and blue of each cell, 0...255.
  let colors = Grid<SIMD4<Float>>(width: side, height: side, of: .zero)
  /// The mean codes of the picture's own components, centred on 0.
  let guide: GuidedFilter.Guide = (
    Grid(width: side, height: side, of: 0), Grid(width: side, height: side, of: 0),
    Grid(width: side, height: side, of: 0)
  )
  private let downscaler = AreaDownscaler()
  private var cells: OwnedPicture?
  private let bytes = Grid<UInt8>(width: side, height: 3, of: 0)
  private let runner = ThreadPool(threads: 1)

  /// Reads the cells around a face; false if it is outside the picture.
  ///
  /// `box` has the bounds of its mesh in pixels; `lastStep` is the side of its cells in the last
  /// picture, or 0.
  func read(_ picture: borrowing Picture, around box: Rectangle, lastStep: Int) -> Bool {
    let length = max(box.width, box.height) * Self.margin
    guard length > 8, length < 64 * Double(Self.side), box.center.x.isFinite,
      box.center.y.isFinite, box.maxX > 0, box.maxY > 0, box.x < Double(picture.width),
      box.y < Double(picture.height)
    else { return false }
    step = Self.step(length, last: lastStep)
    func start(_ center: Double, _ size: Int) -> Int {
      let first = center - Double(Self.side * step) / 2
      return Int(min(max(first, 0), Double(max(0, size - Self.side * step))))
    }
    (x, y) = (start(box.center.x, picture.width), start(box.center.y, picture.height))
    columns = min(Self.side, (picture.width - x + step - 1) / step)
    rows = min(Self.side, (picture.height - y + step - 1) / step)
    let format: PixelFormat =
      switch picture.format.family {
      case .rgb: .rgbx
      case .ycc: .y444
      case .gray: .gray8
      }
    let video = VideoFormat(
      format: format, width: columns, height: rows, colorimetry: picture.colorimetry)
    let target = cells?.video == video ? cells : nil
    let cells = target ?? OwnedPicture(video)
    self.cells = cells
    let grid = AreaDownscaler.Cells(
      x: x, y: y, step: (step, step), columns: columns, rows: rows)
    cells.withPicture { downscaler.downscale(picture, grid, into: $0, runner: runner) }
    cells.withPicture { (target: borrowing Picture) in convert(target) }
    return true
  }

  /// The side of the cells of a crop `length` pixels long; that of the last picture if it fits.
  private static func step(_ length: Double, last: Int) -> Int {
    let wanted = max(Int((length / Double(side)).rounded(.up)), 1)
    guard last > 0, last != wanted, length <= Double(side * last) else { return wanted }
    return length > 0.9 * Double(side * (last - 1)) ? last : wanted
  }

  /// From pixels of the picture, whose corner is (0, 0), to cells whose centres are whole numbers.
  func cell(_ point: Point) -> Point {
    Point(
      x: (point.x - Double(x)) / Double(step) - 0.5, y: (point.y - Double(y)) / Double(step) - 0.5)
  }

  /// The whole cells from a position to another, clipped to 0..<`limit`.
  static func cells(from low: Double, to high: Double, limit: Int) -> Range<Int> {
    let first = Int(min(max(low, 0), Double(limit)))
    return first..<max(first, Int(min(max(high + 1, 0), Double(limit))))
  }

  private func convert(_ picture: borrowing Picture) {
    let colorimetry = picture.colorimetry
    let family = picture.format.family
    let count = min(picture.format.layout.componentCount, 3)
    let sources = InlineArray<3, Component> { picture.component(min($0, count - 1)) }
    for row in 0..<rows {
      for channel in 0..<3 {
        sources[channel].gather(row: row, into: bytes.row(channel)[..<columns])
      }
      let (a, b, c) = (
        bytes.row(0)[..<columns], bytes.row(1)[..<columns], bytes.row(2)[..<columns]
      )
      let (guideA, guideB, guideC) = (guide.0.row(row), guide.1.row(row), guide.2.row(row))
      let out = colors.row(row)
      for x in 0..<columns {
        let codes = (a[x], b[x], c[x])
        guideA[x] = Int16(codes.0) - 128
        guideB[x] = Int16(codes.1) - 128
        guideC[x] = Int16(codes.2) - 128
        let values = (Float(codes.0), Float(codes.1), Float(codes.2))
        switch family {
        case .ycc:
          let (r, g, b) = colorimetry.rgb(y: values.0, cb: values.1, cr: values.2)
          out[x] = SIMD4(r, g, b, 1)
        case .rgb: out[x] = SIMD4(values.0, values.1, values.2, 1)
        case .gray:
          let luma = 255 * colorimetry.normalizedLuma(values.0)
          out[x] = SIMD4(luma, luma, luma, 1)
        }
      }
    }
  }
}
