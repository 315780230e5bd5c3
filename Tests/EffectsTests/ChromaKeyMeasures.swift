import Effects
import Pixels

/// A scene's frame as a stream would carry it, and what came out of the keyer.
extension ChromaKeyScene {
  /// The shot in a format; chroma filtered as MPEG-2 sites it.
  func picture(_ format: PixelFormat, colorimetry: Colorimetry = .bt709) -> OwnedPicture {
    let result = OwnedPicture(
      format: format, width: width, height: height, colorimetry: colorimetry)
    let layout = format.layout
    let isRGB = format.family == .rgb
    let codes = shot.map { rgb -> SIMD3<Float> in
      if isRGB { return rgb }
      let ycc = colorimetry.ycc(r: rgb.x, g: rgb.y, b: rgb.z)
      return SIMD3(ycc.y, ycc.cb, ycc.cr)
    }
    result.withPicture { picture in
      for (index, place) in layout.components.enumerated() {
        let component = picture.component(index)
        let rows = PixelLayout.subsampled(height, by: place.vShift)
        for y in 0..<rows {
          for x in 0..<component.width {
            if index == 3 {
              component[x, y] = 255
              continue
            }
            var sum: Float = 0
            for line in 0...place.vShift {
              let row = min(y << place.vShift + line, height - 1) * width
              let column = x << place.hShift
              if place.hShift == 0 {
                sum += codes[row + column][index]
              } else {
                let left = codes[row + max(column - 1, 0)][index]
                let right = codes[row + min(column + 1, width - 1)][index]
                sum += (left + 2 * codes[row + column][index] + right) / 4
              }
            }
            let value = (sum / Float(1 + place.vShift)).rounded()
            component[x, y] = UInt8(min(max(value, 0), 255))
          }
        }
      }
    }
    return result
  }

  struct Measures {
    /// Mean error of alpha, in percent: everywhere, on edges, and what is left of the screen.
    var sad: Float = 0
    var edgeSad: Float = 0
    var residue: Float = 0
    var hole: Float = 0
    /// Decibels of the composite over a known colour: everywhere and on edges.
    var psnr: Float = 0
    var edgePsnr: Float = 0
  }

  /// Compares a keyed A420 picture with the truth.
  func measures(_ keyed: OwnedPicture) -> Measures {
    let behind = SIMD3<Float>(140, 110, 150)
    var sums = (all: 0.0, edge: 0.0, edges: 0.0, screen: 0.0, screens: 0.0, solid: 0.0, solids: 0.0)
    var errors = (all: 0.0, edge: 0.0)
    keyed.withPicture { picture in
      let luma = picture.component(0)
      let cb = picture.component(1)
      let cr = picture.component(2)
      let alpha = picture.component(3)
      func chroma(_ c: Component, _ x: Int, _ y: Int) -> Float {
        // Left-sited and centred between rows.
        let column = min(x / 2, c.width - 1)
        let next = min(x % 2 == 0 ? column : column + 1, c.width - 1)
        let row = y / 2
        let other = max(0, min(y % 2 == 0 ? row - 1 : row + 1, c.height - 1))
        let near = (Float(c[column, row]) + Float(c[next, row])) / 2
        let far = (Float(c[column, other]) + Float(c[next, other])) / 2
        return near * 0.75 + far * 0.25
      }
      for y in 0..<height {
        for x in 0..<width {
          let index = y * width + x
          let truth = self.alpha[index]
          let value = Float(alpha[x, y]) / 255
          let rgb = Colorimetry.bt709.rgb(
            y: Float(luma[x, y]), cb: chroma(cb, x, y), cr: chroma(cr, x, y))
          let color = SIMD3(rgb.r, rgb.g, rgb.b).clamped(
            lowerBound: SIMD3(repeating: 0), upperBound: SIMD3(repeating: 255))
          let difference = Double(abs(value - truth))
          let off = color * value + behind * (1 - value) - subject[index] - behind * (1 - truth)
          let square = Double((off * off).sum()) / 3
          sums.all += difference
          errors.all += square
          if truth > 0.02, truth < 0.98 {
            sums.edge += difference
            sums.edges += 1
            errors.edge += square
          } else if truth < 0.002 {
            sums.screen += Double(value)
            sums.screens += 1
          } else if truth > 0.998 {
            sums.solid += Double(1 - value)
            sums.solids += 1
          }
        }
      }
    }
    let count = Double(width * height)
    var result = Measures()
    result.sad = Float(100 * sums.all / count)
    result.edgeSad = Float(100 * sums.edge / max(sums.edges, 1))
    result.residue = Float(100 * sums.screen / max(sums.screens, 1))
    result.hole = Float(100 * sums.solid / max(sums.solids, 1))
    result.psnr = decibels(errors.all / count)
    result.edgePsnr = decibels(errors.edge / max(sums.edges, 1))
    return result
  }
}

/// Peak signal to noise ratio of a mean square error in codes.
func decibels(_ square: Double) -> Float {
  // log10 by halving: a test needs no libm.
  var ratio = 65025 / max(square, 1e-9)
  var bits = 0.0
  while ratio >= 2 {
    ratio /= 2
    bits += 1
  }
  var step = 0.5
  for _ in 0..<20 {
    ratio *= ratio
    if ratio >= 2 {
      ratio /= 2
      bits += step
    }
    step /= 2
  }
  return Float(bits * 3.010299957)
}

extension ChromaKey {
  /// A keyer for pictures like `picture`.
  convenience init(_ settings: ChromaKeySettings = ChromaKeySettings(), for picture: OwnedPicture) {
    self.init()
    self.settings = settings
    configure(
      format: picture.format, width: picture.width, height: picture.height,
      colorimetry: picture.colorimetry, chromaSite: picture.chromaSite)
  }

  /// Keys into a new picture: with alpha, or in the same format with a background.
  func keyed(
    _ picture: OwnedPicture, background: Background? = nil,
    runner: any SliceRunner = SerialRunner()
  ) -> OwnedPicture {
    let format =
      background == nil
      ? ChromaKey.formatWithAlpha(for: picture.format) ?? picture.format : picture.format
    let result = OwnedPicture(
      format: format, width: picture.width, height: picture.height,
      colorimetry: picture.colorimetry, chromaSite: picture.chromaSite)
    picture.withPicture { from in
      result.withPicture { to in
        process(source: from, destination: to, background: background, runner: runner)
      }
    }
    return result
  }
}

/// Every sample of a picture, component by component.
func samples(_ picture: OwnedPicture) -> [[UInt8]] {
  picture.withPicture { picture in
    var result: [[UInt8]] = []
    for (index, place) in picture.format.layout.components.enumerated() {
      let component = picture.component(index)
      var values: [UInt8] = []
      for y in 0..<PixelLayout.subsampled(picture.height, by: place.vShift) {
        for x in 0..<component.width { values.append(component[x, y]) }
      }
      result.append(values)
    }
    return result
  }
}

/// A picture of one colour.
func plain(
  _ format: PixelFormat, _ width: Int, _ height: Int, rgb: (Float, Float, Float),
  colorimetry: Colorimetry = .bt709, chromaSite: ChromaSite = .mpeg2, alignment: Int = 32
) -> OwnedPicture {
  let result = OwnedPicture(
    format: format, width: width, height: height, colorimetry: colorimetry,
    chromaSite: chromaSite, alignment: alignment)
  paint(result, rgb: rgb)
  return result
}

/// Fills columns of a picture, counted in pixels, with one colour; its alpha with 255.
func paint(_ picture: OwnedPicture, rgb: (Float, Float, Float), columns: Range<Int>? = nil) {
  let isRGB = picture.format.family == .rgb
  let ycc = picture.colorimetry.ycc(r: rgb.0, g: rgb.1, b: rgb.2)
  let codes = isRGB ? [rgb.0, rgb.1, rgb.2, 255] : [ycc.y, ycc.cb, ycc.cr, 255]
  let range = columns ?? 0..<picture.width
  picture.withPicture { picture in
    for (index, place) in picture.format.layout.components.enumerated() {
      let component = picture.component(index)
      let code = UInt8(min(max(codes[index].rounded(), 0), 255))
      for y in 0..<PixelLayout.subsampled(picture.height, by: place.vShift) {
        for x in 0..<component.width where range.contains(x << place.hShift) {
          component[x, y] = code
        }
      }
    }
  }
}
