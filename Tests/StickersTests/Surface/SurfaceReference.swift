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
    var raster = Raster(width: width * samples, height: height * samples)
    let focus = Double(max(width, height))
    for t in triangles {
      let corners = [t.a, t.b, t.c].map { index in
        (
          place: points[index].xy * Double(samples), near: focus / (focus + points[index].z),
          texture: FaceTopology.textureCoordinates[index]
        )
      }
      raster.draw(corners) { Self.sample(texture, side: side, $0) }
    }
    colors = []
    coverage = []
    for y in 0..<height {
      for x in 0..<width {
        let (sum, count) = raster.sum(x * samples, y * samples, side: samples)
        colors.append(count > 0 ? sum / count : .zero)
        coverage.append(count / Double(samples * samples))
      }
    }
  }

  /// The colours of the nearest triangles at each place.
  private struct Raster {
    typealias Corner = (place: Point, near: Double, texture: Point)
    let width, height: Int
    private var nearest: [Double]
    private var colors: [SIMD3<Double>]

    init(width: Int, height: Int) {
      (self.width, self.height) = (width, height)
      nearest = [Double](repeating: 0, count: width * height)
      colors = [SIMD3<Double>](repeating: .zero, count: width * height)
    }

    /// Draws a triangle that faces the camera, coloured by the place in its texture.
    mutating func draw(_ corners: [Corner], _ color: (Point) -> SIMD3<Double>) {
      let (a, b, c) = (corners[0].place, corners[1].place, corners[2].place)
      let area = (b.x - a.x) * (c.y - a.y) - (c.x - a.x) * (b.y - a.y)
      guard area < 0 else { return }
      let (low, top) = (min(a.x, b.x, c.x), min(a.y, b.y, c.y))
      let (far, end) = (max(a.x, b.x, c.x), max(a.y, b.y, c.y))
      for y in max(0, Int(top) - 1)..<max(0, min(height, Int(end) + 2)) {
        for x in max(0, Int(low) - 1)..<max(0, min(width, Int(far) + 2)) {
          let p = Point(x: Double(x) + 0.5, y: Double(y) + 0.5)
          func share(_ m: Point, _ n: Point) -> Double {
            ((m.x - p.x) * (n.y - p.y) - (n.x - p.x) * (m.y - p.y)) / area
          }
          let weights = [share(b, c), share(c, a), share(a, b)]
          guard weights.allSatisfy({ $0 >= 0 }) else { continue }
          var near = 0.0
          for (weight, corner) in zip(weights, corners) { near += weight * corner.near }
          guard near > nearest[y * width + x] else { continue }
          nearest[y * width + x] = near
          var place = Point.zero
          for (weight, corner) in zip(weights, corners) {
            place = place + corner.texture * (weight * corner.near / near)
          }
          colors[y * width + x] = color(place)
        }
      }
    }

    /// The sum of the colours in a square of places, and how many of them are covered.
    func sum(_ left: Int, _ top: Int, side: Int) -> (SIMD3<Double>, Double) {
      var (sum, count) = (SIMD3<Double>.zero, 0.0)
      for y in top..<top + side {
        for x in left..<left + side where nearest[y * width + x] > 0 {
          sum += colors[y * width + x]
          count += 1
        }
      }
      return (sum, count)
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
