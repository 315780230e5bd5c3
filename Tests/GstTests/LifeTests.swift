import CGStreamer
import Glibc
import Support
import Testing

/// The turns of an element's life: what is called, in which order, and what an error does.
@Suite(.timeLimit(.minutes(20))) struct LifeTests {
  private static let source =
    "videotestsrc num-buffers=2 ! video/x-raw,format=NV12,width=32,height=24"

  /// The calls an element told of, by the text of its messages.
  private static func calls(_ pipeline: Pipeline) -> [String] {
    pipeline.messages.compactMap { text in
      guard text.hasPrefix("made, call=(string)") else { return nil }
      return String(
        text.dropFirst(19).filter { !"\";\\".contains($0) }.map { $0 == "_" ? " " : $0 })
    }
  }

  @Test(arguments: ["madeanalyzer", "madefilter"])
  func itStartsLearnsTheFormatAndStops(element: String) throws {
    let pipeline = try Made.pipeline(
      Self.source + " ! \(element) n-threads=3 ! fakesink name=sink")
    try pipeline.run()
    let calls = Self.calls(pipeline)
    #expect(calls.first == "start 3")
    #expect(calls.contains("configure NV12 32x24"))
    let begins = try #require(calls.firstIndex(of: "orientation up"))
    let configured = try #require(calls.firstIndex(of: "configure NV12 32x24"))
    #expect(begins < configured)
  }

  @Test(arguments: ["madeanalyzer", "madefilter"], [Failing.start, .configure, .process])
  func anErrorEndsTheStreamAndSaysWhereAndWhy(element: String, failing: Failing) throws {
    let pipeline = try Made.pipeline(
      Self.source + " ! \(element) name=e failing=\(failing.rawValue) ! fakesink")
    let failure = #expect(throws: Pipeline.Failure.self) { try pipeline.run(seconds: 10) }
    #expect(failure?.description == "Failed in \(failing.rawValue).")
    if failing != .configure { #expect(failure?.detail.contains("as it was told to") == true) }
    // What failed once may be asked again.
    pipeline.set("e", "failing", "nowhere")
    try pipeline.run()
  }

  @Test(arguments: ["madefilter", "madederiver"], [Failing.prepare, .process])
  func anErrorWhilePlanningEndsTheStreamToo(element: String, failing: Failing) throws {
    let pipeline = try Made.pipeline(
      "videotestsrc num-buffers=2 ! video/x-raw,format=I420,width=32,height=24"
        + " ! \(element) failing=\(failing.rawValue) ! fakesink")
    let failure = #expect(throws: Pipeline.Failure.self) { try pipeline.run(seconds: 10) }
    #expect(failure?.description == "Failed in \(failing.rawValue).")
  }

  @Test func aStartThatFailsFailsTheStateChange() throws {
    let pipeline = try Made.pipeline(Self.source + " ! madefilter failing=start ! fakesink")
    #expect(pipeline.setState(GST_STATE_PAUSED) == GST_STATE_CHANGE_FAILURE)
    pipeline.setState(GST_STATE_NULL)
  }

  @Test func aFlushInterruptsAndThenResets() throws {
    let pipeline = try Made.pipeline(
      "videotestsrc num-buffers=400 ! video/x-raw,width=32,height=24 ! madefilter ! fakesink")
    pipeline.setState(GST_STATE_PAUSED)
    gst_element_get_state(pipeline.raw, nil, nil, GST_SECOND_10)
    gst_element_seek_simple(pipeline.raw, GST_FORMAT_TIME, GST_SEEK_FLAG_FLUSH, 1_000_000_000)
    gst_element_get_state(pipeline.raw, nil, nil, GST_SECOND_10)
    try pipeline.run()
    let calls = Self.calls(pipeline)
    let interrupted = try #require(calls.firstIndex(of: "interrupt"))
    #expect(calls[interrupted...].contains("reset"))
  }

  @Test(arguments: [
    ("rotate-90", "right"), ("flip-rotate-180", "downMirrored"), ("rotate-0", "up"),
  ])
  func theOrientationTagIsToldBeforeTheFrames(tag: String, orientation: String) throws {
    let pipeline = try Made.pipeline(
      Self.source + " ! taginject tags=image-orientation=\(tag) ! madefilter ! fakesink")
    try pipeline.run()
    #expect(
      Self.calls(pipeline).last { $0.hasPrefix("orientation") } == "orientation \(orientation)")
  }

  @Test func onlyAPressOfTheFirstButtonIsAClick() throws {
    let pipeline = try Made.pipeline(Self.source + " ! madefilter name=e ! fakesink")
    pipeline.setState(GST_STATE_PAUSED)
    gst_element_get_state(pipeline.raw, nil, nil, GST_SECOND_10)
    let element = try #require(pipeline.element("e"))
    defer { gst_object_unref(element) }
    let pad = try #require(gst_element_get_static_pad(element, "src"))
    defer { gst_object_unref(pad) }
    for button in [gint(1), 3] {
      gst_pad_send_event(
        pad,
        gst_navigation_event_new_mouse_button_press(
          button, 5, 6, GST_NAVIGATION_MODIFIER_NONE))
    }
    gst_pad_send_event(
      pad, gst_navigation_event_new_mouse_move(9, 9, GST_NAVIGATION_MODIFIER_NONE))
    try pipeline.run()
    #expect(Self.calls(pipeline).filter { $0.hasPrefix("clicked") } == ["clicked 5 6"])
  }

  @Test func aFlushThatComesInDuringTheStartWaitsForItsEnd() throws {
    let pipeline = try Made.pipeline("madefilter name=e label=slow fakesrc")
    let element = try #require(pipeline.element("e"))
    defer { gst_object_unref(element) }
    let pad = try #require(gst_element_get_static_pad(element, "sink"))
    defer { gst_object_unref(pad) }
    let starting = g_thread_new(
      "start",
      {
        gst_element_set_state($0!.assumingMemoryBound(to: GstElement.self), GST_STATE_PAUSED)
        return nil
      }, pipeline.raw)
    // The pads are open by then, and for some time yet.
    usleep(100_000)
    gst_pad_send_event(pad, gst_event_new_flush_stop(1))
    g_thread_join(starting)
    let bus = gst_element_get_bus(pipeline.raw)
    defer { gst_object_unref(bus) }
    var calls: [String] = []
    while let message = gst_bus_pop_filtered(bus, GST_MESSAGE_ELEMENT) {
      let structure = gst_message_get_structure(message)
      calls.append(gst_structure_get_string(structure, "call").map { String(cString: $0) } ?? "")
      gst_mini_object_unref(
        UnsafeMutableRawPointer(message).assumingMemoryBound(to: GstMiniObject.self))
    }
    #expect(calls == ["start_1", "started", "orientation_up", "reset"])
  }

  @Test func aFrameShorterThanItsCapsSayIsAnErrorThatNamesTheNumbers() throws {
    let pipeline = try Made.pipeline(
      "fakesrc num-buffers=1 sizetype=fixed sizemax=100 filltype=zero format=time ! video/x-raw,"
        + "format=GRAY8,width=64,height=64,framerate=30/1 ! madefilter ! fakesink")
    let failure = #expect(throws: Pipeline.Failure.self) { try pipeline.run(seconds: 10) }
    #expect(failure?.detail.contains("buffer of 100 bytes, caps need 4096") == true)
  }
}

private let GST_SECOND_10 = GstClockTime(10_000_000_000)
