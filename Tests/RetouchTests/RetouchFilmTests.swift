import Faces
import Pixels
import Retouch
import Support
import Testing
import Vision

/// The retouching of heads that move in a film, with the faces that Vision finds in it.
@Suite(.timeLimit(.minutes(20))) struct RetouchFilmTests {
  private static let width = 480
  private static let height = 360
  private static let scale = 1.4

  /// The frames of a film with the retouching's results.
  private struct Shot {
    var input: Samples
    var output: Samples
    var faces: [Face]

    /// Sum of the absolute differences.
    var change: Float {
      zip(input.values, output.values).reduce(0) { $0 + abs($1.0 - $1.1) }
    }
  }

  /// Runs a film whose head's face is at each of `places`, in turn; nil: no head.
  private func shots(
    _ places: [Point?], noise: Double, _ settings: RetouchSettings = RetouchSettings()
  ) throws -> [Shot] {
    let film = try Film(width: Self.width, height: Self.height)
    let search = FaceFinder.Settings()
    let finder = try FaceFinder.loaded(search)
    let retouch = SkinRetouch()
    return try places.enumerated().map { index, place in
      film.draw(place.map { [Film.place(at: $0, scale: Self.scale)] } ?? [])
      if noise > 0 { film.addNoise(noise) }
      let faces = try finder.found(in: film.frame, frame: index, settings: search)
      let input = Samples.luma(film.frame)
      retouch.treat(film.frame, faces, settings)
      return Shot(input: input, output: Samples.luma(film.frame), faces: faces)
    }
  }

  /// Pixels in the middle of a face that lies at `place`: cheeks, nose, chin and lips.
  private func middle(_ place: Point) -> [Int] {
    let reach = 30 * Self.scale
    var result: [Int] = []
    for (y, x) in product(
      Int(place.y - reach)..<Int(place.y + reach), Int(place.x - reach)..<Int(place.x + reach))
    {
      result.append(y * Self.width + x)
    }
    return result
  }

  @Test func stillSkinInNoiseFlickersLessThanItDid() throws {
    let place = Point(x: 240, y: 190)
    let shots = try shots([Point?](repeating: place, count: 14), noise: 2)
    let skin = middle(place)
    for index in 6..<14 {
      #expect(shots[index].faces.count == 1)
      let before = shots[index].input.distance(to: shots[index - 1].input, at: skin)
      let after = shots[index].output.distance(to: shots[index - 1].output, at: skin)
      #expect(after < before)
    }
  }

  @Test func movingSkinIsConstantBetweenFrames() throws {
    // Whole pixels, so that one frame moved is the next.
    let step = (x: 3, y: 1)
    let places = (0..<16).map {
      Point(x: 200 + Double(step.x * max($0 - 3, 0)), y: 180 + Double(step.y * max($0 - 3, 0)))
    }
    let shots = try shots(places, noise: 2)
    for index in 5..<16 {
      #expect(shots[index].faces.count == 1)
      let skin = middle(places[index])
      let input = shots[index - 1].input.moved(by: step.x, step.y)
      let output = shots[index - 1].output.moved(by: step.x, step.y)
      #expect(
        shots[index].output.distance(to: output, at: skin)
          < shots[index].input.distance(to: input, at: skin))
    }
  }

  @Test func aHeadThatMovesLeavesNoTrail() throws {
    let places = (0..<20).map { Point(x: 130 + 11 * Double($0), y: 180 + 4 * Double($0 % 5)) }
    for shot in try shots(places, noise: 0) {
      let face = try #require(shot.faces.first)
      let points = face.landmarks.map {
        Point(x: Double($0.x) * Double(Self.width), y: Double($0.y) * Double(Self.height))
      }
      let xs = points.map(\.x)
      let ys = points.map(\.y)
      // Interpolation reaches two cells of two pixels over the mask's edge, and the forehead .35 of
      // the face's height over the mesh.
      let height = try #require(ys.max()) - #require(ys.min())
      let box = try (
        left: #require(xs.min()) - 4, right: #require(xs.max()) + 4,
        top: #require(ys.min()) - 4 - 0.35 * height, bottom: #require(ys.max()) + 4
      )
      var outside = 0
      for (index, pair) in zip(shot.input.values, shot.output.values).enumerated()
      where pair.0 != pair.1 {
        let (x, y) = (Double(index % Self.width) + 0.5, Double(index / Self.width) + 0.5)
        if x < box.left || x > box.right || y < box.top || y > box.bottom { outside += 1 }
      }
      #expect(outside == 0)
      #expect(shot.change > 10_000)
    }
  }

  @Test func aHeadThatLeavesAndComesBackFadesOutAndIn() throws {
    let place = Point(x: 240, y: 190)
    var settings = RetouchSettings()
    settings.brightness = 1
    let here = [Point?](repeating: place, count: 5)
    let gone = [Point?](repeating: nil, count: 16)
    let again = [Point?](repeating: place, count: 14)
    let shots = try shots(here + gone + again, noise: 0, settings)
    let changes = shots.map(\.change)
    // The ground where the face was: less and less of it is changed, and then nothing.
    for index in 6..<21 { #expect(changes[index] <= changes[index - 1]) }
    #expect(changes[20] == 0)
    // From the first frame on which the face is found again.
    let first = try #require(shots.indices.dropFirst(21).first { !shots[$0].faces.isEmpty })
    #expect(first <= 24)
    for index in (first + 1)..<(first + 6) { #expect(changes[index] > changes[index - 1]) }
    #expect(changes[first] > 0 && changes[first] * 3 < changes[34])
  }
}

extension Samples {
  /// The samples moved right and down by whole pixels; what comes in repeats the border.
  fileprivate func moved(by x: Int, _ y: Int) -> Samples {
    var result = self
    for (v, u) in product(0..<height, 0..<width) {
      let (fromX, fromY) = (min(max(u - x, 0), width - 1), min(max(v - y, 0), height - 1))
      result.values[v * width + u] = values[fromY * width + fromX]
    }
    return result
  }
}
