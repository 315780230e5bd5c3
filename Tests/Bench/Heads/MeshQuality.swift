import Faces
import Glibc
import Pixels
import Support
import Vision

/// Compares what the two meshes tell: the noise of their points on still heads, closed lids, smiles of
/// turned heads, and an open mouth.
enum MeshQuality {
  private static let meshes: [(name: String, choice: MeshChoice)] = [
    ("468", .points468), ("478", .points478),
  ]

  static func run(_ report: Report) {
    report.line("\nThe two meshes: quality" + meshes.map { "  mesh=\($0.name)" }.joined())
    do {
      let noise = try meshes.map { try Self.noise(of: $0.choice) }
      write("still heads: noise of points, % of the eye distance", noise, report)
      report.line("    of 478 to 468 points: \(noise[1] / noise[0]), bar 0.9")
      let lids = try meshes.map { try Self.lids(of: $0.choice) }
      write(
        "closed lids found of \(closed), 1 of \(open) open ones wrong", lids.map(\.ranked), report)
      write("  by the limit of a blink (bar 29)", lids.map(\.found), report)
      write("  open ones wrong by that limit (bar 1)", lids.map(\.wrong), report)
      for (scene, bar) in [
        (RealScene.portrait, "0.5"), (.hiker, "0.5"), (.highForehead, "at most 0.4"),
      ] {
        let head = try TexturedHead(scene)
        for yaw in stride(from: 0.0, through: 40, by: 10) {
          let smiles = try meshes.map { try smile(of: head, yaw: yaw, $0.choice) }
          write("smile of \(scene.rawValue) at a yaw of \(Int(yaw)) (bar \(bar))", smiles, report)
        }
      }
      write("smile of a shout (bar at most 0.3)", try meshes.map { try shout($0.choice) }, report)
    } catch {
      report.line("  not run: \(error)")
    }
  }

  private static func write(_ name: String, _ figures: [Double], _ report: Report) {
    report.line(
      "  \(name.padded(64))" + figures.map { "  \((($0 * 1000).rounded() / 1000))" }.joined())
  }

  private static func settings(_ mesh: MeshChoice) -> FaceFinder.Settings {
    var settings = FaceFinder.Settings()
    settings.mesh = mesh
    settings.maxFaces = 1
    return settings
  }

  // MARK: Noise

  /// The root mean square of the second difference of unsmoothed points over time, as of one frame, in
  /// percent of the eye distance: of a still portrait with noise of 3 codes, and of a man who sits still.
  private static func noise(of mesh: MeshChoice) throws -> Double {
    var settings = settings(mesh)
    settings.smoothing = 0
    var films: [[[Point]]] = []
    let portrait = try RealScene.hiker.picture(.rgb)
    let finder = try FaceFinder.loaded(settings)
    var random = SplitMix(7)
    films.append(
      try (0..<40).map { frame in
        let noisy = portrait.copy()
        noisy.withPicture { picture in
          for y in 0..<picture.height {
            let row = picture.plane(0).row(y)
            for x in 0..<row.count {
              let sum = (0..<4).reduce(0) { total, _ in total + Double(random.uniform()) } - 2
              row[x] = UInt8(min(max(Double(row[x]) + sum * 5.2, 0), 255))
            }
          }
        }
        return try points(finder.found(in: noisy, frame: frame, settings: settings), noisy)
      })
    var man: [[Point]] = []
    let second = try FaceFinder.loaded(settings)
    try RealScene.man.forEachFrame { picture, time in
      man.append(try points(second.found(in: picture, time: time, settings: settings), picture))
    }
    films.append(Array(man.dropFirst(33)))
    let squares = films.map { film -> Double in
      let film = film.dropFirst(5)
      let unit = film.first.map { distance($0) } ?? 1
      var (sum, count) = (0.0, 0)
      for (a, (b, c)) in zip(film, zip(film.dropFirst(), film.dropFirst(2))) {
        for index in 0..<Face.landmarkCount {
          let change = a[index] - b[index] * 2 + c[index]
          // The weights 1, -2 and 1 add the noise of six frames.
          sum += (change.x * change.x + change.y * change.y) / 6
          count += 1
        }
      }
      return sum / Double(max(count, 1)) / (unit * unit)
    }
    return 100 * (squares.reduce(0, +) / Double(squares.count)).squareRoot()
  }

  private static func points(_ faces: [Face], _ picture: OwnedPicture) throws -> [Point] {
    guard let face = faces.first, face.landmarks.count >= Face.landmarkCount else {
      throw FoundFace.Missing.face
    }
    return face.landmarks.map { $0.inPixels(Double(picture.width), Double(picture.height)) }
  }

  private static func distance(_ points: [Point]) -> Double {
    let (left, right) = (MeshIndex.eyeCorners.left, MeshIndex.eyeCorners.right)
    return ((points[right[0]] + points[right[1]] - points[left[0]] - points[left[1]]) * 0.5).length
  }

  // MARK: Lids

  /// Frames whose lids were seen to be closed, or open, by eye; those in between are left out.
  private static let labels: [(scene: RealScene, closed: [Int], open: [Int])] = [
    (
      .moods, Array(stride(from: 18, through: 90, by: 3)) + [288, 446, 448],
      Array(stride(from: 144, through: 240, by: 8)) + Array(stride(from: 256, through: 280, by: 8))
        + Array(stride(from: 296, through: 392, by: 8))
    ),
    (
      .man, [26, 27],
      Array(stride(from: 0, through: 24, by: 3)) + Array(stride(from: 33, through: 69, by: 3))
        + Array(stride(from: 1, through: 13, by: 3))
    ),
  ]
  private static let closed = labels.reduce(0) { $0 + $1.closed.count }
  private static let open = labels.reduce(0) { $0 + $1.open.count }

  /// Closed lids found with at most one open pair wrong, at the best limit; and at the limit of a blink,
  /// those found and the open ones wrong.
  private static func lids(
    of mesh: MeshChoice
  ) throws -> (ranked: Double, found: Double, wrong: Double) {
    let settings = settings(mesh)
    var (shut, wide): ([Double], [Double]) = ([], [])
    for label in labels {
      let finder = try FaceFinder.loaded(settings)
      var frame = 0
      try label.scene.forEachFrame { picture, time in
        defer { frame += 1 }
        let face = try finder.found(in: picture, time: time, settings: settings).first
        guard label.closed.contains(frame) || label.open.contains(frame) else { return }
        let expression = face?.expression
        let value = expression.map { ($0.leftEyeOpen + $0.rightEyeOpen) / 2 }
        if label.closed.contains(frame) { shut.append(value ?? 1) } else { wide.append(value ?? 0) }
      }
    }
    let limit = wide.sorted().dropFirst().first ?? 0
    return (
      Double(shut.count { $0 < limit }), Double(shut.count { $0 < Expression.eyeClosed }),
      Double(wide.count { $0 < Expression.eyeClosed })
    )
  }

  // MARK: Mouths

  /// The smile of a head that is turned to the right of the image.
  static func smile(
    of head: TexturedHead, yaw: Double, _ mesh: MeshChoice
  ) throws -> Double {
    let (_, picture) = head.turned(yaw: yaw, unit: 100, width: 500, height: 650)
    return try expression(in: picture, mesh)?.smile ?? .nan
  }

  private static func shout(_ mesh: MeshChoice) throws -> Double {
    let photograph = try Photograph.load(.rgb)
    let face = try FoundFace.largest(in: photograph)
    let points = try points([face], photograph)
    return try expression(in: Grimace(photograph, points).picture(.mouthOpen), mesh)?.smile ?? .nan
  }

  /// The expression after a few frames of a still picture.
  private static func expression(
    in picture: OwnedPicture, _ mesh: MeshChoice
  ) throws -> Expression? {
    let settings = settings(mesh)
    let finder = try FaceFinder.loaded(settings)
    return try (0..<8).map {
      try finder.found(in: picture, frame: $0, settings: settings).first?.expression
    }.last ?? nil
  }
}
