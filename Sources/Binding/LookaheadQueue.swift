import CGStreamer
import Frames
import Synchronization

/// The delayed frames of an element and the serialized events between them, in order of arrival.
///
/// Owns a reference to each. Streaming thread only, except for `latency`.
final class LookaheadQueue {
  enum Entry {
    case frame(Buffer)
    case event(UnsafeMutablePointer<GstEvent>, isGap: Bool)

    /// Whether it is a frame or a gap, which count for the lookahead.
    var isFrame: Bool {
      switch self {
      case .frame: true
      case .event(_, let isGap): isGap
      }
    }
  }

  private var entries: [Entry] = []
  private var frameCount = 0
  /// The segment of arriving frames; leaving frames are in the segment of GstBaseTransform.
  private(set) var segment = GstSegment()
  /// The lookahead for which the last latency message was posted.
  private var postedLookahead = 0
  private var lastTime: GstClockTime?

  /// The frame interval in nanoseconds.
  private let interval = Mutex(UInt64(0))
  private var hasRate = false

  var isEmpty: Bool { entries.isEmpty }

  init() { gst_segment_init(&segment, GST_FORMAT_UNDEFINED) }

  /// Sets the frame rate; without one, the interval is measured from timestamps.
  func configure(_ info: GstVideoInfo) {
    hasRate = info.fps_n > 0 && info.fps_d > 0
    let nanoseconds =
      hasRate
      ? gst_util_uint64_scale(1_000_000_000, guint64(info.fps_d), guint64(info.fps_n)) : 0
    interval.withLock { $0 = UInt64(nanoseconds) }
    lastTime = nil
  }

  func setSegment(_ segment: GstSegment) { self.segment = segment }

  // MARK: Frames

  func append(_ buffer: Buffer) {
    entries.append(.frame(buffer))
    frameCount += 1
  }

  func append(_ event: UnsafeMutablePointer<GstEvent>, isGap: Bool) {
    entries.append(.event(event, isGap: isGap))
    if isGap { frameCount += 1 }
  }

  /// Removes and returns the first entry if it may leave, else nil.
  ///
  /// A frame leaves once `lookahead` frames have arrived after it, an event once it is the first.
  func popReady(_ lookahead: Int) -> Entry? {
    guard let first = entries.first else { return nil }
    // Events wait only for the frames before them.
    if case .frame = first, frameCount - 1 < lookahead { return nil }
    if first.isFrame { frameCount -= 1 }
    return entries.removeFirst()
  }

  /// Releases all frames; returns the sticky events, which persist across a flush.
  func flush() -> [UnsafeMutablePointer<GstEvent>] {
    var kept: [UnsafeMutablePointer<GstEvent>] = []
    for entry in entries {
      switch entry {
      case .frame(let buffer): gst_mini_object_unref(cast(buffer))
      case .event(let event, _):
        let isSticky = cgst_event_type(event).rawValue & GST_EVENT_TYPE_STICKY.rawValue != 0
        if isSticky && cgst_event_type(event) != GST_EVENT_SEGMENT {
          kept.append(event)
        } else {
          gst_mini_object_unref(cast(event))
        }
      }
    }
    entries.removeAll(keepingCapacity: true)
    frameCount = 0
    lastTime = nil
    return kept
  }

  /// Releases everything.
  func clear() {
    for event in flush() { gst_mini_object_unref(cast(event)) }
    gst_segment_init(&segment, GST_FORMAT_UNDEFINED)
    postedLookahead = 0
  }

  deinit { clear() }

  // MARK: Latency

  /// The added latency in nanoseconds; any thread.
  func latency(_ lookahead: Int) -> UInt64 {
    interval.withLock { $0 } &* UInt64(max(0, lookahead))
  }

  /// Updates the interval with an arriving frame; returns whether the posted latency is outdated.
  func updateLatency(_ buffer: Buffer, _ lookahead: Int) -> Bool {
    var isChanged = lookahead != postedLookahead
    postedLookahead = lookahead
    let time = buffer.pointee.pts
    if !hasRate, time != cgst_clock_time_none {
      // The longest interval so far, because frames without a rate may take as long again.
      if let lastTime {
        let wait = UInt64(max(time, lastTime) - min(time, lastTime))
        interval.withLock { interval in
          // Longer intervals are pauses.
          guard wait > interval, wait <= 2_000_000_000 else { return }
          interval = wait
          isChanged = isChanged || lookahead > 0
        }
      }
      lastTime = time
    }
    return isChanged
  }
}
