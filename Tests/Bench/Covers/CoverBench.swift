import Faces
import Glibc
import Occlusion
import Pixels
import Support
import Vision

/// Measures on films of which the truth is known how well what covers faces is found, and how much of
/// bare faces is taken for a cover.
enum CoverBench {
  static func run(_ report: Report) {
    do {
      try measure(report)
    } catch {
      report.line("  covers: \(error)")
    }
  }

  private static func measure(_ report: Report) throws {
    report.line(
      "\nWhat covers faces: the part of the cover kept free of paint, of the bare face wrongly freed,"
        + " flicker (percent),\nframes late, and the cost of a frame (ms) with a cover and without."
    )
    let heads = try selected()
    for kind in CoverKind.allCases where isWanted(kind.rawValue) {
      var all: [Result] = []
      for (number, head) in heads {
        let scene = CoverScene(head, kind, seed: UInt64(number))
        let result = try follow(scene)
        all.append(result)
        report.line("  \(kind.rawValue) \(number)".padded(24) + result.text)
      }
      report.line("  \(kind.rawValue), mean".padded(24) + Result.mean(all).text)
    }
    for kind in [CoverKind.hand, .mug, .microphone] where isWanted("start") {
      var all: [Result] = []
      for (number, head) in heads {
        // The film begins where the cover is before the face.
        let scene = CoverScene(head, kind, bareFrames: -12, seed: UInt64(number))
        let result = try follow(scene)
        all.append(result)
        report.line("  start, \(kind.rawValue) \(number)".padded(24) + result.text)
      }
      report.line("  start, \(kind.rawValue)".padded(24) + Result.mean(all).text)
    }
    for (name, light) in lights where isWanted(name) {
      var all: [Result] = []
      for (number, head) in heads {
        let scene = CoverScene(head, nil, seed: UInt64(number), light: light)
        all.append(try follow(scene))
      }
      report.line("  bare, \(name)".padded(24) + Result.mean(all).text)
    }
    if isWanted("films") { try measureFilms(report) }
  }

  /// Whether COVER_KINDS in the environment names this part, or is not set.
  private static func isWanted(_ name: String) -> Bool {
    guard let wanted = getenv("COVER_KINDS") else { return true }
    return String(cString: wanted).split(separator: ",").contains { name.hasPrefix($0) }
  }

  /// The heads whose number is in COVER_HEADS in the environment, or all.
  private static func selected() throws -> [(Int, PortraitHead)] {
    let wanted = getenv("COVER_HEADS").map {
      String(cString: $0).split(separator: ",").compactMap { Int($0) }
    }
    return Array(try PortraitHead.load().enumerated()).map { ($0.offset, $0.element) }
      .filter { wanted?.contains($0.0) ?? true }
  }

  private static let lights: [(String, @Sendable (Int) -> CoverScene.Light)] = [
    ("still light", { _ in .init() }),
    ("a step to 70 %", { $0 < 30 ? .init() : .init(0.7) }),
    ("a fade to 60 %", { .init(1 - 0.4 * Float(min(max($0 - 20, 0), 30)) / 30) }),
    ("a warm step", { $0 < 30 ? .init() : .init(SIMD3(1.1, 0.95, 0.75)) }),
    ("flicker of 8 %", { .init(1 + 0.08 * Float($0 % 3 - 1)) }),
    ("a blue lamp", { _ in .init(SIMD3(1, 1, 1), SIMD3(0.5, 0.65, 1.3)) }),
    ("a side light", { .init(1, 1 - 0.35 * Float(min(max($0 - 20, 0), 20)) / 20) }),
  ]

  /// Films of real people: nothing is before the face of the first; the second holds her hands before
  /// hers.
  private static func measureFilms(_ report: Report) throws {
    for film in [RealScene.man, .moods] {
      var frame = 0
      var settings = FaceFinder.Settings()
      settings.occlusion = true
      let finder = try FaceFinder.loaded(settings)
      var score = CoverScore()
      var none: Grid<Float>?
      try film.forEachFrame(.i420) { picture, time in
        let faces = try finder.found(in: picture, time: time, settings: settings)
        let truth = none ?? Grid<Float>(width: picture.width, height: picture.height, of: 0)
        none = truth
        guard let face = faces.first else { return }
        score.add(face, truth, original: oval(face, picture.width, picture.height))
        if film == .moods {
          dump(picture, face, frame)
          if let hand = OutlinedHand.all.first(where: { $0.frame == frame }) {
            var own = CoverScore()
            own.add(
              face, hand.truth(width: picture.width, height: picture.height),
              original: oval(face, picture.width, picture.height))
            report.line("  hand, frame \(frame)".padded(24) + Result(own).text)
          }
        }
        frame += 1
      }
      report.line(
        "  \(film.rawValue)".padded(24)
          + Result(score).text + ", worst frame \(pad(score.worstFreed))")
    }
  }

  private static func oval(_ face: Face, _ width: Int, _ height: Int) -> [Point] {
    guard face.landmarks.count >= Face.landmarkCount else { return [] }
    return MeshIndex.oval.map { face.landmarks[$0].inPixels(Double(width), Double(height)) }
  }

  private static func follow(_ scene: CoverScene) throws -> Result {
    let settings = FaceFinder.Settings()
    let finder = try FaceFinder.loaded(settings)
    let occlusion = FaceOcclusion()
    let hands = getenv("COVER_NO_HANDS") == nil ? try HandFinder.loaded() : nil
    var score = CoverScore()
    var original = try bareOval(scene)
    var (seconds, coveredSeconds) = (0.0, 0.0)
    var (covered, found) = (0, 0)
    for frame in 0..<scene.frameCount {
      scene.draw(frame)
      var faces = try finder.found(in: scene.picture, frame: frame, settings: settings)
      let start = Cost.now.cpu
      scene.picture.withPicture { picture in
        hands?.begin(picture)
        occlusion.update(&faces, picture, hands)
      }
      let cost = Cost.now.cpu - start
      seconds += cost
      if scene.coveredShare > 0.01 {
        covered += 1
        coveredSeconds += cost
      }
      if scene.coveredShare > 0.01, let hands, hands.followedCount > 0 { found += 1 }
      let face = faces.first
      if frame < 4, scene.bareFrames > 0, let face, let back = scene.motion.inverse {
        original = oval(face, CoverScene.width, CoverScene.height).map { back($0) }
      }
      score.add(face, scene.truth, original: original.map { scene.motion($0) })
      dump(scene.picture, face, frame)
    }
    let count = Double(scene.frameCount)
    var result = Result(score)
    let bare = scene.frameCount - covered
    result.coveredMilliseconds = 1000 * coveredSeconds / Double(max(covered, 1))
    result.bareMilliseconds = 1000 * (seconds - coveredSeconds) / Double(max(bare, 1))
    result.found = 100 * Double(found) / Double(max(covered, 1))
    result.searches = Double(hands?.searchCount ?? 0) / count
    result.measurements = Double(hands?.measurementCount ?? 0) / count
    return result
  }

  /// The face's oval in a film that begins under a cover, from its last frame; empty for others.
  private static func bareOval(_ scene: CoverScene) throws -> [Point] {
    guard scene.bareFrames < 0 else { return [] }
    scene.draw(scene.frameCount - 1)
    guard let face = try FaceFinder.faces(in: scene.picture).first, let back = scene.motion.inverse
    else { return [] }
    return oval(face, CoverScene.width, CoverScene.height).map { back($0) }
  }

  /// Writes every tenth frame with green paint to the folder COVER_FRAMES in the environment, if that is set.
  private static func dump(_ picture: OwnedPicture, _ face: Face?, _ frame: Int) {
    let (width, height) = (picture.width, picture.height)
    guard frame % 10 == 0, let folder = getenv("COVER_FRAMES").map({ String(cString: $0) }),
      let file = fopen("\(folder)/\(frame).ppm", "w")
    else { return }
    defer { fclose(file) }
    fputs("P6 \(width) \(height) 255\n", file)
    let sampler = CoverSampler()
    let isCovered = face.map {
      sampler.set($0.cover, width: width, height: height)
    }
    let ring = face.map { oval($0, width, height) } ?? []
    picture.withPicture { picture in
      let planes = (picture.component(0), picture.component(1), picture.component(2))
      for y in 0..<height {
        for x in 0..<width {
          var color = Colorimetry.bt601.rgb(
            y: Float(planes.0[x, y]), cb: Float(planes.1[x / 2, y / 2]),
            cr: Float(planes.2[x / 2, y / 2]))
          let p = Point(x: Double(x) + 0.5, y: Double(y) + 0.5)
          if isInside(p, ring) {
            let paint = 0.5 * (isCovered == true ? sampler.visibility(at: p) : 1)
            color = (
              color.r * (1 - paint), color.g * (1 - paint) + 200 * paint, color.b * (1 - paint)
            )
          }
          for code in [color.r, color.g, color.b] { fputc(Int32(nearestByte(code)), file) }
        }
      }
    }
  }

  private static func isInside(_ p: Point, _ ring: [Point]) -> Bool {
    var inside = false
    for index in ring.indices {
      let (a, b) = (ring[index], ring[(index + 1) % ring.count])
      if (a.y > p.y) != (b.y > p.y), p.x < a.x + (b.x - a.x) * (p.y - a.y) / (b.y - a.y) {
        inside.toggle()
      }
    }
    return inside
  }

  private struct Result {
    var hidden, freed, flicker, late, lost: Double
    /// The cost of a frame in which something covers the face, and of one in which nothing does.
    var coveredMilliseconds = 0.0, bareMilliseconds = 0.0
    /// The part of the covered frames with a hand, in percent, and the runs of the networks a frame.
    var found = 0.0, searches = 0.0, measurements = 0.0

    init(_ score: CoverScore) {
      (hidden, freed, flicker) = (score.hiddenPercent, score.freedPercent, score.flickerPercent)
      (late, lost) = (Double(score.framesLate ?? 0), Double(score.lost))
    }

    var text: String {
      "free \(pad(hidden))  freed \(pad(freed))  flicker \(pad(flicker))  late \(pad(late))"
        + "  lost \(pad(lost))  ms covered \(pad(coveredMilliseconds))  ms bare \(pad(bareMilliseconds))  hand \(pad(found))  palm runs \(pad(searches))"
        + "  hand runs \(pad(measurements))"
    }

    static func mean(_ all: [Result]) -> Result {
      guard var sum = all.first else { return Result(CoverScore()) }
      let count = Double(all.count)
      func average(_ field: (Result) -> Double) -> Double { all.map(field).reduce(0, +) / count }
      sum.hidden = average(\.hidden)
      sum.freed = average(\.freed)
      sum.flicker = average(\.flicker)
      sum.late = average(\.late)
      sum.lost = average(\.lost)
      sum.coveredMilliseconds = average(\.coveredMilliseconds)
      sum.bareMilliseconds = average(\.bareMilliseconds)
      sum.found = average(\.found)
      sum.searches = average(\.searches)
      sum.measurements = average(\.measurements)
      return sum
    }
  }
}

extension CoverScene.Light {
  fileprivate init(_ both: Float) { self.init(SIMD3(both, both, both)) }
  fileprivate init(_ both: SIMD3<Float>) {
    self.init()
    (left, right) = (both, both)
  }
  fileprivate init(_ left: Float, _ right: Float) {
    self.init(SIMD3(left, left, left), SIMD3(right, right, right))
  }
  fileprivate init(_ left: SIMD3<Float>, _ right: SIMD3<Float>) {
    self.init()
    (self.left, self.right) = (left, right)
  }
}
