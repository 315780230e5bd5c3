import Pixels
import Support
import Testing
import Threads

@testable import Filters

/// Cells of pictures of every format, beside means taken sample by sample.
@Suite(.timeLimit(.minutes(20))) struct AreaDownscalerTests {
  @Test(arguments: PixelFormat.eightBit)
  func cellsAreMeansOfTheirSamples(format: PixelFormat) {
    let downscaler = AreaDownscaler()
    let runners: [any SliceRunner] = [SerialRunner(), ThreadPool(exactly: 3)]
    for (width, height) in [(67, 31), (96, 24), (5, 3), (1, 1), (2, 1), (1, 17)] {
      let picture = FencedPicture(format, width, height, atEnd: true)
      for (step, x, y) in [
        ((1, 1), 0, 0), ((2, 2), 0, 0), ((3, 3), 0, 0), ((4, 4), 2, 2), ((6, 6), 0, 0),
        ((8, 4), 4, 0), ((5, 2), 0, 0),
      ] where x < width && y < height {
        let cells = AreaDownscaler.Cells(
          x: x, y: y, step: step, columns: (width - x + step.0 - 1) / step.0,
          rows: (height - y + step.1 - 1) / step.1)
        let target = OwnedPicture(
          format: format.layout.componentCount == 1 ? .gray8 : .y444, width: cells.columns,
          height: cells.rows, colorimetry: .bt709)
        picture.withPicture { source in
          target.withPicture {
            downscaler.downscale(source, cells, into: $0, runner: runners[height % 2])
          }
          compare(source, cells, target)
        }
      }
    }
  }

  private func compare(
    _ source: borrowing Picture, _ cells: AreaDownscaler.Cells, _ target: OwnedPicture
  ) {
    for index in 0..<min(3, source.format.layout.componentCount) {
      let (place, component) = (source.format.layout[index], source.component(index))
      let (h, v) = (place.hShift, place.vShift)
      // Of cells that begin between samples of chroma, one sample is taken.
      guard (cells.step.x | cells.x) & ((1 << h) - 1) == 0 else { continue }
      for (row, column) in product(0..<cells.rows, 0..<cells.columns) {
        let (left, top) = (cells.x + column * cells.step.x, cells.y + row * cells.step.y)
        let columns = left >> h..<min((left + cells.step.x + (1 << h) - 1) >> h, component.width)
        let rows = top >> v..<min((top + cells.step.y + (1 << v) - 1) >> v, component.height)
        var sum = 0
        for y in rows { for x in columns { sum += Int(component[x, y]) } }
        let mean = Double(sum) / Double(rows.count * columns.count)
        target.withPicture {
          let found = Double($0.component(index)[column, row])
          #expect(abs(found - mean) <= 0.501, "\(source.format) \(index) \(column), \(row)")
        }
      }
    }
  }
}
