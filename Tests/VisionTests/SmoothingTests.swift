import Faces
import Pixels
import Support
import Testing

@testable import Vision

/// The default smoothing, judged on points that were really measured.
@Suite(.timeLimit(.minutes(20))) struct SmoothingTests {
  /// Raw points of a face in pixels, frame by frame, of a film `speed` face widths a second fast.
  private func measured(speed: Double, noise: Double, frames: Int) throws -> [[Point3]] {
    let film = try Film(width: 260, height: 180)
    let finder = try FaceFinder.loaded(TrackingTests.plain)
    return try (0..<frames).map { frame in
      let x = 70 + 94 * 0.8 * speed / 30 * Double(frame)
      film.draw([Film.place(at: Point(x: x, y: 90), scale: 0.8)])
      if noise > 0 { film.addNoise(noise) }
      let faces = try finder.found(
        in: film.frame, frame: frame, settings: TrackingTests.plain)
      return try #require(faces.first).landmarks.map {
        Point3(x: Double($0.x) * 260, y: Double($0.y) * 180, z: Double($0.z) * 260)
      }
    }
  }

  private func smoothed(_ film: [[Point3]], amount: Double = 0.5) -> [[Point3]] {
    var smoother = PointSmoother()
    return film.map { points in
      var points = points
      smoother.smooth(
        &points, size: Mesh(points: points).bounds.width, seconds: 1.0 / 30, amount: amount)
      return points
    }
  }

  /// Mean over the points of the deviation from their own mean places.
  private func jitter(_ film: ArraySlice<[Point3]>) -> Double {
    var sum = 0.0
    for index in 0..<Face.landmarkCount {
      let xs = film.map { $0[index].x }
      let ys = film.map { $0[index].y }
      func variance(_ values: [Double]) -> Double {
        let mean = values.reduce(0, +) / Double(values.count)
        return values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(values.count)
      }
      sum += (variance(xs) + variance(ys)).squareRoot()
    }
    return sum / Double(Face.landmarkCount)
  }

  /// How many frames the points of `shown` are behind those of `film`, moving right.
  private func lag(_ shown: [[Point3]], behind film: [[Point3]], step: Double) -> [Double] {
    zip(shown, film).map { shown, raw in
      zip(raw, shown).reduce(0) { $0 + $1.0.x - $1.1.x } / (Double(raw.count) * step)
    }
  }

  @Test func aStillFaceInNoiseIsAtLeastThreeTimesSteadier() throws {
    let film = try measured(speed: 0, noise: 5, frames: 40)
    let (before, after) = (jitter(film[10...]), jitter(smoothed(film)[10...]))
    #expect(before > 3 * after)
  }

  @Test func aFaceMovingOneWidthASecondIsLessThanAFrameBehind() throws {
    let film = try measured(speed: 1, noise: 2, frames: 40)
    let lags = lag(smoothed(film), behind: film, step: 94 * 0.8 / 30)
    #expect(lags.max() ?? 9 < 1)
    #expect(lags.suffix(20).reduce(0, +) / 20 < 0.5)
  }

  @Test func smoothingIsTheSameForNearAndFarFaces() {
    let film: [[Point3]] = (0..<20).map { (frame: Int) -> [Point3] in
      (0..<5).map { (point: Int) -> Point3 in
        Point3(x: Double((frame * 7 + point * 3) % 11), y: Double(frame), z: 0)
      }
    }
    let large = film.map { $0.map { Point3(x: 4 * $0.x, y: 4 * $0.y, z: 4 * $0.z) } }
    var (a, b) = (PointSmoother(), PointSmoother())
    for (small, large) in zip(film, large) {
      var (small, large) = (small, large)
      a.smooth(&small, size: 50, seconds: 0.04, amount: 0.5)
      b.smooth(&large, size: 200, seconds: 0.04, amount: 0.5)
      for (p, q) in zip(small, large) { #expect(abs(4 * p.x - q.x) < 1e-9) }
    }
  }

  @Test func noSmoothingIsRawAndMoreSmoothsMore() throws {
    let film = try measured(speed: 0, noise: 5, frames: 16)
    #expect(smoothed(film, amount: 0) == film)
    let levels = [0.1, 0.5, 0.9, 1].map { jitter(smoothed(film, amount: $0)[4...]) }
    #expect(levels == levels.sorted(by: >))
    #expect(levels[0] < jitter(film[4...]))
  }

  @Test(arguments: [0.0, -1, .nan, .infinity])
  func invalidTimesAndSizesResetTheFilter(value: Double) {
    var smoother = PointSmoother()
    for x in [1.0, 5, 9] {
      for (size, seconds) in [(50, value), (value, 0.03)] {
        var points = [Point3(x: x, y: 0, z: 0)]
        smoother.smooth(&points, size: size, seconds: seconds, amount: 0.5)
        #expect(points[0].x == x)
      }
    }
  }

  @Test func reportedPointsAreSmoothedAndTrackedOnesAreNot() throws {
    var settings = TrackingTests.plain
    let film = try Film(width: 260, height: 180)
    let raw = try FaceFinder.loaded(settings)
    settings.smoothing = 0.5
    let smooth = try FaceFinder.loaded(settings)
    var smoother = PointSmoother()
    for frame in 0..<8 {
      film.draw([Film.place(at: Point(x: 100 + 3 * Double(frame), y: 90), scale: 0.8)])
      let a = try #require(
        raw.found(in: film.frame, frame: frame, settings: TrackingTests.plain).first)
      let b = try #require(smooth.found(in: film.frame, frame: frame, settings: settings).first)
      var points = a.landmarks.map {
        Point3(x: Double($0.x) * 260, y: Double($0.y) * 180, z: Double($0.z) * 260)
      }
      let box = a.box.scaled(x: 260, y: 180)
      smoother.smooth(
        &points, size: (box.width + box.height) / 2, seconds: 1.0 / 30, amount: 0.5)
      for (p, q) in zip(points, b.landmarks) {
        #expect(abs(p.x - Double(q.x) * 260) < 1e-3)
        #expect(abs(p.y - Double(q.y) * 180) < 1e-3)
      }
    }
  }
}
