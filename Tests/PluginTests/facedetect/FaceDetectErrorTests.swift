import CGStreamer
import Support
import Testing

#if canImport(Glibc)
  import Glibc
#endif

@Suite(.timeLimit(.minutes(20))) struct FaceDetectErrorTests {
  /// Runs the element on models in `folder`; returns the error.
  private func failure(_ folder: String, accuracy: String = "high") -> Pipeline.Failure? {
    #expect(Registered.now)
    return Pipeline.failure(
      of: "videotestsrc num-buffers=1 ! video/x-raw,width=64,height=64"
        + " ! facedetect accuracy=\(accuracy) model-dir=\(folder) ! fakesink")
  }

  /// A folder whose detector has the given bytes.
  private func withModel(_ bytes: [UInt8], _ body: (String) throws -> Void) throws {
    let folder = ScratchFolder()
    folder.write("face_detection_yunet_2023mar.onnx", bytes)
    try body(folder.path)
  }

  private func model() throws -> [UInt8] {
    let bytes = ScratchFolder.bytes(Photograph.models + "/face_detection_yunet_2023mar.onnx")
    return try #require(bytes.isEmpty ? nil : bytes)
  }

  @Test func aMissingModelIsAnErrorThatNamesTheFileThePlacesAndTheCure() throws {
    let error = try #require(failure("/nonexistent"))
    #expect(error.description.contains("face_detection_yunet_2023mar.onnx was not found"))
    #expect(error.description.contains("make setup"))
    #expect(error.detail.contains("/nonexistent/face_detection_yunet_2023mar.onnx"))
  }

  @Test func truncatedModelsAreRefusedByName() throws {
    let whole = try model()
    for count in [0, 1, 7, 100, 5000, whole.count / 2, whole.count * 9 / 10] {
      try withModel(Array(whole.prefix(count))) { folder in
        let error = try #require(failure(folder))
        #expect(error.description.contains(folder))
        #expect(error.description.contains("cannot be used: "))
      }
    }
  }

  @Test func aModelOfSomethingElseIsRefused() throws {
    let bytes = ScratchFolder.bytes(Photograph.models + "/iris_landmark.tflite")
    #expect(!bytes.isEmpty)
    try withModel(bytes) { folder in
      let error = try #require(failure(folder))
      #expect(error.description.contains("cannot be used"))
    }
  }

  @Test func aFolderInPlaceOfTheModelIsRefused() throws {
    let folder = ScratchFolder()
    let path = folder.path + "/face_detection_yunet_2023mar.onnx"
    #expect(mkdir(path, 0o755) == 0)
    let error = try #require(failure(folder.path))
    #expect(error.description.contains(path))
  }

  @Test func theElementWorksAgainAfterARefusedModel() throws {
    #expect(Registered.now)
    let pipeline = try Pipeline(
      "videotestsrc num-buffers=2 ! video/x-raw,width=64,height=64"
        + " ! facedetect name=f model-dir=/nonexistent ! fakesink")
    #expect(throws: Pipeline.Failure.self) { try pipeline.run() }
    pipeline.set("f", "model-dir", Photograph.models)
    try pipeline.run()
  }

  @Test func modelsWithFlippedBytesLoadOrAreRefusedWithAReason() throws {
    let whole = try model()
    var random = SplitMix(11)
    for _ in 0..<40 {
      var bytes = whole
      for _ in 0..<50 { bytes[random.below(bytes.count)] ^= UInt8(1 << random.below(8)) }
      try withModel(bytes) { folder in
        if let error = failure(folder) { #expect(error.description.count > 20) }
      }
    }
  }
}
