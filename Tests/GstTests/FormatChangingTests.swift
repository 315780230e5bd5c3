import CGStreamer
import Frames
import Support
import Synchronization
import Testing

@testable import Binding

/// What elements whose frames may leave in another format keep, and when they negotiate anew.
@Suite(.timeLimit(.minutes(20))) struct FormatChangingTests {
  private static func object(
    _ element: UnsafeMutablePointer<GstElement>
  ) -> UnsafeMutablePointer<GObject> {
    UnsafeMutableRawPointer(element).assumingMemoryBound(to: GObject.self)
  }

  /// A change of the format that comes and goes between another thread's two looks would leave the
  /// stream in a format that no property asks for.
  @Test func noOtherChangeComesBetweenTheTwoLooksOfOne() throws {
    precondition(Made.isRegistered)
    let element = try #require(gst_element_factory_make("madederiver", nil))
    defer { gst_object_unref(element) }
    let number: UInt32 = 141  // of this element alone
    gst_util_set_object_arg(Self.object(element), "amount", "\(number)")
    final class Looks: Sendable {
      let values = Mutex<[Bool]>([])
      /// Address of the other thread.
      let thread = Mutex<UInt>(0)
    }
    let looks = Looks()
    let address = UInt(bitPattern: element)
    MadeFormatChanger.onLook.withLock {
      $0 = { settings in
        guard settings.amount == number else { return }
        let isFirst = looks.values.withLock { values in
          values.append(settings.passes)
          return values.count == 1
        }
        guard isFirst else { return }
        let thread = g_thread_new(
          nil,
          { element in
            let object = element!.assumingMemoryBound(to: GObject.self)
            gst_util_set_object_arg(object, "passes", "false")
            return nil
          }, UnsafeMutableRawPointer(bitPattern: address))
        looks.thread.withLock { $0 = UInt(bitPattern: thread) }
        // Long enough for it to wait for the settings.
        g_usleep(200_000)
      }
    }
    defer { MadeFormatChanger.onLook.withLock { $0 = nil } }
    gst_util_set_object_arg(Self.object(element), "passes", "true")
    g_thread_join(UnsafeMutablePointer(bitPattern: looks.thread.withLock { $0 }))
    #expect(looks.values.withLock { $0 } == [false, true, true, false])
  }

  // MARK: Memory

  private static let size = (640 * 480, "width=640,height=480")

  private static func spareBytes(_ pipeline: Pipeline) throws -> Int {
    let element = try #require(pipeline.element("e"))
    defer { gst_object_unref(element) }
    let deriver = try #require(instance(of: element) as? FormatChangingInstance<MadeFormatChanger>)
    return deriver.frames.spareAlphaBytes
  }

  private static func pipeline(frames: Int) throws -> Pipeline {
    let pipeline = try Made.pipeline(
      "videotestsrc num-buffers=\(frames) ! video/x-raw,format=I420,\(size.1)"
        + " ! madederiver name=e ! fakesink name=sink")
    try pipeline.announceMetadata([gst_video_meta_api_get_type()], at: "sink")
    return pipeline
  }

  private static func letGo(of buffers: [UnsafeMutablePointer<GstBuffer>]) {
    for buffer in buffers {
      gst_mini_object_unref(
        UnsafeMutableRawPointer(buffer).assumingMemoryBound(to: GstMiniObject.self))
    }
  }

  /// Keeps the frames of a stream, of which some come back before it stops and some after.
  @Test func noAlphaIsKeptForAStreamThatIsOver() throws {
    let pipeline = try Self.pipeline(frames: 12)
    var kept: [UnsafeMutablePointer<GstBuffer>] = []
    try pipeline.watch("e", pad: "src") { buffer in
      gst_mini_object_ref(
        UnsafeMutableRawPointer(buffer).assumingMemoryBound(to: GstMiniObject.self))
      kept.append(buffer)
    }
    pipeline.setState(GST_STATE_PLAYING)
    try pipeline.wait()
    #expect(kept.count == 12 && kept.allSatisfy { gst_buffer_n_memory($0) == 2 })
    Self.letGo(of: Array(kept.prefix(4)))
    // Sinks hold the last frame, and so does the list.
    #expect(try Self.spareBytes(pipeline) == 4 * Self.size.0)
    pipeline.setState(GST_STATE_NULL)
    #expect(try Self.spareBytes(pipeline) == 0)
    Self.letGo(of: Array(kept.dropFirst(4)))
    #expect(try Self.spareBytes(pipeline) == 0)
  }

  @Test func noAlphaIsKeptForAFormatThatNoFrameHasAnyMore() throws {
    let pipeline = try Self.pipeline(frames: 30)
    var spare: [Int] = []
    // Before the frame takes what is there.
    try pipeline.watch("e") { _ in
      if spare.count == 10 { pipeline.set("e", "passes", "true") }
      spare.append((try? Self.spareBytes(pipeline)) ?? -1)
    }
    try pipeline.run()
    #expect(spare.count == 30)
    #expect(spare.prefix(10).contains { $0 > 0 })
    #expect(spare.last == 0)
  }
}
