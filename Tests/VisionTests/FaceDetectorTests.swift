import Faces
import Files
import Inference
import Pixels
import Support
import Testing
import Vision

/// Results of the genuine mediapipe 0.10.14 on the photograph and on crops of it.
@Suite(.timeLimit(.minutes(20))) struct FaceDetectorTests {
  struct Reference: Sendable, CustomTestStringConvertible {
    let crop: (left: Int, top: Int, right: Int, bottom: Int)
    let score: Double
    let box: [Double]
    /// x, y of as many keypoints as are known.
    let keypoints: [Double]
    var testDescription: String { "\(crop)" }
  }

  static let whole = Reference(
    crop: (0, 0, 512, 512), score: 0.9217387,
    box: [177.565, 82.871, 95.344, 95.344],
    keypoints: [
      201.495, 104.898, 245.846, 109.097, 220.429, 127.262, 219.820, 148.613, 178.189, 115.719,
      272.195, 123.866,
    ])

  static let references = [
    whole,
    Reference(
      crop: (60, 20, 460, 320), score: 0.955534,
      box: [114.917, 54.022, 105.059, 105.059], keypoints: [142.040, 80.601, 186.637, 83.335]),
    Reference(
      crop: (100, 0, 360, 400), score: 0.945363,
      box: [76.437, 77.671, 102.240, 102.240], keypoints: [104.820, 104.951, 147.918, 109.007]),
    Reference(
      crop: (190, 60, 512, 400), score: 0.920215,
      box: [-17.927, 12.333, 105.352, 105.346], keypoints: [13.879, 41.271, 58.040, 44.993]),
  ]

  static func detector() throws -> FaceDetector {
    try FaceDetector(Graph(path: FilePath(Photograph.models + "/" + FaceDetector.fileName)))
  }

  @Test(arguments: references)
  func facesMatchTheReference(reference: Reference) throws {
    let picture = try Photograph.load(.rgb, crop: reference.crop)
    let faces = try Self.detector().detected(in: picture)
    #expect(faces.count == 1)
    let face = try #require(faces.first)
    #expect(abs(face.score - reference.score) < 1e-4)
    for (found, expected) in zip(face.numbers(of: picture), reference.box + reference.keypoints) {
      #expect(abs(found - expected) < 0.05)
    }
  }

  @Test(arguments: [PixelFormat.i420, .nv12])
  func subsampledChromaMovesAFaceLessThanAPixel(format: PixelFormat) throws {
    let reference = Self.whole
    let picture = try Photograph.load(format)
    let face = try #require(try Self.detector().detected(in: picture).first)
    for (found, expected) in zip(face.numbers(of: picture), reference.box + reference.keypoints) {
      #expect(abs(found - expected) < 1)
    }
  }

  @Test func mergingGathersTheEightCandidatesOfTheReferenceIntoOneFace() throws {
    let picture = try Photograph.load(.rgb)
    let faces = try Self.detector().detected(in: picture, options: .init(minScore: 0.01))
    let face = try #require(faces.first)
    #expect(abs(face.score - Self.whole.score) < 1e-4)
    #expect(face.box.iou(Rectangle(x: 0.3468, y: 0.1619, width: 0.1862, height: 0.1862)) > 0.9)
  }

  @Test func optionsFilterWeakSmallAndSurplusFaces() throws {
    let picture = try Photograph.load(.rgb)
    let detector = try Self.detector()
    #expect(try detector.detected(in: picture, options: .init(minScore: 0.95)).isEmpty)
    #expect(try detector.detected(in: picture, options: .init(minSize: 0.25)).isEmpty)
    #expect(try detector.detected(in: picture, options: .init(minSize: 0.18)).count == 1)
    #expect(try detector.detected(in: picture, options: .init(count: 0)).isEmpty)
  }

  @Test func aMinimumScoreOfZeroIsAccepted() throws {
    let picture = try Photograph.load(.rgb, width: 64, height: 64)
    let options = FaceDetector.Options(minScore: 0, count: 64)
    #expect(try Self.detector().detected(in: picture, options: options).count <= 64)
  }

  @Test func theDetectorRejectsAnotherNetwork() throws {
    let graph = try Graph(
      path: FilePath(Photograph.models + "/" + FaceMeshModel.Kind.points468.fileName))
    #expect(throws: ModelError.self) { _ = try FaceDetector(graph) }
  }
}

extension FaceDetector {
  func detected(
    in picture: OwnedPicture, orientation: Orientation = .up, options: Options = Options()
  ) throws -> [Detection] {
    try picture.withPicture { (p: borrowing Picture) throws(ModelError) in
      try detect(in: p, orientation: orientation, options: options)
    }
  }
}

extension Detection {
  /// Box and keypoints in pixels of `picture`.
  func numbers(of picture: OwnedPicture) -> [Double] {
    let (w, h) = (Double(picture.width), Double(picture.height))
    return [box.x * w, box.y * h, box.width * w, box.height * h]
      + keypoints.flatMap { [$0.x * w, $0.y * h] }
  }
}
