import CGStreamer
import Harness
import Pixels
import Support

/// A whole element: an input is the story of a stream, what comes in which order and how it is made.
final class ElementTarget: Target {
  private let factory: String
  private var stops = Times(bar: 100)
  private var received = 0
  /// Buffers by GStreamer's number of how they ended.
  private var flows: [GstFlowReturn.RawValue: Int] = [:]

  /// Values of its properties that are texts.
  private static let texts: [String: [String]] = [
    "location": ["", "hearts", "halo", "dog", "mask", "lipstick", Photograph.path, "/nonexistent"],
    "cube": ["", Photograph.root + "/Tests/Fuzz/corpus/cubes/warm.cube", "/nonexistent"],
    "background": ["", Photograph.path, Photograph.root + "/stickers/halo/preview.png"],
  ]

  init(_ factory: String) {
    self.factory = factory
    g_setenv("MIEN_STICKER_PATH", Photograph.root + "/stickers", 1)
    g_setenv("MIEN_MODEL_PATH", Photograph.models, 1)
  }

  let longest = 1024
  let isFile = false
  /// Once its bytes have been told, a story goes on by chance.
  ///
  /// Setting up costs as much as a hundred frames, and as a thousand where networks are loaded; who
  /// looks at each frame while the stream waits is slow enough with a hundred.
  private var frames: Int { factory == "facedetect" ? 1000 : loadsNetworks ? 100 : 200 }
  private var loadsNetworks: Bool { ["facedetect", "personkey"].contains(factory) }

  var remarks: String {
    "\(received) came out, \(flows.map { "\($1) ended \($0)" }.joined(separator: ", ")), \(stops.late) of \(stops.count) stops over \(Int(stops.bar)) ms, the "
      + "longest \(Int(stops.longest)) ms"
  }

  func seeds() -> [[UInt8]] {
    (0..<24).map { seed in
      var random = SplitMix(UInt64(seed))
      return (0..<(32 << (seed % 6))).map { _ in UInt8(random.below(256)) }
    }
  }

  func run(_ input: [UInt8]) -> Outcome { confirming { tell(input) } }

  private func tell(_ input: [UInt8]) -> (outcome: Outcome, stops: Times) {
    var choices = Choices(input)
    guard let rig = ElementRig(factory) else {
      return (Outcome(fault: "no such element"), Times(bar: 100))
    }
    var story = Story(
      rig, texts: Self.texts, seed: UInt64(input.count), restarts: loadsNetworks ? 50 : 8)
    story.begin(&choices)
    while story.frames < frames { story.goOn(&choices) }
    rig.stop()
    received += rig.received
    stops.take(rig.stops)
    flows.merge(rig.flows, uniquingKeysWith: +)
    return (Outcome(isTaken: rig.received > 0, frames: story.frames), rig.stops)
  }
}

/// What happens to one element, decision by decision.
private struct Story {
  let rig: ElementRig
  let properties: Properties
  private(set) var frames = 0
  private var maker: HostileBuffer
  /// Of how many steps that may take the element down one does.
  private let restarts: Int
  private var isUp = false

  private static let formats = PixelFormat.allCases.map(\.rawValue)
  private static let colors = [
    "bt601", "bt709", "bt2020", "sRGB", "1:4:0:0", "2:3:5:1", "0:0:0:0", "1:1:16:4", "1:5:7:1",
  ]
  private static let sites = ["mpeg2", "jpeg", "dv", "none", "cosited", "v-cosited"]
  private static let aspects = ["1/1", "16/15", "1/16", "2147483647/1", "1/2147483647", "0/1"]

  init(_ rig: ElementRig, texts: [String: [String]], seed: UInt64, restarts: Int) {
    self.rig = rig
    self.restarts = restarts
    properties = Properties(of: rig.element, texts: texts)
    maker = HostileBuffer(info: GstVideoInfo(), noise: SplitMix(seed))
  }

  mutating func begin(_ chooser: inout some Chooser) {
    // Where networks have a thread of their own, a thousand frames take as long as ten.
    if chooser.chance(15, in: 16) { properties.setBool("async", true) }
    for _ in 0..<chooser.below(6) { properties.setOne(&chooser) }
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
    switch chooser.below(24) {
    case 0..<16: pushFrame(&chooser)
    case 16: setCaps(&chooser)
    case 17: setSegment(&chooser, isUsual: false)
    case 18: flush(&chooser)
    case 19, 20: properties.setOne(&chooser)
    case 21: tell(&chooser)
    case 22: tellBack(&chooser)
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
    HostileFaces.attach(to: buffer, &chooser)
    let raw = UnsafeMutableRawPointer(buffer).assumingMemoryBound(to: GstMiniObject.self)
    if isShared { gst_mini_object_ref(raw) }
    let result = rig.push(buffer)
    if isShared { gst_mini_object_unref(raw) }
    // What no frame gets past ends, mostly.
    guard result != GST_FLOW_OK, chooser.chance(7, in: 8) else { return }
    if result == GST_FLOW_NOT_NEGOTIATED {
      setCaps(&chooser)
    } else if result == GST_FLOW_EOS || result == GST_FLOW_FLUSHING {
      flush(&chooser)
    }
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
