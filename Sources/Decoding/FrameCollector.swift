import CGStreamer
import Files
import Frames
import Pixels
import Synchronization

/// Collects the frames of a decoder, and refuses those that exceed limits and other media types.
///
/// The decoder's threads call the `collect` side; another thread reads the result.
final class FrameCollector: Sendable {
  private enum Storage {
    case keeping([PictureFile.DecodedFrame])
    /// Frames are only counted: they exceed `keptAtFirst`, and their total is still unknown.
    case counting
  }

  private struct State {
    var verdict = DecodingVerdict.undecided
    var storage = Storage.keeping([])
    /// The number of frames so far, and their bytes.
    var count = 0
    var bytes = 0
    /// The timestamp of the first frame.
    var start: UInt64?
    var last: (time: UInt64, duration: UInt64)?
    /// Whether a call of the receiver is in progress.
    var isReceiving = false
    /// The number of reads, and of those past the end of the file.
    var reads = (all: 0, pastEnd: 0)
    var isVector = false
  }

  /// The maximum bytes of frames kept before the number of frames in the file is known.
  private static let keptAtFirst = 64 << 20

  private let limits: PictureFile.Limits
  /// The file's size in bytes.
  private let size: Int
  /// Whether an earlier run has counted the frames.
  private let isCounted: Bool
  private let receiver: Receiver?
  /// Why an SVG document must not be rendered; completes the sentence "is too large: ".
  private let drawingProblem: @Sendable () -> String?
  private let state = Mutex(State())

  /// Consumes a frame and may block the decoder; returns false if no more frames are needed.
  typealias Receiver = @Sendable (PictureFile.DecodedFrame) -> Bool

  /// Stores the frames, or passes each to `receiver`.
  init(
    _ limits: PictureFile.Limits, size: Int, isCounted: Bool = false, receiver: Receiver? = nil,
    drawingProblem: @escaping @Sendable () -> String? = { nil }
  ) {
    self.limits = limits
    self.size = size
    self.isCounted = isCounted
    self.receiver = receiver
    self.drawingProblem = drawingProblem
  }

  // MARK: Results

  /// Whether the verdict is final.
  var isDone: Bool {
    state.withLock { if case .undecided = $0.verdict { false } else { true } }
  }

  var hasNoPictures: Bool {
    state.withLock { if case .noPictures = $0.verdict { true } else { false } }
  }

  /// The size of a vector graphic that is not rendered yet.
  var pendingDrawingSize: (width: Int, height: Int)? {
    state.withLock {
      if case .drawing(let width, let height) = $0.verdict { (width, height) } else { nil }
    }
  }

  /// Whether the frames were only counted, and turned out to be few enough to be kept.
  ///
  /// A decoder's `problem` is ignored once there are enough frames.
  func needsSecondRun(_ problem: String?) -> Bool {
    state.withLock { state in
      guard case .counting = state.storage else { return false }
      return switch state.verdict {
      case .enough: true
      case .tooLarge: false
      default: problem == nil
      }
    }
  }

  /// The frames and reads so far, whether the decoder keeps reading past the end of the file, and
  /// whether the receiver blocks it.
  var progress: (frames: Int, reads: Int, readsOn: Bool, isHeld: Bool) {
    state.withLock { ($0.count, $0.reads.all, $0.reads.pastEnd > 1000, $0.isReceiving) }
  }

  /// The frames of the file at `path`, given the decoder's error; call it once.
  func takeFrames(
    _ path: FilePath, problem: String?
  ) throws(ElementError) -> [PictureFile.DecodedFrame] {
    _ = try checkedFrameCount(path, problem: problem)
    return state.withLock { state in
      defer { state.storage = .keeping([]) }
      guard case .keeping(let frames) = state.storage else { return [] }
      return frames
    }
  }

  /// The number of frames; throws the reason if the file at `path` cannot be used.
  ///
  /// `problem` is the decoder's error.
  func checkedFrameCount(_ path: FilePath, problem: String?) throws(ElementError) -> Int {
    let (verdict, count) = state.withLock { ($0.verdict, $0.count) }
    switch verdict {
    case .foreign(let name):
      throw ElementError(
        .wrongContent,
        "\(path) is neither a picture nor a film, but \(name). Files it refers to are not opened.")
    case .tooLarge(let reason):
      throw ElementError(.wrongContent, "\(path) is too large: \(reason).")
    case .noPictures where problem == nil:
      throw ElementError(.wrongContent, "\(path) cannot be decoded: it has no pictures.")
    case .undecided, .noPictures, .drawing:
      if let problem {
        throw ElementError(.wrongContent, "\(path) cannot be decoded: \(problem)")
      }
    case .enough: break
    }
    guard count > 0 else {
      throw ElementError(.wrongContent, "\(path) cannot be decoded: it has no frames.")
    }
    return count
  }

  // MARK: Input from the decoder

  /// Whether to continue decoding a stream with these caps.
  ///
  /// Caps arrive before memory for pictures of their size is allocated. Playlists are refused: they
  /// would make the decoder read other files and the network.
  func allows(_ caps: UnsafeMutablePointer<GstCaps>) -> Bool {
    guard gst_caps_get_size(caps) > 0, let structure = gst_caps_get_structure(caps, 0),
      let name = gst_structure_get_name(structure).map(String.init(cString:))
    else { return true }
    var (width, height) = (gint(), gint())
    gst_structure_get_int(structure, "width", &width)
    gst_structure_get_int(structure, "height", &height)
    let problem = name.hasPrefix("image/svg") ? drawingProblem() : nil
    return state.withLock { state in
      if let problem {
        state.verdict.record(.tooLarge(problem))
        return false
      }
      if MediaType.containers.contains(name) { return true }
      // Not used.
      if MediaType.accompaniments.contains(where: name.hasPrefix) { return false }
      guard MediaType.pictures.contains(where: name.hasPrefix) else {
        state.verdict.record(.foreign(name))
        return false
      }
      if name.hasPrefix("image/svg") { state.isVector = limits.vectorSide != nil }
      if state.isVector, name == "video/x-raw", width > 0, height > 0 {
        state.verdict.record(.drawing(width: Int(width), height: Int(height)))
        return false
      }
      if rejectsSize(width: Int(width), height: Int(height), &state) { return false }
      guard name == "video/x-raw", max(width, height) > Self.longestSide else { return true }
      state.verdict.record(
        .tooLarge("\(width) x \(height) pixels, at most \(Self.longestSide) each way"))
      return false
    }
  }

  /// The maximum width and height in pixels that videoconvert accepts.
  static let longestSide = 32767

  /// Records that no stream of the file has pictures.
  func recordNoPictures() {
    state.withLock { state in
      // In a chained file, streams after the pictures are ignored.
      state.verdict.record(state.count > 0 ? .enough : .noPictures)
    }
  }

  /// Counts a read at this byte offset.
  func countRead(at offset: UInt64) {
    state.withLock { state in
      state.reads.all += 1
      if offset >= size { state.reads.pastEnd += 1 }
    }
  }

  /// A pad probe: drops refused caps, and makes their decoder's allocations fail.
  func filterCaps(_ info: UnsafeMutablePointer<GstPadProbeInfo>) -> GstPadProbeReturn {
    if info.pointee.type.rawValue & GST_PAD_PROBE_TYPE_QUERY_DOWNSTREAM.rawValue != 0 {
      guard let query = gst_pad_probe_info_get_query(info),
        query.pointee.type == GST_QUERY_ALLOCATION, refusesMemory
      else { return GST_PAD_PROBE_OK }
      RefusingAllocator.propose(in: query)
      return GST_PAD_PROBE_HANDLED
    }
    guard let event = gst_pad_probe_info_get_event(info), cgst_event_type(event) == GST_EVENT_CAPS
    else { return GST_PAD_PROBE_OK }
    var caps: UnsafeMutablePointer<GstCaps>?
    gst_event_parse_caps(event, &caps)
    return caps.map(allows) == false ? GST_PAD_PROBE_DROP : GST_PAD_PROBE_OK
  }

  /// Whether pictures of this size are too large; records that in the verdict.
  func rejectsSize(width: Int, height: Int) -> Bool {
    state.withLock { rejectsSize(width: width, height: height, &$0) }
  }

  private var refusesMemory: Bool {
    state.withLock { $0.verdict.refusesMemory }
  }

  private func rejectsSize(width: Int, height: Int, _ state: inout State) -> Bool {
    // No overflow: both are 32-bit values.
    guard width * height > limits.pixels else { return false }
    state.verdict.record(
      .tooLarge("\(width) x \(height) pixels, at most \(limits.pixels / 1_000_000) million"))
    return true
  }

  /// Stores a frame that arrived at `pad`, if it is needed.
  func collect(_ buffer: UnsafeMutablePointer<GstBuffer>, at pad: UnsafeMutablePointer<GstPad>) {
    guard let video = GstVideoInfo(at: pad) else { return }
    if let receiver { return deliver(buffer, video, to: receiver) }
    let (width, height) = (Int(video.width), Int(video.height))
    state.withLock { state in
      guard state.verdict.wantsFrames, !rejectsSize(width: width, height: height, &state) else {
        return
      }
      state.bytes += width * height * 4
      guard state.bytes <= limits.bytes else {
        state.verdict.record(.tooLarge("more than \(limits.bytes >> 20) MB of frames"))
        state.storage = .keeping([])
        return
      }
      if state.count > 0, state.bytes > Self.keptAtFirst, !isCounted { state.storage = .counting }
      if case .keeping(var frames) = state.storage {
        // Moved out of `state`, so that the append does not copy the array.
        state.storage = .counting
        let frame = makeFrame(buffer, video, &state)
        if let frame { frames.append(frame) }
        state.storage = .keeping(frames)
        if frame == nil { return }
      }
      state.count += 1
      if state.count >= limits.frames { state.verdict.record(.enough) }
    }
  }

  /// Passes a frame to the receiver, if it is needed, and waits for its return.
  private func deliver(
    _ buffer: UnsafeMutablePointer<GstBuffer>, _ video: GstVideoInfo, to receiver: Receiver
  ) {
    let given = state.withLock { state -> PictureFile.DecodedFrame? in
      guard state.verdict.wantsFrames,
        !rejectsSize(width: Int(video.width), height: Int(video.height), &state),
        let frame = makeFrame(buffer, video, &state)
      else { return nil }
      state.count += 1
      state.isReceiving = true
      return frame
    }
    guard let given else { return }
    let isWanted = receiver(given)
    state.withLock { state in
      state.isReceiving = false
      if !isWanted { state.verdict.record(.enough) }
    }
  }

  private func makeFrame(
    _ buffer: UnsafeMutablePointer<GstBuffer>, _ video: GstVideoInfo, _ state: inout State
  ) -> PictureFile.DecodedFrame? {
    func zeroIfNone(_ time: GstClockTime) -> UInt64 {
      time == cgst_clock_time_none ? 0 : UInt64(time)
    }
    guard let picture = OwnedPicture(rgba: buffer, video) else { return nil }
    let pts = zeroIfNone(buffer.pointee.pts)
    let start = state.start ?? pts
    state.start = start
    var time = pts > start ? pts - start : 0
    // gst-libav sets all timestamps of a GIF to 0, but the right durations.
    if let last = state.last, time <= last.time {
      let (sum, isTooLate) = last.time.addingReportingOverflow(last.duration)
      time = isTooLate ? .max : sum
    }
    let duration = zeroIfNone(buffer.pointee.duration)
    state.last = (time, duration)
    return .init(picture: picture, time: time, duration: duration)
  }
}
