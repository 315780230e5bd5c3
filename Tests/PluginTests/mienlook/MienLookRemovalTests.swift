import CGStreamer
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
}
