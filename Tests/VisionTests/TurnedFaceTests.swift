import Faces
import Files
import Inference
import Pixels
import Support
import Testing

@testable import Vision

/// Faces that are turned so far that only BlazeFace's network sees them.
@Suite(.timeLimit(.minutes(20))) struct TurnedFaceTests {
  @Test(arguments: FaceFinder.Accuracy.allCases)
  func aTurnedFaceThatYuNetDoesNotSeeIsFoundInAFilm(accuracy: FaceFinder.Accuracy) throws {
    let portraits = try PortraitVariants()
    // Their tentative tracks must not end between the searches for turned faces.
    for number in [7, 16] {
      let truth = portraits.draw(number, .roll(90))
      var settings = FaceFinder.Settings()
      settings.accuracy = accuracy
      let finder = try FaceFinder.loaded(settings)
      var boxes: [Rectangle] = []
      for frame in 0..<12 {
        boxes = try portraits.picture.withPicture { (picture: borrowing Picture) throws in
          try finder.process(
            picture, time: UInt64(frame) * 33_333_333, settings: settings
          ).map { $0.box.scaled(x: Double(picture.width), y: Double(picture.height)) }
        }
      }
      #expect(boxes.count == 1 && boxes.allSatisfy { $0.iou(truth.box) > 0.6 }, "\(number)")
    }
  }

  @Test func aTurnedCandidateIsSearchedForByTheNetworkForTurnedFaces() throws {
    let searcher = FaceSearcher()
    try searcher.install(
      ONNXModel(path: FilePath(Photograph.models + "/" + YuNet.fileName)), threads: nil)
    let box = Rectangle(x: 100, y: 100, width: 200, height: 200)
    #expect(searcher.search(for: box, .auto, isTurned: true) == .turned(upsideDown: true))
    #expect(searcher.covers([.turned(upsideDown: true)], box, isTurned: true))
    // Other searches say nothing about it.
    for search in [Search.turned(upsideDown: false), .near(box)] {
      #expect(!searcher.covers([search], box, isTurned: true))
    }
    var detection = Detection(
      score: 0.7, box: box, keypoints: [Point(x: 200, y: 150), Point(x: 200, y: 250)])
    #expect(FaceSearcher.isTurned(detection))
    detection.network = .yuNet
    #expect(!FaceSearcher.isTurned(detection))
  }
}
