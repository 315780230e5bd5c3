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

    init() throws {
      let film = try Film(width: 320, height: 240)
      let place = Film.place(at: Point(x: 160, y: 120))
      film.draw([place])
      let finder = try FaceFinder.loaded(FollowingTests.plain)
      var face: Face?
      for frame in 0..<4 {
        face = try finder.found(in: film.frame, frame: frame, settings: FollowingTests.plain).first
      }
      let back = try #require(place.inverse)
      points = try #require(face).landmarks.map {
        back(Point(x: Double($0.x) * 320, y: Double($0.y) * 240))
      }
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
    let film = try Film(width: 320, height: 240)
    let finder = try FaceFinder.loaded(Self.plain)
    var errors: [Double] = []
    for frame in 0..<60 {
      let t = Double(frame) / 60
      let scale = 0.8 + 0.3 * sin(2 * .pi * t)
      let map = Film.place(
        at: Point(x: 160 + 50 * sin(2 * .pi * t), y: 120 + 20 * sin(4 * .pi * t)), scale: scale,
        degrees: 45 * sin(2 * .pi * t))
      film.draw([map])
      let faces = try finder.found(in: film.frame, frame: frame, settings: Self.plain)
      #expect(faces.map(\.id) == [1], "frame \(frame)")
      guard let face = faces.first else { continue }
      let e = truth.errors(of: face, map, scale: scale, in: film).sorted()
      print(frame, e[e.count / 2], e.last!)
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
      print(frame, faces.map { "\($0.id):\(Int($0.box.center.x * 480))" }, xs.map { Int($0) }, finder.events.map { "\($0.kind) \($0.id)" })
    }
  }
}
