import CGStreamer
import Harness
import Pixels
import Support

/// What happens to one element or a chain of them, decision by decision.
struct Story {
  let rig: ElementRig
  /// Of each element.
  private let properties: [Properties]
  private(set) var frames = 0
  private var maker: HostileBuffer
  /// Of how many steps that may take the element down one does.
  private let restarts: Int
  private var isUp = false
  private var isLinked = true

  private static let formats = PixelFormat.allCases.map(\.rawValue)
  private static let colors = [
    "bt601", "bt709", "bt2020", "sRGB", "1:4:0:0", "2:3:5:1", "0:0:0:0", "1:1:16:4", "1:5:7:1",
  ]
  private static let sites = ["mpeg2", "jpeg", "dv", "none", "cosited", "v-cosited"]
  private static let aspects = ["1/1", "16/15", "1/16", "2147483647/1", "1/2147483647", "0/1"]

  init(_ rig: ElementRig, texts: [String: [String]], seed: UInt64, restarts: Int) {
    self.rig = rig
    self.restarts = restarts
    properties = rig.elements.map { Properties(of: $0, texts: texts) }
    maker = HostileBuffer(info: GstVideoInfo(), noise: SplitMix(seed))
  }

  mutating func begin(_ chooser: inout some Chooser) {
    // Where networks have a thread of their own, a thousand frames take as long as ten.
    if chooser.chance(15, in: 16) { for each in properties { each.setBool("async", true) } }
    for _ in 0..<chooser.below(6) { chooser.one(of: properties).setOne(&chooser) }
    rig.knowsStrides = chooser.chance(1, in: 2)
    up(&chooser)
  }

  private mutating func up(_ chooser: inout some Chooser) {
    isUp = rig.start()
    setCaps(&chooser)
    setSegment(&chooser, isUsual: true)
  }

  /// One step: most are frames.
  mutating func goOn(_ chooser: inout some Chooser) {
    switch chooser.below(25) {
    case 0..<16: pushFrame(&chooser)
    case 16: setCaps(&chooser)
    case 17: setSegment(&chooser, isUsual: false)
    case 18: flush(&chooser)
    case 19, 20: chooser.one(of: properties).setOne(&chooser)
    case 21: tell(&chooser)
    case 22: tellBack(&chooser)
    case 23: link(&chooser)
    default:
      guard chooser.chance(1, in: restarts) else { return pushFrame(&chooser) }
      rig.stop(to: chooser.chance(1, in: 2) ? GST_STATE_NULL : GST_STATE_READY)
      up(&chooser)
    }
  }

  private mutating func pushFrame(_ chooser: inout some Chooser) {
    frames += 1
    guard maker.info.size > 0 else { return }
    let (buffer, isShared) = maker.make(&chooser)
    buffer.pointee.offset = guint64(frames)
    HostileFaces.attach(to: buffer, &chooser)
    let raw = UnsafeMutableRawPointer(buffer).assumingMemoryBound(to: GstMiniObject.self)
    if isShared { gst_mini_object_ref(raw) }
    let result = rig.push(buffer)
    if isShared { gst_mini_object_unref(raw) }
    // What no frame gets past ends, mostly.
    guard result != GST_FLOW_OK, chooser.chance(7, in: 8) else { return }
    if !isLinked { link(&chooser) }
    if result == GST_FLOW_NOT_NEGOTIATED {
      setCaps(&chooser)
    } else if result == GST_FLOW_EOS || result == GST_FLOW_FLUSHING {
      flush(&chooser)
    }
  }

  /// Takes off the pad that follows, or puts it back; caps and much else may change in between.
  private mutating func link(_ chooser: inout some Chooser) {
    isLinked.toggle()
    rig.link(isLinked)
    guard !isLinked else { return }
    if chooser.chance(1, in: 2) { pushFrame(&chooser) }
    if chooser.chance(1, in: 2) { setCaps(&chooser) }
  }

  private mutating func setCaps(_ chooser: inout some Chooser) {
    var (width, height) = (1 + chooser.below(48), 1 + chooser.below(40))
    if chooser.chance(1, in: 16) {
      (width, height) = chooser.one(of: [
        (16384, 1), (1, 16384), (16384, 3), (3, 5000), (640, 360), (321, 241), (16385, 1),
      ])
    }
    var text =
      "video/x-raw,format=\(chooser.one(of: Self.formats)),width=\(width),height=\(height)"
      + ",framerate=\(chooser.one(of: ["30/1", "0/1", "1/1", "2147483647/1"]))"
    if chooser.chance(1, in: 3) { text += ",colorimetry=\(chooser.one(of: Self.colors))" }
    if chooser.chance(1, in: 4) { text += ",chroma-site=\(chooser.one(of: Self.sites))" }
    if chooser.chance(1, in: 4) { text += ",pixel-aspect-ratio=\(chooser.one(of: Self.aspects))" }
    if chooser.chance(1, in: 8) { text += ",interlace-mode=interleaved" }
    guard let caps = gst_caps_from_string(text) else { return }
    defer { gst_caps_unref(caps) }
    var info = GstVideoInfo()
    guard gst_video_info_from_caps(&info, caps) != 0 else { return }
    if rig.push(gst_event_new_caps(caps)) || chooser.chance(1, in: 8) {
      maker = HostileBuffer(info: info, noise: maker.noise, time: maker.time)
    }
  }

  private mutating func setSegment(_ chooser: inout some Chooser, isUsual: Bool) {
    var segment = GstSegment()
    gst_segment_init(&segment, GST_FORMAT_TIME)
    if !isUsual {
      let formats = [GST_FORMAT_TIME, GST_FORMAT_TIME, GST_FORMAT_BYTES, GST_FORMAT_DEFAULT]
      gst_segment_init(&segment, chooser.one(of: formats))
      segment.rate = chooser.one(of: [1, -1, 2, 1e-9, 1e9])
      segment.applied_rate = chooser.one(of: [1, -1, 0.5])
      for _ in 0..<chooser.below(4) {
        let value = guint64(chooser.bits())
        switch chooser.below(5) {
        case 0: segment.start = value
        case 1: segment.stop = value
        case 2: segment.base = value
        case 3: segment.time = value
        default: segment.offset = value
        }
      }
    }
    rig.push(gst_event_new_segment(&segment))
  }

  private mutating func flush(_ chooser: inout some Chooser) {
    rig.push(gst_event_new_flush_start())
    rig.push(gst_event_new_flush_stop(gboolean(chooser.below(2))))
    setSegment(&chooser, isUsual: chooser.chance(3, in: 4))
  }

  private mutating func tell(_ chooser: inout some Chooser) {
    switch chooser.below(5) {
    case 0:
      let tags = gst_tag_list_new_empty()
      let text = chooser.one(of: [
        "rotate-0", "rotate-90", "flip-rotate-270", "flip-rotate-0", "rotate-45", "",
      ])
      var value = GValue()
      g_value_init(&value, cgst_type_string)
      g_value_set_string(&value, text)
      gst_tag_list_add_value(tags, GST_TAG_MERGE_REPLACE, GST_TAG_IMAGE_ORIENTATION, &value)
      g_value_unset(&value)
      rig.push(gst_event_new_tag(tags))
    case 1:
      rig.push(gst_event_new_gap(GstClockTime(chooser.bits() >> 1), GstClockTime(chooser.bits())))
    case 2: rig.push(gst_event_new_stream_start("other"))
    case 3: rig.push(gst_event_new_segment_done(GST_FORMAT_TIME, gint64(chooser.below(1000))))
    default:
      rig.push(gst_event_new_eos())
      flush(&chooser)
    }
  }

  private mutating func tellBack(_ chooser: inout some Chooser) {
    switch chooser.below(3) {
    case 0:
      rig.pushBack(
        gst_navigation_event_new_mouse_button_press(
          gint(chooser.below(4)), chooser.number(), chooser.number(),
          GST_NAVIGATION_MODIFIER_NONE))
    case 1: rig.pushBack(gst_event_new_reconfigure())
    default:
      // One that is far ahead has all frames dropped until a flush.
      let isFar = chooser.chance(1, in: 8)
      rig.pushBack(
        gst_event_new_qos(
          GST_QOS_TYPE_UNDERFLOW, chooser.number(),
          GstClockTimeDiff(isFar ? chooser.bits() >> 1 : 20_000_000),
          GstClockTime(isFar ? chooser.bits() >> 1 : maker.time >> 1)))
    }
  }
}
