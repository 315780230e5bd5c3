import CGStreamer
import Faces
import Pixels
import Support
import Testing
import Threads

/// Faces at the frame's edges, and metadata that cannot be true.
@Suite(.timeLimit(.minutes(20))) struct BeautifyMaskLieTests {
  private static let strong = "intensity=1 brightness=1 even-skin=1"

  private static func run(
    _ faces: [[AttachedFace]], _ properties: String, _ format: PixelFormat = .i420,
    measuredOn size: (UInt32, UInt32) = (161, 121), width: Int = 161
  ) throws -> Retouched {
    try Retouched(
      Retouched.noise(format, width: width, height: 121, count: faces.count),
      strong + " " + properties
    ) { buffer, index in AttachedFace.attach(faces[index], measuredOn: size, to: buffer) }
  }

  @Test(arguments: ["face", "ellipse", "rectangle"])
  func facesAtEveryBorderAreTreatedAsFarAsTheyAreSeen(mask: String) throws {
    let places = [-0.45, -0.2, -0.02, 0.3, 0.62, 0.8, 0.99]
    let faces = places.flatMap { y in
      places.map { x in [AttachedFace(id: 0, x: x, y: y, width: 0.4, height: 0.4)] }
    }
    for format in [PixelFormat.nv12, .bgra] {
      let run = try Self.run(faces, "skin-adapt=0 mask=\(mask)", format)
      #expect(run.after.count == faces.count)
      for (index, face) in faces.enumerated() {
        let box = Rectangle(
          x: face[0].box.x - 0.02, y: face[0].box.y - 0.02, width: 0.44, height: 0.44)
        let seen = box.intersection(Rectangle(x: 0.02, y: 0.02, width: 0.96, height: 0.96))
        let changes = run.changes(index, format, width: 161, height: 121, within: box)
        if seen.area > 0.02 { #expect(changes.inside > 0) }
      }
    }
  }

  @Test func numbersThatCannotBeDoNoHarm() throws {
    let bad: [Double] = [
      .nan, .infinity, -.infinity, 1e300, -1e300, 1e9, -3, 0, Double.leastNonzeroMagnitude, 1e-9,
      4e9,
    ]
    var faces: [[AttachedFace]] = []
    for (index, value) in bad.enumerated() {
      let other = bad[(index + 4) % bad.count]
      let float = Float(value)
      faces += [
        [AttachedFace(x: value, y: 0.2, width: 0.5, height: 0.5)],
        [AttachedFace(x: 0.2, y: 0.2, width: value, height: 0.5)],
        [AttachedFace(x: 0.2, y: other, width: 0.5, height: value)],
        [AttachedFace(x: value, y: other, width: value, height: other)],
        [
          AttachedFace(
            x: 0.2, y: 0.2, width: 0.5, height: 0.5,
            keypoints: [Float](repeating: float, count: 12))
        ],
        [
          AttachedFace(
            x: 0.2, y: 0.2, width: 0.5, height: 0.5,
            keypoints: [0.3, 0.3, 0.5, 0.3, 0.4, 0.4, 0.4, float, 0.2, float, 0.6, 0.3],
            landmarks: (0..<(468 * 3)).map { $0 % 97 == 3 ? float : 0.3 + Float($0 % 40) / 100 })
        ],
      ]
    }
    for mask in ["face", "ellipse", "rectangle"] {
      #expect(try Self.run(faces, "mask=\(mask) n-threads=2").after.count == faces.count)
      let shown = try Self.run(faces, "mask=\(mask) show-mask=true", .rgbx)
      #expect(shown.after.count == faces.count)
    }
  }

  @Test func listsOfPointsThatAreCutShortFallBackToWhatIsWhole() throws {
    let whole = [Float](repeating: 0.4, count: 468 * 3)
    let lengths = [0, 1, 2, 3, 11, 12, 13, 1000, 1403, 1404, 1405, 478 * 3, 3000]
    let faces = lengths.map { length in
      [
        AttachedFace(
          x: 0.2, y: 0.1, width: 0.6, height: 0.8,
          keypoints: Array((whole + whole + whole).prefix(length)),
          landmarks: Array((whole + whole + whole).prefix(length)))
      ]
    }
    #expect(try Self.run(faces, "").after.count == faces.count)
    // One value short of a mesh, and no keypoints: the box is left.
    let box = [AttachedFace(x: 0.2, y: 0.1, width: 0.6, height: 0.8)]
    var cut = box
    cut[0].landmarks = Array(whole.dropLast())
    cut[0].keypoints = Array(whole.prefix(7))
    let runs = try [box, cut].map { try Self.run([$0], "", .gray8, width: 160) }
    #expect(runs[0].change(0) > 0)
    let isSame = runs[0].after[0].bytes == runs[1].after[0].bytes
    #expect(isSame)
  }

  @Test func aThousandFacesAreSixtyFourAndTheRestIsLeftAlone() throws {
    let many = (0..<1000).map { index in
      AttachedFace(
        id: UInt32(index), x: Double(index % 40) / 40, y: Double(index / 40) / 25, width: 0.15,
        height: 0.2)
    }
    let frames = [many, many, [], many.reversed(), Array(many.prefix(64)), many]
    #expect(try Self.run(frames, "").after.count == frames.count)
    // Rows without padding, whose bytes would be anything.
    let runs = try [many, Array(many.prefix(64))].map {
      try Self.run([$0], "", .gray8, width: 160).after[0].bytes
    }
    let isSame = runs[0] == runs[1]
    #expect(isSame)
  }

  @Test func theSizeThatFacesWereMeasuredOnDoesNotMatter() throws {
    let face = [AttachedFace(x: 0.2, y: 0.1, width: 0.6, height: 0.8)]
    let bytes = try [(161, 121), (0, 0), (UInt32.max, 1), (1920, 1080)].map { size in
      try Self.run([face], "", .gray8, measuredOn: size, width: 160).after[0].bytes
    }
    let areSame = bytes.dropFirst().allSatisfy { $0 == bytes[0] }
    #expect(areSame)
  }

  @Test func regionsBeyondTheFrameAreClipped() throws {
    let boxes: [(UInt32, UInt32, UInt32, UInt32)] = [
      (0, 0, 0, 0), (160, 120, 1, 1), (161, 121, 40, 40), (100, 80, 4000, 4000),
      (.max, .max, .max, .max), (0, 0, .max, .max), (0, 0, 161, 121), (10, 10, 1, 100),
    ]
    for mask in ["face", "rectangle"] {
      let run = try Retouched(
        Retouched.noise(.yuy2, width: 161, height: 121, count: boxes.count), "mask=\(mask)"
      ) { buffer, index in
        let (x, y, width, height) = boxes[index]
        AttachedFace.attachRegion(x: x, y: y, width: width, height: height, to: buffer)
      }
      #expect(run.after.count == boxes.count)
    }
  }
}
