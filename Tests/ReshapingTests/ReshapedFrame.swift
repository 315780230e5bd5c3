import Faces
import Glibc
import Pixels
import Reshaping
import Support
import Threads

/// Faces made for tests, and pictures whose samples say where they came from.
enum MadeFaces {
  /// A face whose oval is `width` pixels wide round a place in pixels, all of its mesh there.
  static func face(
    _ x: Double, _ y: Double, width: Double, in frame: (width: Int, height: Int), id: UInt32 = 1,
    roll: Double = 0, side: Double = 0
  ) -> Face {
    let (w, h) = (Double(frame.width), Double(frame.height))
    var points = HeadMesh.points(around: .zero, unit: Point(x: width, y: width))
    for (index, place) in details { points[index] = place * width }
    let (c, s) = (cos(roll * .pi / 180), sin(roll * .pi / 180))
    let landmarks = points.map { point -> Landmark in
      // A head that is turned: its middle line moves to one side.
      let off = 1 - 4 * point.x * point.x / (width * width)
      let u = point.x * (1 - abs(side) * 0.2) + side * 0.3 * width * max(off, 0)
      return Landmark(
        x: Float((x + c * u - s * point.y) / w), y: Float((y + s * u + c * point.y) / h), z: 0)
    }
    return Face(
      id: id, confidence: 1,
      box: Rectangle(
        x: (x - width / 2) / w, y: (y - 0.65 * width) / h, width: width / w, height: 1.3 * width / h
      ),
      landmarks: landmarks)
  }

  /// Points that no ellipse of `HeadMesh` has, in widths from the middle of the face.
  private static let details: [(Int, Point)] = [
    (MeshIndex.noseWings.left, Point(x: -0.12, y: 0.12)),
    (MeshIndex.noseWings.right, Point(x: 0.12, y: 0.12)),
    (MeshIndex.noseTip, Point(x: 0, y: 0.1)), (MeshIndex.underNoseTip, Point(x: 0, y: 0.12)),
    (MeshIndex.underNose, Point(x: 0, y: 0.17)), (MeshIndex.noseRoot, Point(x: 0, y: -0.13)),
  ]

  /// Each setting at both of its limits, and several together.
  static var limits: [ReshapeSettings] {
    let paths: [WritableKeyPath<ReshapeSettings, Double>] = [
      \.slim, \.jaw, \.eyes, \.nose, \.mouth, \.chin, \.forehead,
    ]
    var all = paths.flatMap { path in
      [-1.0, 1].map { limit in
        var settings = ReshapeSettings()
        settings[keyPath: path] = limit
        return settings
      }
    }
    for (distortion, limit) in product(ReshapeSettings.Distortion.allCases, [-1.0, 1]) {
      var settings = ReshapeSettings()
      (settings.distortion, settings.amount) = (distortion, limit)
      if distortion != .none { all.append(settings) }
    }
    var random = SplitMix(3)
    for _ in 0..<30 {
      var settings = ReshapeSettings()
      for path in paths { settings[keyPath: path] = random.below(2) == 0 ? -1 : 1 }
      settings.distortion = ReshapeSettings.Distortion.allCases[random.below(5)]
      settings.amount = random.below(2) == 0 ? -1 : 1
      all.append(settings)
    }
    return all
  }
}

extension FaceReshaper {
  /// A reshaper of frames of this size that has taken in a frame.
  static func ready(
    _ faces: [Face], _ settings: ReshapeSettings, _ video: VideoFormat, largestOnly: Bool = false
  ) -> FaceReshaper {
    let reshaper = FaceReshaper()
    reshaper.configure(video)
    _ = reshaper.advance(faces, settings, largestOnly: largestOnly, elapsed: 0)
    return reshaper
  }

  /// The least determinant of the map from pixels to where they are taken from, and from places to
  /// where they go, in a part of the frame.
  func leastArea(_ from: Point, _ to: Point, every step: Double) -> Double {
    let e = 0.01
    var least = Double.infinity
    var y = from.y
    while y < to.y {
      var x = from.x
      while x < to.x {
        let p = Point(x: x, y: y)
        let a = (source(of: p + Point(x: e, y: 0)) - source(of: p)) * (1 / e)
        let b = (source(of: p + Point(x: 0, y: e)) - source(of: p)) * (1 / e)
        least = min(least, a.x * b.y - a.y * b.x)
        x += step
      }
      y += step
    }
    return least
  }
}

extension OwnedPicture {
  /// A picture of noise; the same for the same seed.
  static func noise(
    _ format: PixelFormat, _ width: Int, _ height: Int, site: ChromaSite = .mpeg2, seed: UInt64 = 1
  ) -> OwnedPicture {
    noise(
      VideoFormat(
        format: format, width: width, height: height, colorimetry: format.colorimetry(.bt601),
        chromaSite: site), seed: seed)
  }

  /// Calls `body` with each sample and its place in pixels.
  func forEachSample(
    _ body: (_ component: Int, _ place: Point, _ value: UInt8, _ set: (UInt8) -> Void) -> Void
  ) {
    withPicture { picture in
      for number in 0..<format.layout.componentCount {
        let place = format.layout[number]
        let component = picture.component(number)
        let (sx, sy) = (Double(1 << place.hShift), Double(1 << place.vShift))
        let dx = place.hShift > 0 && !video.chromaSite.isCositedHorizontally ? 1.0 : 0.5
        let dy = place.vShift > 0 && !video.chromaSite.isCositedVertically ? 1.0 : 0.5
        for (y, x) in product(0..<component.height, 0..<component.width) {
          body(
            number, Point(x: Double(x) * sx + dx, y: Double(y) * sy + dy), component[x, y]
          ) { component[x, y] = $0 }
        }
      }
    }
  }
}
