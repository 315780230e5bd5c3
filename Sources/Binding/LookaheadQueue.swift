import CGStreamer
import Frames
import Synchronization

/// The frames that an element delays, and the events between them, in the order of arrival.
///
/// Streaming thread, but for `latency`. Holds a reference to each and copies none.
final class LookaheadQueue {
  enum Entry {
    case frame(Buffer)
    case event(UnsafeMutablePointer<GstEvent>, isGap: Bool)

    /// Whether it stands for time that passes.
    var isFrame: Bool {
      switch self {
      case .frame: true
      case .event(_, let isGap): isGap
      }
    }
  }

  private var entries: [Entry] = []
  private var frameCount = 0
  /// As of the last frame that came; those that leave are in the element's own.
  private(set) var segment = GstSegment()
  /// Frames that were kept back when the application was last told.
  private var postedLookahead = 0
  private var lastTime: GstClockTime?

  /// Nanoseconds from one frame to the next.
  private let interval = Mutex(UInt64(0))
  private var hasRate = false

  var isEmpty: Bool { entries.isEmpty }

  init() { gst_segment_init(&segment, GST_FORMAT_UNDEFINED) }

  /// Learns the frames' rate; where they have none their times tell it.
  func configure(_ info: GstVideoInfo) {
    hasRate = info.fps_n > 0 && info.fps_d > 0
    let nanoseconds =
      hasRate
      ? gst_util_uint64_scale(1_000_000_000, guint64(info.fps_d), guint64(info.fps_n)) : 0
    interval.withLock { $0 = UInt64(nanoseconds) }
    lastTime = nil
  }

  func begin(_ segment: GstSegment) { self.segment = segment }

  // MARK: Frames

  func append(_ buffer: Buffer) {
    entries.append(.frame(buffer))
    frameCount += 1
  }

  func append(_ event: UnsafeMutablePointer<GstEvent>, isGap: Bool) {
    entries.append(.event(event, isGap: isGap))
    if isGap { frameCount += 1 }
  }

  /// Takes the first entry where `lookahead` frames have come after it, or none has to; nil where
  /// it waits on.
  func next(_ lookahead: Int) -> Entry? {
    guard let first = entries.first else { return nil }
    // An event waits for the frames before it alone.
    if case .frame = first, frameCount - 1 < lookahead { return nil }
    if first.isFrame { frameCount -= 1 }
    return entries.removeFirst()
  }

  /// Releases all frames; returns the sticky events, which outlive a flush.
  func removeAll() -> [UnsafeMutablePointer<GstEvent>] {
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
  func drop() {
    for event in removeAll() { gst_mini_object_unref(cast(event)) }
    gst_segment_init(&segment, GST_FORMAT_UNDEFINED)
    postedLookahead = 0
  }

  deinit { drop() }

  // MARK: Latency

  /// Nanoseconds by which frames leave later than they come; any thread.
  func latency(_ lookahead: Int) -> UInt64 {
    interval.withLock { $0 } &* UInt64(max(0, lookahead))
  }

  /// Looks at a frame that came; whether the latency is another than the application was told.
  func changesLatency(_ buffer: Buffer, _ lookahead: Int) -> Bool {
    var isChanged = lookahead != postedLookahead
    postedLookahead = lookahead
    let time = buffer.pointee.pts
    if !hasRate, time != cgst_clock_time_none {
      // The longest wait there was: frames without a rate may take as long again.
      if let lastTime {
        let wait = UInt64(max(time, lastTime) - min(time, lastTime))
        interval.withLock { interval in
          // More than that is a pause.
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
