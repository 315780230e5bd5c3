package import Pixels

/// Video frames of the scene.
extension ChromaKeyScene {
  /// The scene with camera noise in a pixel format; `frame` is the seed of the noise.
  ///
  /// Chroma is filtered for the chroma site of MPEG-2.
  package func picture(
    _ format: PixelFormat, colorimetry: Colorimetry = .bt709, frame: UInt64 = 0
  ) -> OwnedPicture {
    encode(cameraPicture(frame), format, colorimetry) { _ in 0 }
  }

  /// The scene without camera noise, but with noise in the codes, with the standard deviations
  /// `luma` and `chroma`.
  package func picture(
    _ format: PixelFormat, noise: (luma: Float, chroma: Float), frame: UInt64
  ) -> OwnedPicture {
    var random = SplitMix(settings.seed &+ 3000 &+ frame)
    return encode(light, format, .bt709) { component in
      random.normal() * (component == 0 ? noise.luma : noise.chroma)
    }
  }

  /// The camera's picture, 0...255.
  private func cameraPicture(_ frame: UInt64) -> [SIMD3<Float>] {
    var random = SplitMix(settings.seed &+ 2000 &+ frame)
    // The noise of neighbouring pixels is correlated, as after demosaicing: a Gaussian filter with
    // a standard deviation of half a pixel.
    let beside: Float = 0.1065
    let center: Float = 0.787
    func line() -> [SIMD3<Float>] {
      let fresh = (0..<width).map { _ -> SIMD3<Float> in
        SIMD3(random.normal(), random.normal(), random.normal())
      }
      return (0..<width).map { x -> SIMD3<Float> in
        let outer: SIMD3<Float> = fresh[max(x - 1, 0)] + fresh[min(x + 1, width - 1)]
        return fresh[x] * center + outer * beside
      }
    }
    var result = light
    var above = line()
    var here = line()
    for y in 0..<height {
      let below = line()
      for x in 0..<width {
        let outer: SIMD3<Float> = above[x] + below[x]
        let noise: SIMD3<Float> = here[x] * center + outer * beside
        result[y * width + x] += noise * (settings.noise * 1.6)
      }
      (above, here) = (here, below)
    }
    return result
  }

  private func encode(
    _ shot: [SIMD3<Float>], _ format: PixelFormat, _ colorimetry: Colorimetry,
    _ noise: (_ component: Int) -> Float
  ) -> OwnedPicture {
    let result = OwnedPicture(
      format: format, width: width, height: height, colorimetry: colorimetry)
    let isRGB = format.family == .rgb
    let codes = shot.map { value -> SIMD3<Float> in
      let rgb = value.clamped(
        lowerBound: SIMD3(repeating: 0), upperBound: SIMD3(repeating: 255))
      if isRGB { return rgb }
      let ycc = colorimetry.ycc(r: rgb.x, g: rgb.y, b: rgb.z)
      return SIMD3(ycc.y, ycc.cb, ycc.cr)
    }
    result.withPicture { picture in
      for (index, place) in format.layout.components.enumerated() {
        picture.component(index).fill { x, y in
          guard index < 3 else { return 255 }
          let value = sampleAtSite(codes, index, x, y, place) + noise(index)
          return UInt8(min(max(value.rounded(), 0), 255))
        }
      }
    }
    return result
  }

  /// A sample of a component: of subsampled ones, the filtered codes of the pixels that share it.
  private func sampleAtSite(
    _ codes: [SIMD3<Float>], _ index: Int, _ x: Int, _ y: Int,
    _ place: PixelLayout.ComponentLayout
  ) -> Float {
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
    return sum / Float(1 + place.vShift)
  }
}
