import CGStreamer
import Pixels
import Support
import Testing

/// Hands in the metadata, the messages and the picture of `facedetect`.
@Suite(.timeLimit(.minutes(20))) struct HandMetadataTests {
  private static let side = 512
  private static let open = DrawnHand(.open, wrist: Point(x: 256, y: 400), size: 230)

  /// Runs frames of a drawn hand; what `read` makes of each that arrives, and the pipeline.
  private func run<T>(
    _ rest: String, format: String = "RGB", frames: Int = 3, hands: [DrawnHand] = [open],
    _ read: @escaping (UnsafeMutablePointer<GstBuffer>) -> T
  ) throws -> (values: [T], pipeline: Pipeline) {
    precondition(Registered.now)
    let bytes = DrawnHand.picture(hands, width: Self.side, height: Self.side).tightBytes
    let pipeline = try Pipeline(
      "videotestsrc num-buffers=\(frames) ! video/x-raw,format=RGB,width=\(Self.side)"
        + ",height=\(Self.side),framerate=30/1 ! identity name=d ! videoconvert"
        + " ! video/x-raw,format=\(format) ! \(rest) ! fakesink name=sink")
    try pipeline.watch("d", pad: "src") { buffer in
      _ = bytes.withUnsafeBytes { gst_buffer_fill(buffer, 0, $0.baseAddress, gsize(bytes.count)) }
    }
    var values: [T] = []
    try pipeline.watch("sink") { values.append(read($0)) }
    try pipeline.run()
    return (values, pipeline)
  }

  @Test func handsAreReportedWhereTheyAreWanted() throws {
    let (texts, pipeline) = try run("facedetect hands=always") { handsText(of: $0) }
    #expect(texts.count == 3)
    for text in texts {
      let text = try #require(text)
      #expect(text.hasPrefix("MienHands, width=(uint)512, height=(uint)512"))
      for field in [
        "id\\=\\(uint\\)1", "side\\=\\(string\\)left", "gesture\\=\\(string\\)Open_Palm",
        "gesture-confidence\\=\\(double\\)0", "landmarks\\=\\(GBytes\\)",
      ] { #expect(text.contains(field), "\(text.prefix(600))") }
    }
    let message = try #require(pipeline.messages.first { $0.hasPrefix("facedetect,") })
    #expect(message.contains("hands=(structure)") && message.contains("Open_Palm"))
    #expect(pipeline.warnings.isEmpty)
  }

  @Test(arguments: ["hands=none", "hands=none max-hands=4", "hands=none async=true"])
  func withoutThemThereIsNoTrace(of properties: String) throws {
    let (texts, pipeline) = try run("facedetect \(properties)") { handsText(of: $0) }
    #expect(texts.allSatisfy { $0 == nil })
    #expect(!pipeline.messages.contains { $0.contains("hands=") })
  }

  @Test func aFrameWithoutHandsSaysSo() throws {
    let (texts, _) = try run("facedetect hands=always", hands: []) { handsText(of: $0) }
    #expect(texts.allSatisfy { $0?.contains("<  >") == true }, "\(texts)")
  }

  @Test func asyncAndIndependentFramesHaveHandsToo() throws {
    let (later, _) = try run("facedetect hands=always async=true ! identity sync=true", frames: 40)
    {
      handsText(of: $0)?.contains("Open_Palm") == true
    }
    #expect(later.last == true)
    let (each, _) = try run("facedetect hands=always tracking=false") { handsText(of: $0) ?? "" }
    #expect(each.allSatisfy { $0.contains("Open_Palm") })
    #expect(Set(each).count == 3, "each frame has ids of its own")
  }

  @Test(arguments: ["RGB", "I420", "NV12", "GRAY8", "BGRx", "P010_10LE", "v210"])
  func everyFormatHasThem(format: String) throws {
    let (texts, _) = try run("facedetect hands=always display=true", format: format, frames: 2) {
      handsText(of: $0) ?? ""
    }
    #expect(texts.allSatisfy { $0.contains("side\\=\\(string\\)left") }, "\(texts)")
  }

  @Test func displayDrawsTheHand() throws {
    let (plain, _) = try run("facedetect hands=always", frames: 1) { CapturedFrame($0).bytes }
    let (shown, _) = try run("facedetect hands=always display=true", frames: 1) {
      CapturedFrame($0).bytes
    }
    let changed = zip(plain[0], shown[0]).count { $0 != $1 } / 3
    #expect((1500...15_000).contains(changed), "\(changed)")
  }

  @Test func scalingKeepsThemAndASecondDetectorReplacesThem() throws {
    let (texts, _) = try run(
      "facedetect hands=always ! videoscale ! video/x-raw,width=200,height=200"
    ) { handsText(of: $0) ?? "" }
    #expect(texts.allSatisfy { $0.contains("Open_Palm") })
    let (again, _) = try run("facedetect hands=always ! facedetect hands=none") {
      handsText(of: $0)
    }
    #expect(again.allSatisfy { $0 == nil })
  }

  @Test(.enabled(if: GStreamerHabits.metadataMovesWithPixels, "GStreamer before 1.28 drops it"))
  func aMirrorSwapsLeftAndRightAndACropRemovesWhatIsOutside() throws {
    let (mirrored, _) = try run("facedetect hands=always ! videoflip method=horizontal-flip") {
      handsText(of: $0) ?? ""
    }
    #expect(mirrored.allSatisfy { $0.contains("side\\=\\(string\\)right") })
    let (cropped, _) = try run("facedetect hands=always ! videocrop top=450") { handsText(of: $0) }
    #expect(cropped.allSatisfy { $0?.contains("Open_Palm") == false })
  }

  @Test func aMissingNetworkIsAnErrorThatNamesIt() throws {
    precondition(Registered.now)
    let folder = ScratchFolder()
    for name in [
      "face_detection_short_range.tflite", "palm_detection_lite.tflite",
      "hand_landmark_lite.tflite", "hand_landmarks_detector.tflite",
      "canned_gesture_classifier.tflite",
    ] { folder.write(name, ScratchFolder.bytes(Photograph.models + "/" + name)) }
    func run(_ hands: String) throws {
      try Pipeline(
        "videotestsrc num-buffers=1 ! facedetect accuracy=low landmarks=false expressions=false"
          + " hands=\(hands) model-dir=\(folder.path) ! fakesink"
      ).run()
    }
    let error = #expect(throws: Pipeline.Failure.self) { try run("always") }
    #expect(error?.description.contains("gesture_embedder.tflite was not found") == true)
    try run("none")
    folder.write("gesture_embedder.tflite", [1, 2, 3])
    let invalid = #expect(throws: Pipeline.Failure.self) { try run("always") }
    #expect(invalid?.description.contains("gesture_embedder.tflite") == true)
  }
}
