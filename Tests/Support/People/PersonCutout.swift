import Pixels

/// The astronaut of the test photograph, cut out from the crown to the chest.
///
/// `cutout.png` is the alpha, by closed-form matting (A. Levin and others, 2008) of the
/// photograph's first rows. The colours are the photograph's where alpha is 1, and means of the
/// nearest of these elsewhere.
package struct PersonCutout: Sendable {
  /// Premultiplied colours, 0...255, and alpha, 0...1.
  let pixels: [SIMD4<Float>]
  let width, height: Int

  package static func load() throws -> PersonCutout {
    let (width, height) = (512, 352)
    let path = Photograph.root + "/Tests/Support/People/cutout.png"
    let pipeline = try Pipeline(
      "filesrc location=\(path) ! pngdec ! videoconvert ! video/x-raw,format=GRAY8"
        + " ! fakesink name=sink")
    let alpha = try pipeline.frames().last?.bytes ?? []
    let photograph = try Photograph.load(.rgb)
    var pixels = [SIMD4<Float>](repeating: .zero, count: width * height)
    photograph.withPicture { picture in
      let (r, g, b) = (picture.component(0), picture.component(1), picture.component(2))
      for (y, x) in product(0..<height, 0..<width) {
        let share = Float(alpha[y * width + x]) / 255
        let color = SIMD4(Float(r[x, y]), Float(g[x, y]), Float(b[x, y]), 1)
        pixels[y * width + x] = share > 0.98 ? color : SIMD4(0, 0, 0, share)
      }
    }
    return PersonCutout(
      pixels: fillUnknownColors(pixels, width, height), width: width, height: height)
  }

  /// Fills pixels of unknown colour from the known ones around them.
  private static func fillUnknownColors(
    _ pixels: [SIMD4<Float>], _ width: Int, _ height: Int
  ) -> [SIMD4<Float>] {
    /// The sum of the known colours within `radius`, and their number.
    func sum(_ x: Int, _ y: Int, radius: Int) -> SIMD4<Float> {
      var sum = SIMD4<Float>.zero
      for v in max(y - radius, 0)...min(y + radius, height - 1) {
        for u in max(x - radius, 0)...min(x + radius, width - 1) where pixels[v * width + u].w == 1
        {
          sum += pixels[v * width + u]
        }
      }
      return sum
    }
    var result = pixels
    for (y, x) in product(0..<height, 0..<width) {
      let share = pixels[y * width + x].w
      guard share > 0, share < 1 else { continue }
      let known = [3, 6, 12, 24].lazy.map { sum(x, y, radius: $0) }.first { $0.w > 0 }
      if let known { result[y * width + x] = known * (share / known.w) }
    }
    return result
  }

  /// The premultiplied colour and alpha, interpolated at a position; 0 outside.
  func sample(_ x: Float, _ y: Float) -> SIMD4<Float> {
    guard x > -1, y > -1, x < Float(width), y < Float(height) else { return .zero }
    let (left, top) = (Int(x.rounded(.down)), Int(y.rounded(.down)))
    let (u, v) = (x - Float(left), y - Float(top))
    func pixel(_ x: Int, _ y: Int) -> SIMD4<Float> {
      // Below the last row the body continues.
      guard x >= 0, x < width, y >= 0 else { return .zero }
      return pixels[min(y, height - 1) * width + x]
    }
    let above = pixel(left, top) * (1 - u) + pixel(left + 1, top) * u
    let below = pixel(left, top + 1) * (1 - u) + pixel(left + 1, top + 1) * u
    return above * (1 - v) + below * v
  }
}
