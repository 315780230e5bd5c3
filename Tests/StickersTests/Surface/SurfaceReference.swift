import Faces
import Pixels

/// What a texture on a mesh should look like: many places in each pixel, a depth for each, and the
/// texture's area under each pixel, all in double precision.
struct SurfaceReference {
  /// Straight red, green and blue of each pixel's covered part, 0...255.
  private(set) var colors: [SIMD3<Double>]
  /// How much of each pixel is covered, 0...1.
  private(set) var coverage: [Double]
  private let width: Int

  init(
    _ points: [Point3], _ triangles: [FaceTopology.Triangle], texture: [UInt8], side: Int,
    width: Int, height: Int, samples: Int
  ) {
    self.width = width
    let (wide, high) = (width * samples, height * samples)
    var nearest = [Double](repeating: 0, count: wide * high)
    var sums = [SIMD3<Double>](repeating: .zero, count: wide * high)
    let focus = Double(max(width, height))
    for t in triangles {
      let corners = [t.a, t.b, t.c].map { index in
        (
          place: points[index].flat * Double(samples), near: focus / (focus + points[index].z),
          texture: FaceTopology.textureCoordinates[index]
        )
      }
      let (a, b, c) = (corners[0], corners[1], corners[2])
      let area =
        (b.place.x - a.place.x) * (c.place.y - a.place.y)
        - (c.place.x - a.place.x) * (b.place.y - a.place.y)
      guard area < 0 else { continue }
      let (low, top) = (
        min(a.place.x, b.place.x, c.place.x), min(a.place.y, b.place.y, c.place.y)
      )
      let (far, end) = (
        max(a.place.x, b.place.x, c.place.x), max(a.place.y, b.place.y, c.place.y)
      )
      for y in max(0, Int(top) - 1)..<max(0, min(high, Int(end) + 2)) {
        for x in max(0, Int(low) - 1)..<max(0, min(wide, Int(far) + 2)) {
          let p = Point(x: Double(x) + 0.5, y: Double(y) + 0.5)
          func share(_ m: Point, _ n: Point) -> Double {
            ((m.x - p.x) * (n.y - p.y) - (n.x - p.x) * (m.y - p.y)) / area
          }
          let weights = [
            share(b.place, c.place), share(c.place, a.place), share(a.place, b.place),
          ]
          guard weights.allSatisfy({ $0 >= 0 }) else { continue }
          let near = weights[0] * a.near + weights[1] * b.near + weights[2] * c.near
          guard near > nearest[y * wide + x] else { continue }
          nearest[y * wide + x] = near
          var place = Point.zero
          for (weight, corner) in zip(weights, corners) {
            place = place + corner.texture * (weight * corner.near / near)
          }
          sums[y * wide + x] = Self.sample(texture, side: side, place)
        }
      }
    }
    colors = []
    coverage = []
    for y in 0..<height {
      for x in 0..<width {
        var (sum, count) = (SIMD3<Double>.zero, 0.0)
        for j in 0..<samples {
          for i in 0..<samples {
            let at = (y * samples + j) * wide + x * samples + i
            guard nearest[at] > 0 else { continue }
            sum += sums[at]
            count += 1
          }
        }
        colors.append(count > 0 ? sum / count : .zero)
        coverage.append(count / Double(samples * samples))
      }
    }
  }

  /// Whether a pixel and all beside it are covered as much as that: samples miss thin slivers.
  func isAround(_ index: Int, _ share: Double) -> Bool {
    guard coverage[index] == share else { return false }
    for dy in -1...1 {
      for dx in -1...1 {
        let at = index + dy * width + dx
        if coverage.indices.contains(at), coverage[at] != share { return false }
      }
    }
    return true
  }

  private static func sample(_ texture: [UInt8], side: Int, _ place: Point) -> SIMD3<Double> {
    let x = min(max(place.x * Double(side) - 0.5, 0), Double(side - 1) - 1e-9)
    let y = min(max(place.y * Double(side) - 0.5, 0), Double(side - 1) - 1e-9)
    let (i, j) = (Int(x), Int(y))
    func pixel(_ i: Int, _ j: Int) -> SIMD3<Double> {
      let at = 4 * (j * side + i)
      return SIMD3(Double(texture[at]), Double(texture[at + 1]), Double(texture[at + 2]))
    }
    let (fx, fy) = (x - Double(i), y - Double(j))
    let above = pixel(i, j) * (1 - fx) + pixel(i + 1, j) * fx
    let below = pixel(i, j + 1) * (1 - fx) + pixel(i + 1, j + 1) * fx
    return above * (1 - fy) + below * fy
  }
}
