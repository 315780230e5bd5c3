import CGStreamer
import Files
import Frames
import Pixels
import Synchronization

/// Takes the frames that a decoder gives, and refuses what is too large or of another kind.
///
/// The decoder's threads give, another one asks what came of it.
final class FrameCollector: Sendable {
  /// What becomes of frames.
  private enum Storage {
    case keeping([PictureFile.DecodedFrame])
    /// Too many bytes came to keep them before it is known that all of them are wanted.
    case counting
  }

  private struct State {
    var verdict = DecodingVerdict.undecided
    var storage = Storage.keeping([])
    /// How many frames there were, and their bytes.
    var count = 0
    var bytes = 0
    /// Time of the first frame; when the last one begins, and how long it is shown.
    var start: UInt64?
    var last: (time: UInt64, duration: UInt64)?
    /// Whether the receiver has not returned yet.
    var isReceiving = false
    /// Reads, and those that begin where the file has ended.
    var reads = (all: 0, pastEnd: 0)
    var isVector = false
  }

  /// Most bytes of frames that are kept before it is known that the file's frames are not too many.
  private static let keptAtFirst = 64 << 20

  private let limits: PictureFile.Limits
  /// Bytes of the file.
  private let size: Int
  /// Whether the frames were counted before.
  private let isCounted: Bool
  private let receiver: Receiver?
  /// Why a document is not to be drawn, as the rest of a sentence that says it is too large.
  private let drawingProblem: @Sendable () -> String?
  private let state = Mutex(State())

  /// Takes a frame, for which it may hold the decoder up; false when no more are wanted.
  typealias Receiver = @Sendable (PictureFile.DecodedFrame) -> Bool

  /// Keeps the frames that come, or gives each to `receiver`.
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

  // MARK: What came of it

  /// Whether nothing more is wanted.
  var isDone: Bool {
    state.withLock { if case .undecided = $0.verdict { false } else { true } }
  }

  var hasNoPictures: Bool {
    state.withLock { if case .noPictures = $0.verdict { true } else { false } }
  }

  /// The size that the file gives what it describes, where nothing was drawn yet.
  var drawing: (width: Int, height: Int)? {
    state.withLock {
      if case .drawing(let width, let height) = $0.verdict { (width, height) } else { nil }
    }
  }

  /// Whether the frames were only counted and are not too many to be kept, though the decoder said
  /// `problem`: that does not matter once there are enough of them.
  func mustKeep(_ problem: String?) -> Bool {
    state.withLock { state in
      guard case .counting = state.storage else { return false }
      return switch state.verdict {
      case .enough: true
      case .tooLarge: false
      default: problem == nil
      }
    }
  }

  /// Frames and reads so far, whether the decoder goes on reading where there is nothing, and
  /// whether it is held up by who receives its frames.
  var progress: (frames: Int, reads: Int, readsOn: Bool, isHeld: Bool) {
    state.withLock { ($0.count, $0.reads.all, $0.reads.pastEnd > 1000, $0.isReceiving) }
  }

  /// The frames of the file at `path`, of which the decoder said `problem`; call it once.
  func finish(
    _ path: FilePath, problem: String?
  ) throws(ElementError) -> [PictureFile.DecodedFrame] {
    _ = try finishGiving(path, problem: problem)
    return state.withLock { state in
      defer { state.storage = .keeping([]) }
      guard case .keeping(let frames) = state.storage else { return [] }
      return frames
    }
  }

  /// The same where the frames were given away; how many there were.
  func finishGiving(_ path: FilePath, problem: String?) throws(ElementError) -> Int {
    let (verdict, count) = state.withLock { ($0.verdict, $0.count) }
    switch verdict {
    case .foreign(let name):
      throw ElementError(
        .wrongContent,
        "\(path) is neither picture nor film, but \(name), and what it names is "
          + "not followed.")
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
      throw ElementError(.wrongContent, "\(path) has no picture in it.")
    }
    return count
  }

  // MARK: What the decoder gives

  /// Whether to go on with what a part of a decoder gives.
  ///
  /// Caps come before memory for pictures of that size is asked for. A playlist would have the
  /// decoder read other files, and the network, in the name of whoever made it.
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
        state.verdict.become(.tooLarge(problem))
        return false
      }
      if MediaType.containers.contains(name) { return true }
      // Decoded for nobody.
      if MediaType.accompaniments.contains(where: name.hasPrefix) { return false }
      guard MediaType.pictures.contains(where: name.hasPrefix) else {
        state.verdict.become(.foreign(name))
        return false
      }
      if name.hasPrefix("image/svg") { state.isVector = limits.vectorSide != nil }
      if state.isVector, name == "video/x-raw", width > 0, height > 0 {
        state.verdict.become(.drawing(width: Int(width), height: Int(height)))
        return false
      }
      if isRefused(width: Int(width), height: Int(height), &state) { return false }
      guard name == "video/x-raw", max(width, height) > Self.longestSide else { return true }
      state.verdict.become(
        .tooLarge("\(width) x \(height) pixels, at most \(Self.longestSide) each way"))
      return false
    }
  }

  /// Most pixels of a row or a column that GStreamer converts.
  static let longestSide = 32767

  /// Notes that no stream of the file has pictures.
  func noteNoPictures() {
    state.withLock { state in
      // What follows after the pictures of a chained file is not wanted.
      state.verdict.become(state.count > 0 ? .enough : .noPictures)
    }
  }

  /// Counts a read that begins at this byte.
  func noteRead(at offset: UInt64) {
    state.withLock { state in
      state.reads.all += 1
      if offset >= size { state.reads.pastEnd += 1 }
    }
  }

  /// Lets all pass but the caps of pictures that are too large, and gives their decoder no memory.
  func judge(_ info: UnsafeMutablePointer<GstPadProbeInfo>) -> GstPadProbeReturn {
    if info.pointee.type.rawValue & GST_PAD_PROBE_TYPE_QUERY_DOWNSTREAM.rawValue != 0 {
      guard let query = gst_pad_probe_info_get_query(info),
        query.pointee.type == GST_QUERY_ALLOCATION, refusesMemory
      else { return GST_PAD_PROBE_OK }
      RefusingAllocator.answer(query)
      return GST_PAD_PROBE_HANDLED
    }
    guard let event = gst_pad_probe_info_get_event(info), cgst_event_type(event) == GST_EVENT_CAPS
    else { return GST_PAD_PROBE_OK }
    var caps: UnsafeMutablePointer<GstCaps>?
    gst_event_parse_caps(event, &caps)
    return caps.map(allows) == false ? GST_PAD_PROBE_DROP : GST_PAD_PROBE_OK
  }

  /// Whether pictures of this size are too large, which is noted then.
  func isRefused(width: Int, height: Int) -> Bool {
    state.withLock { isRefused(width: width, height: height, &$0) }
  }

  /// Whether something of it is not to be decoded, though the rest could be.
  private var refusesMemory: Bool {
    state.withLock { $0.verdict.refusesMemory }
  }

  /// Whether pictures of this size are too large; then `state` says so.
  private func isRefused(width: Int, height: Int, _ state: inout State) -> Bool {
    // Both are of 32 bits.
    guard width * height > limits.pixels else { return false }
    state.verdict.become(
      .tooLarge("\(width) x \(height) pixels, at most \(limits.pixels / 1_000_000) million"))
    return true
  }

  /// Keeps a frame that has come to `pad`, if it is wanted.
  func collect(_ buffer: UnsafeMutablePointer<GstBuffer>, at pad: UnsafeMutablePointer<GstPad>) {
    guard let video = GstVideoInfo(at: pad) else { return }
    if let receiver { return give(buffer, video, to: receiver) }
    let (width, height) = (Int(video.width), Int(video.height))
    state.withLock { state in
      guard state.verdict.wantsFrames, !isRefused(width: width, height: height, &state) else {
        return
      }
      state.bytes += width * height * 4
      guard state.bytes <= limits.bytes else {
        state.verdict.become(.tooLarge("more than \(limits.bytes >> 20) MB of frames"))
        state.storage = .keeping([])
        return
      }
      if state.count > 0, state.bytes > Self.keptAtFirst, !isCounted { state.storage = .counting }
      if case .keeping(var frames) = state.storage {
        // The array has one owner while it grows.
        state.storage = .counting
        let frame = frame(buffer, video, &state)
        if let frame { frames.append(frame) }
        state.storage = .keeping(frames)
        if frame == nil { return }
      }
      state.count += 1
      if state.count >= limits.frames { state.verdict.become(.enough) }
    }
  }

  /// Gives a frame away, if it is wanted; waits for whoever takes it.
  private func give(
    _ buffer: UnsafeMutablePointer<GstBuffer>, _ video: GstVideoInfo, to receiver: Receiver
  ) {
    let given = state.withLock { state -> PictureFile.DecodedFrame? in
      guard state.verdict.wantsFrames,
        !isRefused(width: Int(video.width), height: Int(video.height), &state),
        let frame = frame(buffer, video, &state)
      else { return nil }
      state.count += 1
      state.isReceiving = true
      return frame
    }
    guard let given else { return }
    let isWanted = receiver(given)
    state.withLock { state in
      state.isReceiving = false
      if !isWanted { state.verdict.become(.enough) }
    }
  }

  private func frame(
    _ buffer: UnsafeMutablePointer<GstBuffer>, _ video: GstVideoInfo, _ state: inout State
  ) -> PictureFile.DecodedFrame? {
    func known(_ time: GstClockTime) -> UInt64 { time == cgst_clock_time_none ? 0 : UInt64(time) }
    guard let picture = OwnedPicture(rgba: buffer, video) else { return nil }
    let pts = known(buffer.pointee.pts)
    let start = state.start ?? pts
    state.start = start
    var time = pts > start ? pts - start : 0
    // gst-libav calls all times of a GIF 0, and knows how long each frame is shown.
    if let last = state.last, time <= last.time {
      let (sum, isTooLate) = last.time.addingReportingOverflow(last.duration)
      time = isTooLate ? .max : sum
    }
    let duration = known(buffer.pointee.duration)
    state.last = (time, duration)
    return .init(picture: picture, time: time, duration: duration)
  }
}
