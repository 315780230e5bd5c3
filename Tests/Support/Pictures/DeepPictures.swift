package import Pixels

/// The formats that tests of more than 8 bits go through.
extension PixelFormat {
  /// Those without alpha.
  package static let deepOpaque = deep.filter { !$0.hasAlpha }

  /// Those that keyers give alpha: GStreamer 1.22 has none of 12 bits with alpha.
  package static let deepKeyed = deep.filter { $0.bitDepth == 10 }

  /// Codes in one of 8 bits.
  package var codesInByte: Int { 1 << (bitDepth - 8) }

  /// The highest code.
  package var maximumCode: UInt16 { UInt16((1 << bitDepth) - 1) }
}

/// Pictures of more than 8 bits.
extension OwnedPicture {
  /// The codes of each component, row after row, for formats of any number of bits.
  package var codes: [[UInt16]] {
    withPicture { picture in
      let layout = picture.format.layout
      var result: [[UInt16]] = []
      for index in 0..<layout.componentCount {
        if layout.bitDepth == 8 {
          result.append(picture.component(index).samples.map { UInt16($0) })
        } else {
          let component = picture.deepComponent(index)
          result.append(
            product(0..<component.height, 0..<component.width).map { component[$1, $0] })
        }
      }
      return result
    }
  }

  /// Sets every code of a component of more than 8 bits.
  package func fillCodes(_ index: Int, _ code: (_ x: Int, _ y: Int) -> Int) {
    withPicture { picture in
      let component = picture.deepComponent(index)
      for (y, x) in product(0..<component.height, 0..<component.width) {
        component[x, y] = UInt16(code(x, y))
      }
    }
  }

  /// This picture, of 8 bits, in a format of which it has the counterpart; alpha is opaque.
  ///
  /// Codes are as many times as high; with a `seed` the other bits are random, else 0.
  package func deepened(_ format: PixelFormat, seed: UInt64? = nil) -> OwnedPicture {
    precondition(format.eightBitCounterpart == self.format)
    let result = OwnedPicture(
      VideoFormat(
        format: format, width: width, height: height, colorimetry: colorimetry,
        chromaSite: chromaSite))
    var random = SplitMix(seed ?? 0)
    let shift = format.bitDepth - 8
    let bytes = codes
    for index in 0..<3 {
      let columns = PixelLayout.subsampled(width, by: format.layout[index].hShift)
      result.fillCodes(index) { x, y in
        let bits = seed == nil ? 0 : Int(random.next() & UInt64((1 << shift) - 1))
        return Int(bytes[index][y * columns + x]) << shift | bits
      }
    }
    if format.hasAlpha { result.fillCodes(3) { _, _ in (1 << format.bitDepth) - 1 } }
    return result
  }

  /// Sets the bits above the codes of planes of words at random; nothing in other layouts.
  package func setBitsAboveCodes(seed: UInt64) {
    var random = SplitMix(seed)
    let depth = UInt8(format.bitDepth - 8)
    withPicture { picture in
      for index in format.layout.components.indices {
        guard picture.deepComponent(index).row(0) != nil else { continue }
        let plane = picture.plane(index)
        for y in 0..<plane.height {
          let row = plane.row(y)
          for x in stride(from: 1, to: row.count, by: 2) {
            row[x] |= UInt8(truncatingIfNeeded: random.next()) << depth
          }
        }
      }
    }
  }

  /// A picture in which luma rises by a 10-bit code of a limited range's 877 with every two columns
  /// of 1754, in rows as often as needed, over grey.
  package static func lumaRamp(
    _ format: PixelFormat, height: Int = 2, colorimetry: Colorimetry = .bt709
  ) -> OwnedPicture {
    let result = OwnedPicture(
      format: format, width: 2 * 877, height: height, colorimetry: colorimetry)
    let unit = format.codesInByte / 4
    result.fillCodes(0) { x, _ in (64 + x / 2) * unit }
    for index in 1...2 { result.fillCodes(index) { _, _ in 512 * unit } }
    if format.hasAlpha { result.fillCodes(3) { _, _ in Int(format.maximumCode) } }
    return result
  }

  /// The number of different luma codes.
  package var liveLumaCodes: Int { Set(codes[0]).count }

  /// The largest distance of the codes of three components from those of a picture of 8 bits, in
  /// this picture's codes.
  package func distance(toEightBit other: OwnedPicture) -> Int {
    let (own, others, shift) = (codes, other.codes, format.bitDepth - 8)
    var worst = 0
    for index in 0..<3 {
      for (a, b) in zip(own[index], others[index]) {
        worst = max(worst, abs(Int(a) - Int(b) << shift))
      }
    }
    return worst
  }
}
