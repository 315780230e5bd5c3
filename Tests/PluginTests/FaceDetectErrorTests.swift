import CGStreamer
import Support
import Testing

#if canImport(Glibc)
  import Glibc
#endif

@Suite struct FaceDetectErrorTests {
  /// Runs the element on models in `folder`; returns the error.
  private func failure(_ folder: String, accuracy: String = "high") -> Pipeline.Failure? {
    #expect(Registered.now)
    do {
      try Pipeline(
        "videotestsrc num-buffers=1 ! video/x-raw,width=64,height=64"
          + " ! facedetect accuracy=\(accuracy) model-dir=\(folder) ! fakesink"
      ).run()
      return nil
    } catch {
      return error as? Pipeline.Failure
    }
  }

  /// A folder whose full-range model has the given bytes.
  private func withModel(_ bytes: [UInt8], _ body: (String) throws -> Void) throws {
    let template = String(cString: g_get_tmp_dir()) + "/mien-models-XXXXXX"
    let folder = strdup(template)!
    defer { free(folder) }
    #expect(g_mkdtemp(folder) != nil)
    let path = String(cString: folder) + "/face_detection_full_range_sparse.tflite"
    bytes.withUnsafeBytes { data in
      _ = g_file_set_contents(
        path, data.bindMemory(to: gchar.self).baseAddress, gssize(data.count), nil)
    }
    defer {
      unlink(path)
      rmdir(folder)
    }
    try body(String(cString: folder))
  }

  private func model() throws -> [UInt8] {
    var data: UnsafeMutablePointer<gchar>?
    var size: gsize = 0
    let path = Photograph.models + "/face_detection_full_range_sparse.tflite"
    #expect(g_file_get_contents(path, &data, &size, nil) != 0)
    defer { g_free(data) }
    return data!.withMemoryRebound(to: UInt8.self, capacity: Int(size)) {
      Array(UnsafeBufferPointer(start: $0, count: Int(size)))
    }
  }

  @Test func aMissingModelIsAnErrorThatNamesTheFileThePlacesAndTheCure() throws {
    let error = try #require(failure("/nonexistent"))
    #expect(error.description.contains("face_detection_full_range_sparse.tflite was not found"))
    #expect(error.description.contains("make setup"))
    #expect(error.detail.contains("/nonexistent/face_detection_full_range_sparse.tflite"))
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
    var data: UnsafeMutablePointer<gchar>?
    var size: gsize = 0
    #expect(
      g_file_get_contents(Photograph.models + "/iris_landmark.tflite", &data, &size, nil) != 0)
    defer { g_free(data) }
    let bytes = data!.withMemoryRebound(to: UInt8.self, capacity: Int(size)) {
      Array(UnsafeBufferPointer(start: $0, count: Int(size)))
    }
    try withModel(bytes) { folder in
      let error = try #require(failure(folder))
      #expect(error.description.contains("cannot be used"))
    }
  }

  @Test func aFolderInPlaceOfTheModelIsRefused() throws {
    let folder = strdup(String(cString: g_get_tmp_dir()) + "/mien-models-XXXXXX")!
    defer { free(folder) }
    #expect(g_mkdtemp(folder) != nil)
    let path = String(cString: folder) + "/face_detection_full_range_sparse.tflite"
    mkdir(path, 0o755)
    defer {
      rmdir(path)
      rmdir(folder)
    }
    let error = try #require(failure(String(cString: folder)))
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
    var state: UInt64 = 11
    func random(_ bound: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % bound
    }
    for _ in 0..<40 {
      var bytes = whole
      for _ in 0..<50 { bytes[random(bytes.count)] ^= UInt8(1 << random(8)) }
      try withModel(bytes) { folder in
        if let error = failure(folder) { #expect(error.description.count > 20) }
      }
    }
  }
}
