import CGStreamer
import Pixels
import Support
import Testing

/// Stickers on hands, and stickers that wait for gestures.
@Suite(.timeLimit(.minutes(20))) struct StickerHandTests {
  private static let (width, height) = (160, 120)

  /// Frames of black with these hands in the metadata of each frame; the painted pixels of each frame, and the
  /// warnings.
  private func run(
    _ item: String, frames: Int = 3, hands: @escaping @Sendable (Int) -> [AttachedHand]?
  ) throws -> (painted: [[Point]], warnings: [String]) {
    precondition(Registered.now)
    let folder = StickerFolder()
    try folder.pack(item)
    let pipeline = try Pipeline(
      "videotestsrc pattern=black num-buffers=\(frames) ! video/x-raw,format=RGB,width=\(Self.width)"
        + ",height=\(Self.height),framerate=10/1 ! identity name=d"
        + " ! sticker location=\(folder.path) ! fakesink name=sink")
    nonisolated(unsafe) var number = 0
    try pipeline.watch("d", pad: "src") { buffer in
      AttachedFace.attach([], measuredOn: (160, 120), to: buffer)
      if let hands = hands(number) { AttachedHand.attach(hands, to: buffer) }
      number += 1
    }
    let painted = try pipeline.collect { buffer in
      let bytes = CapturedFrame(buffer).bytes
      return (0..<Self.width * Self.height).filter { bytes[3 * $0] > 60 }.map {
        Point(x: Double($0 % Self.width) + 0.5, y: Double($0 / Self.width) + 0.5)
      }
    }
    return (painted, pipeline.warnings)
  }

  private static func hand(_ gesture: String?, x: Float = 0.5) -> AttachedHand {
    var hand = AttachedHand(
      wrist: (x, 0.8), size: 0.4, aspect: Float(width) / Float(height))
    hand.gesture = gesture
    return hand
  }

  private static func middle(_ points: [Point]) -> Point {
    points.reduce(.zero, +) * (1 / Double(max(points.count, 1)))
  }

  @Test func aStickerSitsInThePalmAndOnTheFingertip() throws {
    for (anchor, place) in [
      // The mean of the wrist and the four knuckles; the end of the index finger.
      ("palm", Point(x: 0.5, y: 0.8 - 0.4 * 0.5 * 0.8 * 4 / 3)),
      ("fingertip", Point(x: 0.5 - 0.4 * 0.2, y: 0.8 - 0.4 * 0.89 * 4 / 3)),
    ] {
      let (painted, warnings) = try run(
        "\"type\": 0, \"anchor\": \"\(anchor)\", \"scaleWidth\": 1"
      ) { _ in [Self.hand(nil)] }
      #expect(warnings.isEmpty)
      let middle = Self.middle(painted[2])
      let expected = Point(x: place.x * Double(Self.width), y: place.y * Double(Self.height))
      #expect((middle - expected).length < 2, "\(anchor): \(middle), \(expected)")
      // The palm is 32 pixels long; two thirds of that are a side.
      #expect(abs(Double(painted[2].count).squareRoot() - 21.3) < 2, "\(painted[2].count)")
    }
  }

  @Test func everyHandHasItsSticker() throws {
    let (painted, _) = try run("\"type\": 0, \"anchor\": \"palm\", \"scaleWidth\": 0.5") { _ in
      var other = Self.hand(nil, x: 0.8)
      other.id = 2
      return [Self.hand(nil, x: 0.2), other]
    }
    #expect(painted[1].contains { $0.x < 50 } && painted[1].contains { $0.x > 110 })
    #expect(!painted[1].contains { (60...100).contains($0.x) })
  }

  @Test func aGestureShowsItsItemOnThisHandOnFacesAndOnTheScreen() throws {
    let trigger = "\"trigger\": \"gesture: Thumb_Up\""
    for item in [
      "\"type\": 0, \"anchor\": \"palm\", \"scaleWidth\": 1, \(trigger)",
      "\"type\": 1, \"anchor\": \"top\", \"scaleWidth\": 0.2, \(trigger)",
    ] {
      let (painted, warnings) = try run(item, frames: 6) {
        [Self.hand($0 < 3 ? "None" : "Thumb_Up")]
      }
      #expect(warnings.isEmpty)
      #expect(painted.map(\.isEmpty) == [true, true, true, false, false, false], "\(item)")
      let (other, _) = try run(item) { _ in [Self.hand("Victory")] }
      #expect(other.allSatisfy { $0.isEmpty })
    }
  }

  @Test func anUnsureGestureShowsNothingAndOneThatFadesGoes() throws {
    let item =
      "\"type\": 0, \"anchor\": \"palm\", \"scaleWidth\": 1, \"trigger\": \"gesture: Victory\""
    let levels = [0.4, 0.6, 0.4, 0.3, 0.3]
    let (painted, _) = try run(item, frames: 5) {
      var hand = Self.hand("Victory")
      hand.gestureConfidence = levels[min($0, 4)]
      return [hand]
    }
    // The round that has begun plays to its end.
    #expect(painted.map(\.isEmpty) == [true, false, false, false, true])
  }

  @Test func theStickerOfALostHandFades() throws {
    let (painted, _) = try run("\"type\": 0, \"anchor\": \"palm\", \"scaleWidth\": 1", frames: 6) {
      $0 < 3 ? [Self.hand(nil)] : []
    }
    // At ten frames a second: 0.1 s later it is there, 0.2 s later gone.
    #expect(painted.map(\.isEmpty) == [false, false, false, false, true, true])
  }

  @Test func withoutASearchForHandsThereIsOneWarning() throws {
    for frames in [2, 80] {
      let (painted, warnings) = try run(
        "\"type\": 0, \"anchor\": \"palm\", \"scaleWidth\": 1", frames: frames
      ) { _ in nil }
      #expect(painted.allSatisfy { $0.isEmpty } && warnings.count == 1)
      #expect(warnings.first?.contains("waits for hands") == true, "\(warnings)")
      #expect(warnings.first?.contains("hands=auto of facedetect") == true)
    }
  }

  @Test func handsThatCannotBeReadAreLeftOut() throws {
    let item = "\"type\": 0, \"anchor\": \"palm\", \"scaleWidth\": 1"
    for landmarks in [
      nil, [], [Float](repeating: .nan, count: 63), [Float](repeating: .infinity, count: 63),
      [Float](repeating: 0.5, count: 63), [Float](repeating: 0.5, count: 62),
      [Float](repeating: 1e30, count: 63), [Float](repeating: 0.5, count: 1000),
    ] as [[Float]?] {
      let (painted, warnings) = try run(item) { _ in
        var hand = Self.hand("Thumb_Up")
        hand.landmarks = landmarks
        return [hand]
      }
      #expect(painted.allSatisfy { $0.isEmpty } && warnings.isEmpty)
    }
    let (many, _) = try run(item) { _ in (0..<200).map { _ in Self.hand(nil) } }
    #expect(many.allSatisfy { !$0.isEmpty })
  }

  @Test func thePackOfSparksHasTheDetectorSearchForHands() throws {
    precondition(Registered.now)
    let hand = DrawnHand(.open, wrist: Point(x: 256, y: 400), size: 230)
    let bytes = DrawnHand.picture([hand], width: 512, height: 512).tightBytes
    let pipeline = try Pipeline(
      "videotestsrc num-buffers=6 ! video/x-raw,format=RGB,width=512,height=512,framerate=10/1"
        + " ! identity name=d ! facedetect name=f ! sticker location=\(StickerScene.pack("sparks"))"
        + " ! fakesink name=sink")
    try pipeline.watch("d", pad: "src") { buffer in
      _ = bytes.withUnsafeBytes { gst_buffer_fill(buffer, 0, $0.baseAddress, gsize(bytes.count)) }
    }
    let changed = try pipeline.collect { buffer in
      zip(CapturedFrame(buffer).bytes, bytes).count { abs(Int($0) - Int($1)) > 8 } / 3
    }
    // The orb, from the first frame on.
    #expect(changed.allSatisfy { $0 > 3000 }, "\(changed)")
    #expect(pipeline.warnings.isEmpty)
  }
}
