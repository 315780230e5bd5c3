import Files
import Inference
import Pixels
import Support
import Testing

@testable import Vision

/// OpenCV's results on a crop of the photograph, and properties of the decoding.
@Suite(.timeLimit(.minutes(20))) struct YuNetTests {
  private static func detector(width: Int, height: Int) throws -> YuNet {
    let path = FilePath(Photograph.models + "/" + YuNet.fileName)
    return try YuNet(ONNXModel(path: path), width: width, height: height)
  }

  private func detect(
    _ picture: OwnedPicture, width: Int, height: Int
  ) throws -> [Detection] {
    let detector = try Self.detector(width: width, height: height)
    return try picture.withPicture { (picture: borrowing Picture) throws(ModelError) in
      try detector.detect(in: picture, minScore: 0.3)
    }
  }

  @Test func theFaceMatchesTheReference() throws {
    let picture = try Photograph.load(.rgb, crop: (left: 64, top: 0, right: 384, bottom: 320))
    let faces = try detect(picture, width: 320, height: 320)
    #expect(faces.count == 1)
    let face = try #require(faces.first)
    #expect(abs(face.score - 0.932192) < 1e-4)
    let (box, points) = (face.box, face.keypoints)
    let found =
      [box.x, box.y, box.width, box.height] + points.prefix(3).flatMap { [$0.x, $0.y] }
    let expected = [
      114.288, 62.978, 89.809, 113.193, 136.088, 101.81, 183.145, 102.625, 156.299, 124.528,
    ]
    for (found, expected) in zip(found, expected) { #expect(abs(found - expected) < 0.01) }
    // The reference has both corners of the mouth.
    #expect(abs(points[3].x - (134.57 + 175.635) / 2) < 0.01)
    #expect(abs(points[3].y - (142.768 + 143.575) / 2) < 0.01)
  }

  @Test(arguments: [
    (1920.0, 1080.0, 320, 320, 192), (1080, 1920, 320, 192, 320), (640, 480, 640, 640, 480),
    (4000, 100, 320, 320, 32), (512, 512, 896, 896, 896),
  ])
  func theInputHasTheAspectRatioOfThePicture(
    width: Double, height: Double, side: Int, expectedWidth: Int, expectedHeight: Int
  ) {
    let frame = Rectangle(x: 0, y: 0, width: width, height: height)
    let size = YuNet.inputSize(of: frame, longerSide: side)
    #expect(size == (expectedWidth, expectedHeight))
  }

  @Test(arguments: [(160, 160), (320, 192), (640, 640)])
  func theFaceIsWhereItIsAtEverySize(width: Int, height: Int) throws {
    let picture = try Photograph.load(.rgb)
    let face = try #require(detect(picture, width: width, height: height).first)
    #expect(face.box.iou(Rectangle(x: 178, y: 63, width: 90, height: 113)) > 0.75)
  }

  @Test func aNetworkOfAnotherShapeIsRefused() throws {
    let model = try ONNXModel(bytes: ONNXBytes.model([ONNXBytes.Node("Relu")], channels: 3))
    #expect(throws: ModelError.self) { _ = try YuNet(model, width: 320, height: 320) }
  }
}
