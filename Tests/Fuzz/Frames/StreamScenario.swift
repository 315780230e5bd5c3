import CGStreamer
import Harness
import Pixels
import Support

/// Drives an element or a chain through a stream, one decision after another: properties, caps,
/// segments, events, links, state changes and buffers.
struct StreamScenario {
  let harness: ElementHarness
  /// The properties of each element.
  private let properties: [RandomProperties]
  private(set) var frames = 0
  private var generator: BufferGenerator
  /// One in so many of the possible restarts takes place.
  private let restartInterval: Int
  private var isStarted = false
  private var isLinked = true

  private static let formats = PixelFormat.allCases.map(\.rawValue)
  private static let colors = [
    "bt601", "bt709", "bt2020", "sRGB", "1:4:0:0", "2:3:5:1", "0:0:0:0", "1:1:16:4", "1:5:7:1",
  ]
  private static let sites = ["mpeg2", "jpeg", "dv", "none", "cosited", "v-cosited"]
  private static let aspects = ["1/1", "16/15", "1/16", "2147483647/1", "1/2147483647", "0/1"]

  init(_ harness: ElementHarness, strings: [String: [String]], seed: UInt64, restartInterval: Int) {
    self.harness = harness
    self.restartInterval = restartInterval
    properties = harness.elements.map { RandomProperties(of: $0, strings: strings) }
    generator = BufferGenerator(info: GstVideoInfo(), noise: SplitMix(seed))
  }

  mutating func begin(_ random: inout some RandomSource) {
    // With async=true the networks run on their own thread, and 1000 frames take as long as ten.
    if random.chance(15, in: 16) { for each in properties { each.setBool("async", true) } }
    for _ in 0..<random.below(6) { random.one(of: properties).setRandom(&random) }
    harness.supportsVideoMeta = random.chance(1, in: 2)
    start(&random)
  }

  private mutating func start(_ random: inout some RandomSource) {
    isStarted = harness.start()
    setCaps(&random)
    setSegment(&random, isStandard: true)
  }

  /// One step; most push a frame.
  mutating func step(_ random: inout some RandomSource) {
    switch random.below(25) {
    case 0..<16: pushFrame(&random)
    case 16: setCaps(&random)
    case 17: setSegment(&random, isStandard: false)
    case 18: flush(&random)
    case 19, 20: random.one(of: properties).setRandom(&random)
    case 21: pushEvent(&random)
    case 22: pushUpstreamEvent(&random)
    case 23: toggleLink(&random)
    default:
      guard random.chance(1, in: restartInterval) else { return pushFrame(&random) }
      harness.stop(to: random.chance(1, in: 2) ? GST_STATE_NULL : GST_STATE_READY)
      start(&random)
    }
  }

  private mutating func pushFrame(_ random: inout some RandomSource) {
    frames += 1
    guard generator.info.size > 0 else { return }
    let (buffer, isShared) = generator.make(&random)
    buffer.pointee.offset = guint64(frames)
    FaceMetadataGenerator.attach(to: buffer, &random)
    let raw = UnsafeMutableRawPointer(buffer).assumingMemoryBound(to: GstMiniObject.self)
    if isShared { gst_mini_object_ref(raw) }
    let result = harness.push(buffer)
    if isShared { gst_mini_object_unref(raw) }
    // Mostly repair a state in which no frame passes.
    guard result != GST_FLOW_OK, random.chance(7, in: 8) else { return }
    if !isLinked { toggleLink(&random) }
    if result == GST_FLOW_NOT_NEGOTIATED {
      setCaps(&random)
    } else if result == GST_FLOW_EOS || result == GST_FLOW_FLUSHING {
      flush(&random)
    }
  }

  /// Unlinks or links the downstream pad; caps and events may change in between.
  private mutating func toggleLink(_ random: inout some RandomSource) {
    isLinked.toggle()
    harness.setLinked(isLinked)
    guard !isLinked else { return }
    if random.chance(1, in: 2) { pushFrame(&random) }
    if random.chance(1, in: 2) { setCaps(&random) }
  }

  private mutating func setCaps(_ random: inout some RandomSource) {
    var (width, height) = (1 + random.below(48), 1 + random.below(40))
    if random.chance(1, in: 16) {
      (width, height) = random.one(of: [
        (16384, 1), (1, 16384), (16384, 3), (3, 5000), (640, 360), (321, 241), (16385, 1),
      ])
    }
    var text =
      "video/x-raw,format=\(random.one(of: Self.formats)),width=\(width),height=\(height)"
      + ",framerate=\(random.one(of: ["30/1", "0/1", "1/1", "2147483647/1"]))"
    if random.chance(1, in: 3) { text += ",colorimetry=\(random.one(of: Self.colors))" }
    if random.chance(1, in: 4) { text += ",chroma-site=\(random.one(of: Self.sites))" }
    if random.chance(1, in: 4) { text += ",pixel-aspect-ratio=\(random.one(of: Self.aspects))" }
    if random.chance(1, in: 8) { text += ",interlace-mode=interleaved" }
    guard let caps = gst_caps_from_string(text) else { return }
    defer { gst_caps_unref(caps) }
    var info = GstVideoInfo()
    guard gst_video_info_from_caps(&info, caps) != 0 else { return }
    if harness.push(gst_event_new_caps(caps)) || random.chance(1, in: 8) {
      generator = BufferGenerator(info: info, noise: generator.noise, time: generator.time)
    }
  }

  private mutating func setSegment(_ random: inout some RandomSource, isStandard: Bool) {
    var segment = GstSegment()
    gst_segment_init(&segment, GST_FORMAT_TIME)
    if !isStandard {
      let formats = [GST_FORMAT_TIME, GST_FORMAT_TIME, GST_FORMAT_BYTES, GST_FORMAT_DEFAULT]
      gst_segment_init(&segment, random.one(of: formats))
      segment.rate = random.one(of: [1, -1, 2, 1e-9, 1e9])
      segment.applied_rate = random.one(of: [1, -1, 0.5])
      for _ in 0..<random.below(4) {
        let value = guint64(random.edgeCaseBits())
        switch random.below(5) {
        case 0: segment.start = value
        case 1: segment.stop = value
        case 2: segment.base = value
        case 3: segment.time = value
        default: segment.offset = value
        }
      }
    }
    harness.push(gst_event_new_segment(&segment))
  }

  private mutating func flush(_ random: inout some RandomSource) {
    harness.push(gst_event_new_flush_start())
    harness.push(gst_event_new_flush_stop(gboolean(random.below(2))))
    setSegment(&random, isStandard: random.chance(3, in: 4))
  }

  private mutating func pushEvent(_ random: inout some RandomSource) {
    switch random.below(5) {
    case 0:
      let tags = gst_tag_list_new_empty()
      let text = random.one(of: [
        "rotate-0", "rotate-90", "flip-rotate-270", "flip-rotate-0", "rotate-45", "",
      ])
      var value = GValue()
      g_value_init(&value, cgst_type_string)
      g_value_set_string(&value, text)
      gst_tag_list_add_value(tags, GST_TAG_MERGE_REPLACE, GST_TAG_IMAGE_ORIENTATION, &value)
      g_value_unset(&value)
      harness.push(gst_event_new_tag(tags))
    case 1:
      harness.push(
        gst_event_new_gap(
          GstClockTime(random.edgeCaseBits() >> 1), GstClockTime(random.edgeCaseBits())))
    case 2: harness.push(gst_event_new_stream_start("other"))
    case 3: harness.push(gst_event_new_segment_done(GST_FORMAT_TIME, gint64(random.below(1000))))
    default:
      harness.push(gst_event_new_eos())
      flush(&random)
    }
  }

  private mutating func pushUpstreamEvent(_ random: inout some RandomSource) {
    switch random.below(3) {
    case 0:
      harness.pushUpstream(
        gst_navigation_event_new_mouse_button_press(
          gint(random.below(4)), random.edgeCaseNumber(), random.edgeCaseNumber(),
          GST_NAVIGATION_MODIFIER_NONE))
    case 1: harness.pushUpstream(gst_event_new_reconfigure())
    default:
      // A timestamp far ahead drops all frames until a flush.
      let isFar = random.chance(1, in: 8)
      harness.pushUpstream(
        gst_event_new_qos(
          GST_QOS_TYPE_UNDERFLOW, random.edgeCaseNumber(),
          GstClockTimeDiff(isFar ? random.edgeCaseBits() >> 1 : 20_000_000),
          GstClockTime(isFar ? random.edgeCaseBits() >> 1 : generator.time >> 1)))
    }
  }
}
