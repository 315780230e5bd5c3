import CGStreamer
import Harness
import Support
import Synchronization

/// Serialises state changes, seeks and replacements of elements.
final class ControlLock: Sendable {
  private let lock = Mutex(())

  /// Makes a call under the lock and the watchdog.
  func perform(_ name: StaticString, _ body: () -> Void) {
    lock.withLock { _ in withWatchdog(name, body) }
  }
}

/// Random actions that applications perform on a pipeline at any time, from any thread.
///
/// Actions that GStreamer 1.22 itself does not survive are left out or serialised; `mien-stress
/// kinds=identity` shows which. State changes and seeks are serialised, live sources are never seeked,
/// and a single element changes its state only while no buffer passes, when it is replaced.
struct RandomActions {
  let pipeline: StressPipeline
  let replacement: ElementReplacement
  let control: ControlLock
  var random: SplitMix

  /// Performs one action under the watchdog.
  mutating func performOne() {
    switch random.below(20) {
    case 0..<5: changeState()
    case 5..<8: seek()
    case 8..<13: setProperty()
    case 13: setCaps()
    case 14: click()
    case 15: replaceElement()
    case 16: query()
    case 17: sendQoS()
    default: g_usleep(gulong(random.below(8000)))
    }
  }

  private mutating func changeState() {
    let state = random.one(of: [
      GST_STATE_NULL, GST_STATE_READY, GST_STATE_PAUSED, GST_STATE_PLAYING, GST_STATE_PLAYING,
      GST_STATE_PLAYING,
    ])
    control.perform("gst_element_set_state of the pipeline") {
      _ = gst_element_set_state(pipeline.raw, state)
    }
  }

  /// Always flushing: a non-flushing seek waits, as documented, until a paused sink resumes.
  private mutating func seek() {
    guard !pipeline.isLive else { return }
    let rate = random.one(of: [1, 1, 1, 2, 0.5, -1])
    let extraFlags = random.one(of: [
      GST_SEEK_FLAG_NONE, GST_SEEK_FLAG_ACCURATE, GST_SEEK_FLAG_KEY_UNIT, GST_SEEK_FLAG_SEGMENT,
      GST_SEEK_FLAG_TRICKMODE,
    ])
    let flags = GstSeekFlags(rawValue: GST_SEEK_FLAG_FLUSH.rawValue | extraFlags.rawValue)
    let start = gint64(random.below(20)) * 1_000_000_000
    let isOpen = rate > 0 && random.below(2) == 0
    let event = gst_event_new_seek(
      rate, GST_FORMAT_TIME, flags, GST_SEEK_TYPE_SET, start,
      GST_SEEK_TYPE_SET, isOpen ? -1 : start + gint64(1 + random.below(4)) * 1_000_000_000)
    control.perform("a seek") { _ = gst_element_send_event(pipeline.raw, event) }
  }

  private mutating func setProperty() {
    withElement { element, random in
      let properties = RandomProperties(of: element, strings: StressPipeline.strings)
      withWatchdog("g_object_set_property") { _ = properties.setRandom(&random) }
    }
  }

  private mutating func setCaps() {
    let text = StressPipeline.randomCaps(&random)
    pipeline.withElement("caps") { filter in
      withWatchdog("a change of caps") {
        gst_util_set_object_arg(
          UnsafeMutableRawPointer(filter).assumingMemoryBound(to: GObject.self), "caps", text)
      }
    }
  }

  private mutating func click() {
    let (x, y) = (random.edgeCaseNumber(), random.edgeCaseNumber())
    let event = gst_navigation_event_new_mouse_button_press(
      gint(random.below(4)), x, y, GST_NAVIGATION_MODIFIER_NONE)
    sendUpstream("a click", event)
  }

  /// No EOS: a paused source handles it only when it resumes.
  private mutating func sendQoS() {
    sendUpstream(
      "a QoS event",
      gst_event_new_qos(
        GST_QOS_TYPE_UNDERFLOW, 2, 40_000_000, GstClockTime(random.edgeCaseBits() >> 8)))
  }

  private mutating func sendUpstream(
    _ name: StaticString, _ event: UnsafeMutablePointer<GstEvent>?
  ) {
    var isSent = false
    withElement { element, _ in
      guard let pad = gst_element_get_static_pad(element, "src") else { return }
      defer { gst_object_unref(pad) }
      withWatchdog(name) { _ = gst_pad_send_event(pad, event) }
      isSent = true
    }
    if !isSent, let event {
      gst_mini_object_unref(
        UnsafeMutableRawPointer(event).assumingMemoryBound(to: GstMiniObject.self))
    }
  }

  private mutating func replaceElement() {
    let kind = random.one(of: ["identity"] + pipeline.kinds)
    let (replacement, control, pipeline) = (replacement, control, pipeline.raw)
    withElement { element, _ in
      control.perform("a replacement of an element") {
        // With a paused sink, a serialised query in a queue would block the element's removal.
        var state = GST_STATE_NULL
        _ = gst_element_get_state(pipeline, &state, nil, 0)
        guard state == GST_STATE_PLAYING else { return }
        replacement.replace(element, in: pipeline, for: kind)
      }
    }
  }

  private mutating func query() {
    var number: gint64 = 0
    withWatchdog("a query") {
      _ = gst_element_query_position(pipeline.raw, GST_FORMAT_TIME, &number)
      _ = gst_element_query_duration(pipeline.raw, GST_FORMAT_TIME, &number)
      _ = gst_element_get_state(pipeline.raw, nil, nil, 0)
    }
  }

  private mutating func withElement(
    _ body: (UnsafeMutablePointer<GstElement>, inout SplitMix) -> Void
  ) {
    let name = "e\(random.below(pipeline.count))"
    var random = random
    pipeline.withElement(name) { body($0, &random) }
    self.random = random
  }
}
