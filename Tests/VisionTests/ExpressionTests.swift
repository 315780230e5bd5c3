import Faces
import Files
import Inference
import Pixels
import Support
import Testing
import Threads

@testable import Vision

@Suite(.timeLimit(.minutes(20))) struct ExpressionTests {
  /// The mesh of the photograph, measured as in `FaceMeshTests`.
  static func photographMesh() throws -> (OwnedPicture, Mesh) {
    let picture = try Photograph.load(.rgb)
    let region = Region(
      center: Point(x: 225.237411, y: 130.543304), width: 143.016357, height: 143.016357,
      angle: 0.09438877)
    return (picture, try FaceMeshTests.mesh().measured(picture, region).1)
  }

  @Test func measuresMatchTheReference() throws {
    let (_, mesh) = try Self.photographMesh()
    #expect(abs(mesh.eyeAspect(isLeft: true) - 0.2995) < 0.001)
    #expect(abs(mesh.eyeAspect(isLeft: false) - 0.2938) < 0.001)
    #expect(abs(mesh.mouthAspect - 0.1892) < 0.001)
    #expect(abs(mesh.smile - 0.878) < 0.01)
  }

  @Test func poseMatchesTheReferenceWithRollClockwise() throws {
    let pose = try #require(HeadPose(try Self.photographMesh().1))
    #expect(abs(pose.yaw + 0.08) < 0.02)
    #expect(abs(pose.pitch - 9.07) < 0.02)
    #expect(abs(pose.roll - 3.21) < 0.02)
  }

  /// Reference values: the same network, whose irises were within 0.1 pixel of the reference's.
  @Test func eyeAspectRatiosMatchTheReference() throws {
    let (picture, mesh) = try Self.photographMesh()
    let model = try Self.eyeModel()
    let left = try #require(try model.measured(picture, mesh, isLeft: true))
    let right = try #require(try model.measured(picture, mesh, isLeft: false))
    #expect(abs(left - 0.3538) < 0.001)
    #expect(abs(right - 0.3498) < 0.001)
  }

  private static func places(_ mesh: Mesh) -> [Point] {
    (0..<468).map { Point(x: mesh[$0].x, y: mesh[$0].y) }
  }

  /// Shows the neutral face for a while, then each picture for three frames; returns the last
  /// expression of each, and all events.
  private func told(
    _ pictures: [OwnedPicture], neutral: OwnedPicture, _ finder: FaceFinder,
    mesh: MeshChoice = .auto
  ) throws -> ([Expression], [FaceEvent.Kind]) {
    var settings = FaceFinder.Settings()
    settings.mesh = mesh
    settings.smoothing = 0
    var last: [Expression] = []
    var events: [FaceEvent.Kind] = []
    var frame = 0
    for (number, picture) in ([neutral] + pictures + [neutral]).enumerated() {
      for repeated in 0..<(number == 0 ? 12 : 3) {
        let face = try #require(
          try finder.found(in: picture, frame: frame, settings: settings).first)
        #expect(face.id == 1)
        frame += 1
        events += finder.events.map(\.kind)
        if repeated == 2 { last.append(try #require(face.expression)) }
      }
    }
    return (last, events)
  }

  @Test(arguments: [false, true], [MeshChoice.points468, .auto])
  func closingAnEyeChangesOnlyItsMeasureAndAShoutEndsTheSmile(
    mirrored: Bool, choice: MeshChoice
  ) throws {
    let (photograph, mesh) = try Self.photographMesh()
    let grimace = Grimace(photograph, Self.places(mesh))
    // The lid that is painted over one eye alone is half closed for the mesh of 478 points, which has
    // seen no face like that.
    let winks: [Grimace.Change] = choice == .points468 ? [.leftEyeShut, .rightEyeShut] : []
    let changes = winks + [[.leftEyeShut, .rightEyeShut], [], .mouthOpen]
    let (told, events) = try told(
      changes.map { grimace.picture($0, mirrored: mirrored) },
      neutral: grimace.picture([], mirrored: mirrored), FaceFinder.loaded(), mesh: choice)
    for (change, expression) in zip([[]] + changes + [[]], told) {
      // In the mirror image the photograph's left eye is at the right.
      let shut = (left: change.contains(.leftEyeShut), right: change.contains(.rightEyeShut))
      let (left, right) = mirrored ? (shut.right, shut.left) : (shut.left, shut.right)
      #expect(left ? expression.leftEyeOpen < 0.3 : expression.leftEyeOpen > 0.7, "\(expression)")
      #expect(
        right ? expression.rightEyeOpen < 0.3 : expression.rightEyeOpen > 0.7, "\(expression)")
      #expect((expression.mouthOpen >= 0.5) == change.contains(.mouthOpen))
      // The opened mouth is as high as wide: that is an "O".
      #expect((expression.smile > 0.55) == !change.contains(.mouthOpen))
    }
    #expect(
      events == [
        .found, .smileStarted, .blink, .mouthOpened, .smileFinished, .mouthClosed, .smileStarted,
      ])
  }

  @Test func withoutTheEyeModelEyesAreMeasuredOnTheMesh() throws {
    let (photograph, mesh) = try Self.photographMesh()
    let both = Grimace(photograph, Self.places(mesh)).picture([.leftEyeShut, .rightEyeShut])
    var settings = FaceFinder.Settings()
    settings.mesh = .points468
    let finder = FaceFinder()
    for network in FaceFinder.networks(for: settings) where network != .eyeOpenness {
      try finder.install(
        network, from: FilePath(Photograph.models + "/" + network.fileName))
    }
    var open: [Double] = []
    for (number, picture) in [photograph, both].enumerated() {
      for frame in 0..<8 {
        let face = try #require(
          try finder.found(in: picture, frame: number * 8 + frame, settings: settings).first)
        let expression = try #require(face.expression)
        if frame == 7 { open += [expression.leftEyeOpen, expression.rightEyeOpen] }
      }
    }
    #expect(open[2] < open[0] - 0.1 && open[3] < open[1] - 0.1)
  }

  @Test func disabledMeasuresAreAbsentAndNeedFewerNetworks() throws {
    var settings = FaceFinder.Settings()
    #expect(
      FaceFinder.networks(for: settings)
        == [.yuNet, .shortRange, .mesh, .meshWithIrises, .eyeOpenness])
    settings.expressions = false
    #expect(FaceFinder.networks(for: settings) == [.yuNet, .shortRange, .mesh])
    settings.landmarks = false
    // The mesh network verifies new faces, if it is there.
    #expect(FaceFinder.networks(for: settings) == [.yuNet, .shortRange, .mesh])
    #expect(!FaceFinder.isRequired(.mesh, for: settings))
    let photograph = try Photograph.load(.rgb)
    let finder = try FaceFinder.loaded()
    for (landmarks, expressions) in [(true, false), (false, true), (false, false)] {
      settings.landmarks = landmarks
      settings.expressions = expressions
      finder.dropUnused(settings)
      for network in FaceFinder.networks(for: settings) where !finder.has(network) {
        try finder.install(
          network, from: FilePath(Photograph.models + "/" + network.fileName))
      }
      #expect(finder.has(.eyeOpenness) == expressions)
      let face = try #require(
        try finder.found(in: photograph, time: nil, settings: settings).first)
      #expect(face.landmarks.isEmpty == !landmarks)
      #expect((face.expression != nil) == expressions)
      #expect((face.pose != nil) == expressions)
      #expect(face.keypoints.count == 6)
    }
  }

  /// The events of a face whose eyes and mouth are as given, at 30 pictures a second.
  private func events(_ eyes: [Double], mouth: [Double] = [], yaw: Double = 0) -> [FaceEvent.Kind] {
    var detector = ExpressionEventDetector()
    return (0..<max(eyes.count, mouth.count)).flatMap { frame in
      let eye = frame < eyes.count ? eyes[frame] : 1
      return detector.update(
        Expression(
          leftEyeOpen: yaw == 0 ? eye : 1, rightEyeOpen: eye,
          mouthOpen: frame < mouth.count ? mouth[frame] : 0, smile: 0),
        yaw: yaw, time: 5 + Double(frame) / 30)
    }
  }

  @Test func aBlinkIsAShortClosureOfBothEyes() {
    #expect(events([1, 1, 0.1, 0.1, 1, 1]) == [.blink])
    #expect(events([1, 0.5, 0.2, 0.5, 0.9, 1]) == [.blink])
    #expect(events([1, 0.5, 0.35, 0.5, 1]) == [])
    #expect(events([1] + Array(repeating: 0, count: 14) + [1, 1]) == [])
    // A trembling lid is one blink.
    #expect(events([1, 0.2, 0.4, 0.2, 0.4, 0.8, 0.6, 0.9]) == [.blink])
    // The far eye of a turned head is ignored.
    #expect(events([1, 0.1, 0.1, 1], yaw: -40) == [.blink])
    #expect(events([1, 0.1, 0.1, 1], yaw: 40) == [])
  }

  @Test func aHalfOpenMouthCausesNoSeriesOfEvents() {
    #expect(
      events([], mouth: [0.1, 0.49, 0.51, 0.45, 0.51, 0.4, 0.5, 0.3, 0.49, 0.2])
        == [.mouthOpened, .mouthClosed])
  }

  static func eyeModel() throws -> EyeOpennessModel {
    try EyeOpennessModel(Graph(path: FilePath(Photograph.models + "/" + EyeOpennessModel.fileName)))
  }
}

extension EyeOpennessModel {
  func measured(
    _ picture: OwnedPicture, _ mesh: Mesh, isLeft: Bool
  ) throws -> Double? {
    try picture.withPicture { (p: borrowing Picture) throws(ModelError) in
      try aspects(
        p, orientation: .up, eyes: [Eye(mesh: mesh, isLeft: isLeft)], unless: CancellationFlag())[0]
    }
  }
}
