import CGStreamer
import Harness
import Support
import Synchronization

/// Held by whoever changes states or seeks.
final class Control: Sendable {
  private let turn = Mutex(())

  /// Makes a call once it is this thread's turn, and watches it from then on.
  func take(_ name: StaticString, _ body: () -> Void) {
    turn.withLock { _ in watched(name, body) }
  }
}

/// What an application may do to a pipeline at any time, from any thread.
///
/// What GStreamer 1.22 itself does not withstand is left out, or done by one thread at a time:
/// `mien-storm kinds=identity` shows what that is. Changes of state and seeks are not for several
/// threads at once, live sources are not sought in, and an element goes down alone only where no
/// buffer is on its way, as it is exchanged while the pipeline plays.
struct Actions {
  let scene: Scene
  let relinking: Relinking
  let control: Control
  var random: SplitMix

  /// Does one thing; each call is watched.
  mutating func act() {
    switch random.below(20) {
    case 0..<5: changeState()
    case 5..<8: seek()
    case 8..<13: setProperty()
    case 13: setCaps()
    case 14: click()
    case 15: relink()
    case 16: ask()
    case 17: send()
    default: g_usleep(gulong(random.below(8000)))
    }
  }

  private mutating func changeState() {
    let state = random.one(of: [
      GST_STATE_NULL, GST_STATE_READY, GST_STATE_PAUSED, GST_STATE_PLAYING, GST_STATE_PLAYING,
      GST_STATE_PLAYING,
    ])
    control.take("gst_element_set_state of the pipeline") {
      _ = gst_element_set_state(scene.raw, state)
    }
  }

  /// Always with a flush: without one a seek waits, as documented, until a paused sink plays on.
  private mutating func seek() {
    guard !scene.isLive else { return }
    let rate = random.one(of: [1, 1, 1, 2, 0.5, -1])
    let more = random.one(of: [
      GST_SEEK_FLAG_NONE, GST_SEEK_FLAG_ACCURATE, GST_SEEK_FLAG_KEY_UNIT, GST_SEEK_FLAG_SEGMENT,
      GST_SEEK_FLAG_TRICKMODE,
    ])
    let flags = GstSeekFlags(rawValue: GST_SEEK_FLAG_FLUSH.rawValue | more.rawValue)
    let start = gint64(random.below(20)) * 1_000_000_000
    let isOpen = rate > 0 && random.below(2) == 0
    let event = gst_event_new_seek(
      rate, GST_FORMAT_TIME, flags, GST_SEEK_TYPE_SET, start,
      GST_SEEK_TYPE_SET, isOpen ? -1 : start + gint64(1 + random.below(4)) * 1_000_000_000)
    control.take("a seek") { _ = gst_element_send_event(scene.raw, event) }
  }

  private mutating func setProperty() {
    withElement { element, random in
      let properties = Properties(of: element, texts: Scene.texts)
      watched("g_object_set_property") { _ = properties.setOne(&random) }
    }
  }

  private mutating func setCaps() {
    let text = Scene.caps(&random)
    scene.with("caps") { filter in
      watched("a change of caps") {
        gst_util_set_object_arg(
          UnsafeMutableRawPointer(filter).assumingMemoryBound(to: GObject.self), "caps", text)
      }
    }
  }

  private mutating func click() {
    let (x, y) = (random.number(), random.number())
    let event = gst_navigation_event_new_mouse_button_press(
      gint(random.below(4)), x, y, GST_NAVIGATION_MODIFIER_NONE)
    toElement("a click", event)
  }

  /// The end of the stream is not among them: sources that are paused take it when they play on.
  private mutating func send() {
    toElement(
      "a QoS event",
      gst_event_new_qos(
        GST_QOS_TYPE_UNDERFLOW, 2, 40_000_000, GstClockTime(random.bits() >> 8)))
  }

  private mutating func toElement(
    _ name: StaticString, _ event: UnsafeMutablePointer<GstEvent>?
  ) {
    var isSent = false
    withElement { element, _ in
      guard let pad = gst_element_get_static_pad(element, "src") else { return }
      defer { gst_object_unref(pad) }
      watched(name) { _ = gst_pad_send_event(pad, event) }
      isSent = true
    }
    if !isSent, let event {
      gst_mini_object_unref(
        UnsafeMutableRawPointer(event).assumingMemoryBound(to: GstMiniObject.self))
    }
  }

  private mutating func relink() {
    let kind = random.one(of: ["identity"] + scene.kinds)
    let (relinking, control, pipeline) = (relinking, control, scene.raw)
    withElement { element, _ in
      control.take("an exchange of elements") {
        // Behind a sink that is paused, a query that a queue holds keeps the element from going.
        var state = GST_STATE_NULL
        _ = gst_element_get_state(pipeline, &state, nil, 0)
        guard state == GST_STATE_PLAYING else { return }
        relinking.exchange(element, in: pipeline, for: kind)
      }
    }
  }

  private mutating func ask() {
    var number: gint64 = 0
    watched("a query") {
      _ = gst_element_query_position(scene.raw, GST_FORMAT_TIME, &number)
      _ = gst_element_query_duration(scene.raw, GST_FORMAT_TIME, &number)
      _ = gst_element_get_state(scene.raw, nil, nil, 0)
    }
  }

  private mutating func withElement(
    _ body: (UnsafeMutablePointer<GstElement>, inout SplitMix) -> Void
  ) {
    let name = "e\(random.below(scene.count))"
    var random = random
    scene.with(name) { body($0, &random) }
    self.random = random
  }
}
