import Faces
import Inference
import Pixels
import Support
import Testing
import Threads

@testable import Vision

#if canImport(Glibc)
  import Glibc
#endif

/// Tracking in synthetic films with known motion.
@Suite(.serialized, .timeLimit(.minutes(20))) struct TrackingTests {
  static var plain: FaceFinder.Settings {
    var settings = FaceFinder.Settings()
    settings.smoothing = 0
    settings.expressions = false
    return settings
  }

  /// The mesh of a head transformed by `map`, from the one measured on the upright head.
  struct Truth {
    let points: [Point]

    /// The mean over many regions: the network's answer depends slightly on the region.
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
        for index in sums.indices { sums[index] = sums[index] + found[index].xy }
      }
      points = sums.map { $0 * (1 / Double(count)) }
    }

    /// The errors of the landmarks, in eye distances.
    func errors(of face: Face, _ map: Affine, scale: Double, in film: Film) -> [Double] {
      zip(points, face.landmarks).map { expected, found in
        let place = Point(
          x: Double(found.x) * Double(film.width), y: Double(found.y) * Double(film.height))
        return (place - map(expected)).length / (Film.eyeDistance * scale)
      }
    }
  }

  @Test(arguments: [true, false])
  func interruptedPicturesHaveNoFaces(tracks: Bool) throws {
    let picture = try Photograph.load(.rgb)
    var settings = FaceFinder.Settings()
    settings.tracking = tracks
    let cancellation = CancellationFlag()
    let finder = try FaceFinder.loaded(settings, cancellation: cancellation)
    #expect(try finder.found(in: picture, frame: 0, settings: settings).count == 1)
    cancellation.set()
    #expect(try finder.found(in: picture, frame: 1, settings: settings).isEmpty)
    cancellation.clear()
    finder.reset()
    #expect(try finder.found(in: picture, frame: 2, settings: settings).count == 1)
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
      errors += truth.errors(of: face, map, scale: scale, in: film)
    }
    errors.sort()
    #expect(errors[errors.count / 2] < 0.01)
  }

  /// Tracks heads; expects that each id stays with one head, and that all visible heads are
  /// detected.
  private func follow(
    _ film: Film, frames: Int, scale: Double, _ settings: FaceFinder.Settings = plain,
    _ places: (Double) -> [Point]
  ) throws {
    let finder = try FaceFinder.loaded(settings)
    var numbers: [UInt32: Int] = [:]
    let faceWidth = 94 * scale
    for frame in 0..<frames {
      let heads = places(Double(frame) / Double(frames - 1))
      film.draw(heads.map { Film.place(at: $0, scale: scale) })
      let faces = try finder.found(in: film.frame, frame: frame, settings: settings)
      for face in faces {
        let place = Point(
          x: face.box.center.x * Double(film.width), y: face.box.center.y * Double(film.height))
        let distances = heads.map { ($0 - place).length / faceWidth }
        if let head = numbers[face.id] {
          #expect(distances[head] < 0.5, "face \(face.id) in frame \(frame)")
        } else {
          let nearest = try #require(distances.indices.min { distances[$0] < distances[$1] })
          #expect(!numbers.values.contains(nearest), "second number in frame \(frame)")
          numbers[face.id] = nearest
        }
      }
      // Visible: well inside the picture and not behind a later head.
      for (index, head) in heads.enumerated() {
        let isInside =
          head.x > 0.6 * faceWidth && head.x < Double(film.width) - 0.6 * faceWidth
        let isFree = heads.indices.allSatisfy {
          $0 == index || (heads[$0] - head).length > 1.6 * faceWidth
        }
        if isInside && isFree {
          #expect(
            faces.contains { numbers[$0.id] == index }, "head \(index) in frame \(frame)")
        }
      }
    }
    #expect(numbers.count == places(0).count)
  }

  @Test func twoCrossingFacesKeepTheirIDs() throws {
    try follow(Film(width: 420, height: 180), frames: 45, scale: 0.75) { t in
      [Point(x: 60 + 300 * t, y: 90), Point(x: 360 - 300 * t, y: 94)]
    }
  }

  @Test func twoCrossingFacesKeepTheirIDsWithoutTheMesh() throws {
    var settings = Self.plain
    settings.landmarks = false
    try follow(Film(width: 420, height: 180), frames: 45, scale: 0.75, settings) { t in
      [Point(x: 60 + 300 * t, y: 90), Point(x: 360 - 300 * t, y: 94)]
    }
  }

  @Test func fourCrossingFacesThatLeaveKeepTheirIDs() throws {
    try follow(Film(width: 420, height: 320), frames: 45, scale: 0.7) { t in
      [
        Point(x: 60 + 400 * t, y: 80), Point(x: 360 - 400 * t, y: 84),
        Point(x: 110 + 170 * t, y: 232), Point(x: 310 - 170 * t, y: 236),
      ]
    }
  }

  @Test(arguments: [(10, UInt32(1)), (20, 2)])
  func aFaceKeepsItsIDThroughHalfASecondOfBlack(gap: Int, number: UInt32) throws {
    let film = try Film(width: 240, height: 200)
    let finder = try FaceFinder.loaded(Self.plain)
    let place = Film.place(at: Point(x: 120, y: 110), scale: 0.8, degrees: 20)
    var events: [FaceEvent] = []
    for frame in 0..<(gap + 6) {
      let isBlack = frame >= 3 && frame < 3 + gap
      if isBlack { film.fill(0) } else { film.draw([place]) }
      let faces = try finder.found(in: film.frame, frame: frame, settings: Self.plain)
      events += finder.events
      // A film without faces is searched in every other picture.
      if faces.isEmpty, number == 2, frame == 3 + gap { continue }
      #expect(faces.map(\.id) == (isBlack ? [] : [frame < 3 ? 1 : number]), "frame \(frame)")
    }
    let expected =
      number == 1
      ? [FaceEvent(.found, id: 1)]
      : [FaceEvent(.found, id: 1), FaceEvent(.lost, id: 1), FaceEvent(.found, id: 2)]
    #expect(events == expected)
  }

  @Test(arguments: [Point(x: 100, y: 100), Point(x: 200, y: 110)])
  func aCutGivesEveryFaceANewID(second: Point) throws {
    let film = try Film(width: 320, height: 240)
    let finder = try FaceFinder.loaded(Self.plain)
    for frame in 0..<8 {
      let isCut = frame >= 4
      film.draw(
        [Film.place(at: isCut ? second : Point(x: 100, y: 100), scale: 0.6)], ground: isCut ? 1 : 0)
      let faces = try finder.found(in: film.frame, frame: frame, settings: Self.plain)
      #expect(faces.map(\.id) == [isCut ? 2 : 1], "frame \(frame)")
    }
  }

  @Test func aFaceThatLeavesIsLostAfterHalfASecondAndAnotherOneIsNew() throws {
    let film = try Film(width: 240, height: 180)
    let finder = try FaceFinder.loaded(Self.plain)
    var lostAt: Int?
    for frame in 0..<45 {
      film.draw([Film.place(at: Point(x: 120 + 12 * Double(frame), y: 90), scale: 0.8)])
      let faces = try finder.found(in: film.frame, frame: frame, settings: Self.plain)
      if frame < 7 { #expect(faces.map(\.id) == [1]) }
      if frame > 14 { #expect(faces.isEmpty, "frame \(frame)") }
      if finder.events.contains(FaceEvent(.lost, id: 1)) { lostAt = frame }
    }
    #expect(try (20...32).contains(#require(lostAt)))
    film.draw([Film.place(at: Point(x: 120, y: 90), scale: 0.8)])
    #expect(try finder.found(in: film.frame, frame: 46, settings: Self.plain).map(\.id) == [2])
  }

  @Test func goingBackInTimeResetsTheFinder() throws {
    let film = try Film(width: 240, height: 180)
    let finder = try FaceFinder.loaded(Self.plain)
    film.draw([Film.place(at: Point(x: 120, y: 90), scale: 0.8)])
    #expect(try finder.found(in: film.frame, frame: 100, settings: Self.plain).map(\.id) == [1])
    #expect(try finder.found(in: film.frame, frame: 101, settings: Self.plain).map(\.id) == [1])
    #expect(try finder.found(in: film.frame, frame: 50, settings: Self.plain).map(\.id) == [2])
    #expect(finder.events == [FaceEvent(.found, id: 2), FaceEvent(.lost, id: 1)])
    #expect(try finder.found(in: film.frame, time: nil, settings: Self.plain).map(\.id) == [2])
  }

  @Test func withoutTrackingEveryFaceHasANewID() throws {
    var settings = Self.plain
    settings.tracking = false
    let film = try Film(width: 240, height: 180)
    let finder = try FaceFinder.loaded(settings)
    film.draw([Film.place(at: Point(x: 120, y: 90), scale: 0.8)])
    for frame in 0..<3 {
      let faces = try finder.found(in: film.frame, frame: frame, settings: settings)
      #expect(faces.map(\.id) == [UInt32(frame + 1)])
      #expect(faces.first?.landmarks.count == Face.landmarkCount)
      #expect(finder.events.isEmpty)
    }
  }

  @Test func sixteenFacesAreMeasuredAndTracked() throws {
    let truth = try Truth()
    let film = try Film(width: 1920, height: 1080)
    let finder = try FaceFinder.loaded(Self.plain)
    var first: [UInt32] = []
    for frame in 0..<6 {
      var heads: [Affine] = []
      for index in 0..<16 {
        let x = 170 + 315 * Double(index % 6) + 4 * Double(frame)
        let y = 200 + 350 * Double(index / 6)
        heads.append(Film.place(at: Point(x: x, y: y), scale: 1.6))
      }
      film.draw(heads)
      let faces = try finder.found(in: film.frame, frame: frame, settings: Self.plain)
      // Uncertain detections are confirmed after four observations.
      guard frame >= 3 else {
        #expect(faces.count >= 12)
        continue
      }
      #expect(faces.count == 16)
      if frame == 3 { first = faces.map(\.id) }
      #expect(faces.map(\.id) == first)
      for face in faces {
        let errors = heads.map {
          truth.errors(of: face, $0, scale: 1.6, in: film).sorted()[Face.landmarkCount / 2]
        }
        #expect(try #require(errors.min()) < 0.02)
      }
    }
  }

  @Test func noMoreThanMaxFacesAreTracked() throws {
    var settings = Self.plain
    settings.maxFaces = 1
    let film = try Film(width: 420, height: 180)
    let finder = try FaceFinder.loaded(settings)
    film.draw([
      Film.place(at: Point(x: 100, y: 90), scale: 0.75),
      Film.place(at: Point(x: 320, y: 90), scale: 0.75),
    ])
    for frame in 0..<7 {
      let faces = try finder.found(in: film.frame, frame: frame, settings: settings)
      #expect(faces.map(\.id) == [1])
    }
  }
}
