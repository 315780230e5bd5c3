import Looks
import Pixels
import Support

/// Pictures of all colours that can be shown, and what looks make of them by the definition.
enum TestColors {
  /// Blocks of 2 x 2 random colours; within a block of luma and chroma, luma differs by up to 24
  /// codes, as texture does, and in every fourth block by up to 100, as edges do.
  static func picture(
    _ format: PixelFormat, _ colors: Colorimetry, width: Int = 96, height: Int = 96
  ) -> OwnedPicture {
    var random = SplitMix(7)
    let picture = OwnedPicture(format: format, width: width, height: height, colorimetry: colors)
    picture.withPicture { picture in
      for (y, x) in product(stride(from: 0, to: height, by: 2), stride(from: 0, to: width, by: 2)) {
        let color = SIMD3((0..<3).map { _ in Double(random.uniform()) })
        let depth = random.next() % 4 == 0 ? 100.0 : 24.0
        for (dx, dy) in [(0, 0), (1, 0), (0, 1), (1, 1)] where x + dx < width && y + dy < height {
          let shift = depth * (Double(random.uniform()) - 0.5) / 255
          let moved = format.family == .ycc ? color + shift : color
          let inside = moved.clamped(lowerBound: .zero, upperBound: .one)
          // One chroma for the block, from its own colour.
          let own = Reference.codes(color, colors, format.family)
          let codes = Reference.codes(inside, colors, format.family)
          for index in 0..<min(3, format.layout.componentCount) {
            let place = format.layout[index]
            let value = index == 0 || format.family == .rgb ? codes[index] : own[index]
            picture.component(index)[(x + dx) >> place.hShift, (y + dy) >> place.vShift] =
              UInt8(value.rounded())
          }
        }
      }
    }
    return picture
  }
}

/// The definitions, in double precision and written again for the tests.
enum Reference {
  /// Codes of luma, Cb and Cr, or of red, green and blue, of a colour of 0...1.
  static func codes(
    _ c: SIMD3<Double>, _ colors: Colorimetry, _ family: PixelFormat.Family
  ) -> SIMD3<Double> {
    guard family == .ycc else { return c * 255 }
    let (kr, kb) = shares(colors)
    let y = kr * c.x + (1 - kr - kb) * c.y + kb * c.z
    let (scale, chroma, offset) = colors.isFullRange ? (255.0, 255.0, 0.0) : (219.0, 224.0, 16.0)
    return SIMD3(
      offset + scale * y, 128 + chroma * (c.z - y) / (2 - 2 * kb),
      128 + chroma * (c.x - y) / (2 - 2 * kr))
  }

  static func color(
    _ codes: SIMD3<Double>, _ colors: Colorimetry, _ family: PixelFormat.Family
  ) -> SIMD3<Double> {
    guard family == .ycc else { return codes / 255 }
    let (kr, kb) = shares(colors)
    let (scale, chroma, offset) = colors.isFullRange ? (255.0, 255.0, 0.0) : (219.0, 224.0, 16.0)
    let y = (codes.x - offset) / scale
    let r = y + (2 - 2 * kr) * (codes.z - 128) / chroma
    let b = y + (2 - 2 * kb) * (codes.y - 128) / chroma
    return SIMD3(r, (y - kr * r - kb * b) / (1 - kr - kb), b)
  }

  private static func shares(_ colors: Colorimetry) -> (Double, Double) {
    switch colors.matrix {
    case .bt601: (0.299, 0.114)
    case .bt2020: (0.2627, 0.0593)
    default: (0.2126, 0.0722)
    }
  }

  /// What a look makes of codes, not rounded, limited to what the range allows.
  static func look(
    _ map: ColorMap, _ codes: SIMD3<Double>, _ colors: Colorimetry, _ family: PixelFormat.Family
  ) -> SIMD3<Double> {
    var changed: SIMD3<Double>
    if let luma = map.luma, family == .ycc {
      let y = (codes.x - (colors.isFullRange ? 0 : 16)) / (colors.isFullRange ? 255 : 219)
      changed = SIMD3(repeating: luma(y))
    } else {
      changed = map(color(codes, colors, family))
    }
    changed = Self.codes(changed, colors, family)
    let (low, high): (SIMD3<Double>, SIMD3<Double>) =
      family == .rgb || colors.isFullRange
      ? (.zero, SIMD3(repeating: 255)) : (SIMD3(repeating: 16), SIMD3(235, 240, 240))
    return changed.clamped(lowerBound: low, upperBound: high)
  }
}

/// The samples of a picture's three components, row by row.
struct Samples3 {
  let planes: [[[UInt8]]]

  init(_ picture: OwnedPicture) {
    planes = (0..<min(3, picture.format.layout.componentCount)).map(picture.rows)
  }

  /// Calls `body` with every sample and the codes of its colour: luma with the chroma it shares,
  /// chroma with the mean of its luma.
  func forEach(
    _ format: PixelFormat, _ body: (_ component: Int, _ x: Int, _ y: Int, SIMD3<Double>) -> Void
  ) {
    let shifts = format.family == .ycc ? format.layout.chromaShifts : (h: 0, v: 0)
    for (component, rows) in planes.enumerated() {
      let isChroma = component > 0 && shifts.h > 0
      for (y, x) in product(rows.indices, rows[0].indices) {
        let (cx, cy) = isChroma ? (x, y) : (x >> shifts.h, y >> shifts.v)
        let luma = isChroma ? meanLuma(x, y, shifts) : Double(planes[0][y][x])
        body(component, x, y, SIMD3(luma, Double(planes[1][cy][cx]), Double(planes[2][cy][cx])))
      }
    }
  }

  /// The mean luma of the pixels that share a sample of chroma.
  private func meanLuma(_ x: Int, _ y: Int, _ shifts: (h: Int, v: Int)) -> Double {
    let rows = (y << shifts.v)..<min((y + 1) << shifts.v, planes[0].count)
    let columns = (x << 1)..<min((x + 1) << 1, planes[0][0].count)
    let values = product(rows, columns).map { Double(planes[0][$0][$1]) }
    return values.reduce(0, +) / Double(values.count)
  }
}
