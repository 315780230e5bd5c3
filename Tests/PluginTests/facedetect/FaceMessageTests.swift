import CGStreamer
import Faces
import Pixels
import Support
import Testing

#if canImport(Glibc)
  import Glibc
#endif

@Suite(.timeLimit(.minutes(20))) struct FaceMessageTests {
  private static let blank = "videotestsrc num-buffers=3 ! video/x-raw,width=320,height=240"
  private static let face = Registered.photograph(width: 320, height: 320, count: 3)

  private func messages(_ source: String, _ updates: String) throws -> [String] {
    #expect(Registered.now)
    let pipeline = try Pipeline("\(source) ! facedetect updates=\(updates) ! fakesink")
    try pipeline.run()
    return pipeline.messages.filter { $0.hasPrefix("facedetect,") }
  }

  @Test func everyFrameHasAMessageInTheLayoutOfTheOpenCVElement() throws {
    let found = try messages(Self.face, "every_frame")
    #expect(found.count == 3)
    let text = try #require(found.first)
    #expect(text.hasPrefix("facedetect, timestamp=(guint64)0, stream-time=(guint64)0"))
    for field in ["running-time=(guint64)", "duration=(guint64)", "faces=(structure)"] {
      #expect(text.contains(field))
    }
    for field in ["x", "y", "width", "height"] { #expect(text.contains("\(field)\\=\\(uint\\)")) }
  }

  @Test func updatesDecideWhichFramesHaveAMessage() throws {
    #expect(try messages(Self.blank, "every_frame").count == 3)
    #expect(try messages(Self.blank, "on_face").isEmpty)
    #expect(try messages(Self.blank, "on_change").isEmpty)
    #expect(try messages(Self.face, "on_face").count == 3)
    #expect(try messages(Self.face, "on_change").count == 1)
    #expect(try messages(Self.face, "none").isEmpty)
  }

  @Test func whatHappensToAFaceIsToldOnceWithItsNumberAndTimes() throws {
    #expect(Registered.now)
    let pipeline = try Pipeline("\(Self.face) ! facedetect updates=on_face ! fakesink")
    try pipeline.run()
    let events = pipeline.messages.filter { $0.hasPrefix("face-event,") }
    #expect(events.count == 2)
    for (event, text) in zip(["found", "smile-started"], events) {
      #expect(text.contains("event=(string)\(event), id=(uint)1, timestamp=(guint64)0"))
      for field in ["stream-time=(guint64)", "running-time=(guint64)", "duration=(guint64)"] {
        #expect(text.contains(field))
      }
    }
  }

  @Test func theLargestFaceComesLast() throws {
    #expect(Registered.now)
    // The photograph beside itself at four fifths of the size.
    let pipeline = try Pipeline(
      "compositor name=mix sink_0::xpos=0 sink_1::xpos=512 sink_1::width=400 sink_1::height=400"
        + " ! video/x-raw,format=AYUV,width=912,height=512 ! videoconvert ! facedetect ! fakesink"
        + " filesrc location=\(Photograph.path) ! pngdec ! tee name=t ! queue ! videoconvert ! mix."
        + " t. ! queue ! videoconvert ! mix.")
    try pipeline.run()
    let text = try #require(pipeline.messages.first { $0.hasPrefix("facedetect,") })
    let widths = text.components(between: "width\\=\\(uint\\)", and: "\\,").compactMap { Int($0) }
    #expect(widths.count == 2)
    #expect(widths == widths.sorted())
  }

  @Test func faceoverlayDrawsOnTheFaceOurElementFinds() throws {
    #expect(Registered.now)
    let svg = String(cString: g_get_tmp_dir()) + "/mien-overlay-\(getpid()).svg"
    let drawing =
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"64\" height=\"64\">"
      + "<rect width=\"64\" height=\"64\" fill=\"#ff00ff\"/></svg>"
    g_file_set_contents(svg, drawing, -1, nil)
    defer { unlink(svg) }
    let frames = try Registered.frames(
      "filesrc location=\(Photograph.path) ! pngdec ! videoconvert"
        + " ! faceoverlay location=\(svg) x=0 y=0 w=1 h=1 ! videoconvert"
        + " ! video/x-raw,format=RGB ! fakesink name=sink")
    let frame = try #require(frames.first)
    var (left, right, top, bottom) = (512, 0, 512, 0)
    for (y, x) in product(0..<512, 0..<512) {
      let p = (y * 512 + x) * 3
      guard frame.bytes[p] > 240, frame.bytes[p + 1] < 16, frame.bytes[p + 2] > 240 else {
        continue
      }
      (left, right, top, bottom) = (min(left, x), max(right, x), min(top, y), max(bottom, y))
    }
    let drawn = Rectangle(
      x: Double(left) / 512, y: Double(top) / 512, width: Double(right - left) / 512,
      height: Double(bottom - top) / 512)
    #expect(drawn.iou(KnownFace.box) > 0.8)
  }
}

extension String {
  /// The texts that stand between `start` and the next `end`.
  func components(between start: String, and end: String) -> [String] {
    var found: [String] = []
    var rest = Substring(self)
    while let range = rest.firstRange(of: start) {
      rest = rest[range.upperBound...]
      guard let stop = rest.firstRange(of: end) else { break }
      found.append(String(rest[..<stop.lowerBound]))
    }
    return found
  }
}
