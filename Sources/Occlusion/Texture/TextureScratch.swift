import Pixels

/// Planes of texels that hold nothing from one face to the next.
final class TextureScratch {
  typealias Plane = Grid<Float>

  let known = TextureSample.plane()
  let inverseWeights = TextureSample.plane()
  let precision = TextureSample.plane3()
  /// The remembered texture in this picture's light, as luma, Cb and Cr.
  let model = TextureSample.plane3()
  let errors = TextureSample.plane()
  let sums = TextureSample.plane()
  /// The squared distance of each texel from the remembered texture; 0 where that is unknown.
  let distance = TextureSample.plane()
  let weight = TextureSample.plane()
  /// For each row the maximum of `distance`.
  var maxima = [Float](repeating: 0, count: TextureLayout.side)
  let regions = CoverRegions()
  /// For each channel the number of ratios in each bin.
  var ratios = [[Int32]](repeating: [Int32](repeating: 0, count: 1024), count: 3)
}
