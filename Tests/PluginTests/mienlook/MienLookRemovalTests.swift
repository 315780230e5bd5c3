import CGStreamer
import Client
import Pixels
import Support
import Synchronization
import Testing

/// Elements that `mienlook` exchanges leave the bin, and none of them is left running.
@Suite(.timeLimit(.minutes(20))) struct MienLookRemovalTests {
  private static func childCount(_ pipeline: Pipeline) throws -> Int {
    let look = try #require(pipeline.element("l"))
    defer { gst_object_unref(look) }
    return UnsafeMutableRawPointer(look).withMemoryRebound(to: GstBin.self, capacity: 1) {
      Int($0.pointee.numchildren)
    }
  }

  @Test func elementsReplacedBeforeTheNextFrameLeaveTheBin() throws {
    #expect(Registered.now)
    let pipeline = try Pipeline(
      "\(Registered.photograph(.i420, width: 160, height: 120, count: 9))"
        + " ! mienlook name=l ! fakesink name=sink")
    try pipeline.watch("sink") { _ in }
    pipeline.setState(GST_STATE_PAUSED)
    #expect(
      gst_element_get_state(pipeline.raw, nil, nil, 20_000_000_000) == GST_STATE_CHANGE_SUCCESS)
    let bare = try Self.childCount(pipeline)
    for _ in 0..<10 {
      for (look, sticker) in [("noir", ""), ("none", "halo"), ("none", "")] {
        pipeline.set("l", "look", look)
        pipeline.set("l", "sticker", sticker)
      }
    }
    #expect(try Self.childCount(pipeline) <= bare + 3)
    pipeline.setState(GST_STATE_PLAYING)
    try pipeline.wait()
    #expect(try Self.childCount(pipeline) == bare)
    pipeline.setState(GST_STATE_NULL)
  }

  /// GStreamer aborts this program where an element is disposed of while it runs.
  @Test func statesThatChangeOnAnotherThreadStartNoRemovedElement() throws {
    #expect(Registered.now)
    let pipeline = try Pipeline(
      "videotestsrc ! video/x-raw,width=64,height=48 ! mienlook name=l ! fakesink name=sink")
    try pipeline.watch("sink") { _ in }
    pipeline.setState(GST_STATE_PLAYING)
    defer { pipeline.setState(GST_STATE_NULL) }
    let address = UInt(bitPattern: pipeline.raw)
    let isOver = Atomic(false)
    let thread = BackgroundThread {
      let raw = UnsafeMutablePointer<GstElement>(bitPattern: address)!
      while !isOver.load(ordering: .relaxed) {
        gst_element_set_state(raw, GST_STATE_PAUSED)
        gst_element_set_state(raw, GST_STATE_PLAYING)
      }
    }
    for round in 0..<400 {
      pipeline.set("l", "person", round % 2 == 0 ? "blur" : "")
      pipeline.set("l", "look", round % 3 == 0 ? "noir" : "none")
      g_usleep(1_000)
    }
    isOver.store(true, ordering: .relaxed)
    thread.join()
  }

  /// Each new element gets the start of the stream before the change that follows, which it causes itself.
  @Test func effectsMayChangeBetweenTheEventsThatANewElementGets() throws {
    #expect(Registered.now)
    let pipeline = try Pipeline(
      "videotestsrc num-buffers=12 ! video/x-raw,width=64,height=48 ! mienlook name=l ! fakesink name=sink"
    )
    let changes = Changes(pipeline)
    let look = try #require(pipeline.element("l"))
    defer { gst_object_unref(look) }
    let added:
      @convention(c) (
        UnsafeMutablePointer<GstBin>, UnsafeMutablePointer<GstElement>, UnsafeMutableRawPointer
      ) -> Void = { _, element, user in
        let changes = Unmanaged<Changes>.fromOpaque(user).takeUnretainedValue()
        Element(element).pad("sink")?.addProbe(GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM) { _, info in
          if let event = info.event, cgst_event_type(event) == GST_EVENT_STREAM_START {
            changes.nextOfFrame()
          }
          return GST_PAD_PROBE_OK
        }
      }
    g_signal_connect_data(
      look, "element-added", unsafeBitCast(added, to: GCallback.self),
      Unmanaged.passUnretained(changes).toOpaque(), nil, GConnectFlags(rawValue: 0))
    let frames = Atomic(0)
    try pipeline.watch("sink") { _ in
      frames.add(1, ordering: .relaxed)
      changes.next()
    }
    try pipeline.run()
    #expect(frames.load(ordering: .relaxed) == 12)
    #expect(changes.count > 20)
  }

  /// Changes of the effects, each with another first element.
  ///
  /// On the streaming thread alone.
  private final class Changes: @unchecked Sendable {
    private let pipeline: Pipeline
    private(set) var count = 0
    private var countAtFrame = 0

    init(_ pipeline: Pipeline) { self.pipeline = pipeline }

    /// The next change, if there were few since the last frame.
    func nextOfFrame() {
      if count < countAtFrame + 4 { change() }
    }

    func next() {
      countAtFrame = count
      change()
    }

    private func change() {
      count += 1
      pipeline.set("l", "look", count % 2 == 0 ? "none" : "noir")
      pipeline.set("l", "hide", count % 2 == 0 ? "mosaic" : "none")
    }
  }
}
