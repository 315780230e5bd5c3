import Inference
import Pixels
import Support
import Testing

@testable import Vision

#if canImport(Glibc)
  import Glibc
#endif

/// Faces in films whose motion is known.
@Suite(.serialized) struct FollowingTests {
  static var plain: FaceFinder.Settings {
    var settings = FaceFinder.Settings()
    settings.smoothing = 0
    settings.expressions = false
    return settings
  }

  /// The mesh of a head placed by `map`, from the one measured on the upright head.
  struct Truth {
    let points: [Point]

    /// The mean over many regions, for what the network answers depends a little on the region.
    init() throws {
      let photograph = try Photograph.load(.rgb)
      let mesh = try FaceMeshTests.mesh()
      let middle = try mesh.measured(
        photograph, Region(center: Film.face, width: 150, height: 150, angle: 0.05)
      ).1.region
      var sums = Array(repeating: Point(x: 0, y: 0), count: Face.landmarkCount)
      let count = 48
      for number in 0..<count {
        // Three incommensurable steps scatter the regions evenly.
        let u = (Double(number) * 0.618).truncatingRemainder(dividingBy: 1) - 0.5
        let v = (Double(number) * 0.755).truncatingRemainder(dividingBy: 1) - 0.5
        let w = (Double(number) * 0.570).truncatingRemainder(dividingBy: 1) - 0.5
        var region = middle
        region.center = region.center + Point(x: 12 * u, y: 12 * v)
        region.width *= 1 + 0.1 * w
        region.height = region.width
        region.angle += 0.12 * (u + v)
        let found = try mesh.measured(photograph, region).1
        for index in sums.indices { sums[index] = sums[index] + found[index].flat }
      }
      points = sums.map { $0 * (1 / Double(count)) }
    }

    func parts(of face: Face, _ map: Affine, scale: Double, in film: Film) -> String {
      let back = map.inverse!
      var mean = Point(x: 0, y: 0)
      var c = Point(x: 0, y: 0)
      let ps = face.landmarks.map {
        back(Point(x: Double($0.x) * Double(film.width), y: Double($0.y) * Double(film.height)))
      }
      for (a, b) in zip(points, ps) { mean = mean + (b - a); c = c + a }
      mean = mean * (1 / 468.0)
      c = c * (1 / 468.0)
      var (s, r, n) = (0.0, 0.0, 0.0)
      for (a, b) in zip(points, ps) {
        let p = a - c
        let d = b - a - mean
        s += p.x * d.x + p.y * d.y
        r += p.x * d.y - p.y * d.x
        n += p.x * p.x + p.y * p.y
      }
      s /= n; r /= n
      var e: [Double] = []
      for (a, b) in zip(points, ps) {
        let p = a - c
        let d = b - a - mean
        e.append(
          Point(x: d.x - s * p.x + r * p.y, y: d.y - s * p.y - r * p.x).length / Film.eyeDistance)
      }
      e.sort()
      func f(_ v: Double) -> Double { (v * 10000).rounded() / 10000 }
      return
        "offset \(f(mean.x / Film.eyeDistance)) \(f(mean.y / Film.eyeDistance)) scale \(f(s)) turn \(f(r)) rest \(f(e[234]))"
    }

    /// Distances of the found points from where they are, in eye distances.
    func errors(of face: Face, _ map: Affine, scale: Double, in film: Film) -> [Double] {
      zip(points, face.landmarks).map { expected, found in
        let place = Point(
          x: Double(found.x) * Double(film.width), y: Double(found.y) * Double(film.height))
        return (place - map(expected)).length / (Film.eyeDistance * scale)
      }
    }
  }

  @Test func landmarksFollowTranslationScaleAndRotation() throws {
    let truth = try Truth()
    let film = try Film(width: 400, height: 300)
    let finder = try FaceFinder.loaded(Self.plain)
    var errors: [Double] = []
    for frame in 0..<60 {
      let t = Double(frame) / 60
      let scale = 1.1 + 0.3 * sin(2 * .pi * t)
      let map = Film.place(
        at: Point(x: 200 + 60 * sin(2 * .pi * t), y: 150 + 20 * sin(4 * .pi * t)), scale: scale,
        degrees: 45 * sin(2 * .pi * t))
      film.draw([map])
      let faces = try finder.found(in: film.frame, frame: frame, settings: Self.plain)
      #expect(faces.map(\.id) == [1], "frame \(frame)")
      guard let face = faces.first else { continue }
      let e = truth.errors(of: face, map, scale: scale, in: film).sorted()
      print(frame, e[e.count / 2], e.last!, truth.parts(of: face, map, scale: scale, in: film))
      errors += e
    }
    errors.sort()
    print("median", errors[errors.count / 2], "95%", errors[errors.count * 95 / 100])
    #expect(errors[errors.count / 2] < 0.01)
  }

  @Test func twoFacesThatCrossKeepTheirNumbers() throws {
    let film = try Film(width: 480, height: 240)
    let finder = try FaceFinder.loaded(Self.plain)
    for frame in 0..<60 {
      let t = Double(frame) / 59
      let xs = [80 + 320 * t, 400 - 320 * t]
      film.draw([
        Film.place(at: Point(x: xs[0], y: 120), scale: 0.7),
        Film.place(at: Point(x: xs[1], y: 124), scale: 0.8),
      ])
      let faces = try finder.found(in: film.frame, frame: frame, settings: Self.plain)
      print(
        frame, faces.map { "\($0.id):\(Int($0.box.center.x * 480))" }, xs.map { Int($0) },
        finder.events.map { "\($0.kind) \($0.id)" })
    }
  }
}
