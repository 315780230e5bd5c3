import CGStreamer
import Support
import Testing

/// Stickers that wait for blendshapes in the metadata.
@Suite(.timeLimit(.minutes(20))) struct StickerBlendshapeTests {
  /// Frames of black with a face whose jawOpen has this score, and the warnings.
  private func run(_ score: Float?, frames: Int) throws -> (painted: Int, warnings: [String]) {
    precondition(Registered.now)
    let folder = StickerFolder()
    try folder.pack(
      "\"type\": 0, \"anchor\": \"face\", \"scaleWidth\": 2, \"trigger\": \"jawOpen > 0.4\"")
    let pipeline = try Pipeline(
      "videotestsrc pattern=black num-buffers=\(frames) ! video/x-raw,format=RGB,width=64,height=48"
        + " ! identity name=d ! sticker location=\(folder.path) ! fakesink name=sink")
    var face = AttachedFace(
      x: 0.3, y: 0.3, width: 0.4, height: 0.4,
      keypoints: [0.4, 0.4, 0.6, 0.4, 0.5, 0.5, 0.5, 0.6, 0.3, 0.4, 0.7, 0.4])
    if let score {
      var scores = [Float](repeating: 0, count: 52)
      scores[25] = score
      face.floats = [("blendshapes", scores)]
    }
    let attached = face
    try pipeline.watch("d", pad: "src") {
      AttachedFace.attach([attached], measuredOn: (64, 48), to: $0)
    }
    let shown = try pipeline.collect { CapturedFrame($0).bytes.contains { $0 > 40 } }
    return (shown.count { $0 }, pipeline.warnings)
  }

  @Test func aScoreAboveTheThresholdShowsTheSticker() throws {
    let (open, warnings) = try run(0.5, frames: 3)
    #expect(open == 3 && warnings.isEmpty)
    #expect(try run(0.3, frames: 3).painted == 0)
  }

  @Test func facesWithoutBlendshapesAreOneWarning() throws {
    for frames in [2, 80] {
      let (painted, warnings) = try run(nil, frames: frames)
      #expect(painted == 0 && warnings.count == 1)
      #expect(warnings.first?.contains("waits for jawOpen") == true, "\(warnings)")
      #expect(warnings.first?.contains("blendshapes=true of facedetect") == true)
    }
  }
}
