import Inference
import Pixels
import Support
import Testing

@testable import Vision

/// The sampler compared with a plain one in double precision.
@Suite(.timeLimit(.minutes(20))) struct RegionSamplerTests {
  /// Red, green and blue, 0...255, at a place of the picture.
  private func expected(
    _ picture: borrowing Picture, _ at: Point, _ border: RegionSampler.Border
  ) -> [Double] {
    let layout = picture.format.layout
    let isGray = picture.format.family == .gray
    var codes: [Double] = []
    for index in 0..<(isGray ? 1 : 3) {
      let place = layout.components[index]
      let component = picture.component(index)
      let site = picture.chromaSite
      func position(_ value: Double, _ shift: Int, _ isCosited: Bool) -> Double {
        let rounded = (value * 32).rounded(.toNearestOrEven) / 32
        return (rounded - (shift > 0 && !isCosited ? 0.5 : 0)) / Double(1 << shift)
      }
      let x = abs(at.x) > 20_000 ? 1e6 : position(at.x, place.hShift, site.isCositedHorizontally)
      let y = abs(at.y) > 20_000 ? 1e6 : position(at.y, place.vShift, site.isCositedVertically)
      let black =
        picture.format.family == .rgb
        ? 0.0 : index == 0 ? Double(picture.colorimetry.lumaOffset) : 128
      func sample(_ x: Int, _ y: Int) -> Double {
        let (cx, cy) = (min(max(x, 0), component.width - 1), min(max(y, 0), component.height - 1))
        return border == .black && (cx != x || cy != y) ? black : Double(component[cx, cy])
      }
      let (left, top) = (Int(x.rounded(.down)), Int(y.rounded(.down)))
      let (u, v) = (x - Double(left), y - Double(top))
      let above = sample(left, top) * (1 - u) + sample(left + 1, top) * u
      let below = sample(left, top + 1) * (1 - u) + sample(left + 1, top + 1) * u
      codes.append((above * (1 - v) + below * v + 0.5).rounded(.down))
    }
    if picture.format.family == .rgb { return codes }
    let color = picture.colorimetry
    let (kr, kb) = (Double(color.matrix.lumaWeights.kr), Double(color.matrix.lumaWeights.kb))
    let luma = (codes[0] - Double(color.lumaOffset)) * 255 / Double(color.lumaScale)
    func limited(_ value: Double) -> Double { min(max(value, 0), 255) }
    if isGray { return [luma, luma, luma].map(limited) }
    let cb = (codes[1] - 128) * 255 / Double(color.chromaScale)
    let cr = (codes[2] - 128) * 255 / Double(color.chromaScale)
    let (red, blue) = (luma + 2 * (1 - kr) * cr, luma + 2 * (1 - kb) * cb)
    return [red, (luma - kr * red - kb * blue) / (1 - kr - kb), blue].map(limited)
  }

  private static let maps = [
    // Along the rows, larger and smaller, and off every side.
    Affine(a: 1, b: 0, c: 0, d: 1, tx: 0, ty: 0),
    Affine(a: 0.37, b: 0, c: 0, d: 0.41, tx: -2.3, ty: -1.7),
    Affine(a: 3.1, b: 0, c: 0, d: 2.9, tx: -9, ty: -7.25),
    Affine(a: -1.2, b: 0, c: 0, d: 1.1, tx: 17, ty: -60),
    // Turned by some angles, by quarters, mirrored.
    Affine(a: 0.9, b: 0.44, c: -0.44, d: 0.9, tx: -1, ty: -3),
    Affine(a: 0, b: 1.3, c: -1.3, d: 0, tx: 20, ty: -2),
    Affine(a: -0.7, b: 0.2, c: 0.3, d: -1.6, tx: 12.5, ty: 14.5),
    // Nowhere.
    Affine(a: 1, b: 0, c: 0, d: 1, tx: 1e9, ty: 0),
    Affine(a: .nan, b: 0, c: 0, d: 1, tx: 0, ty: .infinity),
  ]

  @Test(arguments: PixelFormat.eightBit)
  func everyFormatIsSampledAsByAPlainReaderAndNoByteBesideIt(format: PixelFormat) {
    let (columns, rows) = (24, 19)
    let sampler = RegionSampler(width: columns, height: rows, range: 0...255)
    let layout = InputLayout(height: rows, width: columns, channels: 3)
    var tensor = [Float](repeating: -1, count: layout.count)
    let sizes = [(1, 1), (2, 1), (1, 3), (5, 4), (16, 16), (33, 17)]
    for ((width, height), (number, map)) in product(sizes, Self.maps.enumerated()) {
      let border: RegionSampler.Border = number % 2 == 0 ? .black : .replicate
      let picture = FencedPicture(
        format, width, height, number % 3 == 0 ? .center : .mpeg2, atEnd: number % 4 < 2)
      picture.withPicture { (picture: borrowing Picture) in
        var span = tensor.mutableSpan
        sampler.sample(picture, map, border: border, layout, into: &span)
        var worst = 0.0
        for (row, column) in product(0..<rows, 0..<columns) {
          var at = map(Point(x: Double(column), y: Double(row)))
          if !at.x.isFinite || !at.y.isFinite { at = Point(x: 1e9, y: 1e9) }
          for (channel, value) in expected(picture, at, border).enumerated() {
            let found = Double(tensor[(row * columns + column) * 3 + channel])
            worst = max(worst, abs(found - value))
          }
        }
        #expect(worst < 0.01, "\(format) \(width) x \(height), map \(number)")
      }
    }
  }
}
