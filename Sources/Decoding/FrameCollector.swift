import CGStreamer
import Files
package import Frames
import Pixels
import Synchronization

/// Takes the frames that a decoder gives, and refuses what is too large or of another kind.
///
/// The decoder's threads give, another one asks what came of it.
final class FrameCollector: Sendable {
  private struct State {
    var frames: [PictureFile.DecodedFrame] = []
    /// How many frames there were, and their bytes; all are kept, or counted alone.
    var count = 0
    var bytes = 0
    /// Too much came to keep it before all of it is known to be wanted.
    var isCounting = false
    /// Time of the first frame; when the last one begins, and how long it is shown.
    var start: UInt64?
    var last: (time: UInt64, duration: UInt64)?
    /// Whether the receiver has not come back yet.
    var isHeld = false
    var reads = 0
    /// Reads from where the file has ended already.
    var readsPastEnd = 0
    /// Why collecting stopped before the end; empty when there are simply enough frames.
    var refusal: String?
    /// What it holds that is neither picture nor film; nil while nothing of that kind was seen.
    var foreign: String?
    /// The file describes its picture, and that is so large.
    var drawing: (width: Int, height: Int)?
    var isVector = false
    /// All of its streams are known, and none of them has pictures.
    var hasNoPictures = false
  }

  /// Most bytes of frames that are kept before it is known that the file's frames are not too many.
  private static let keptAtFirst = 64 << 20

  private let ceiling: PictureFile.Ceiling
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
    _ ceiling: PictureFile.Ceiling, size: Int, isCounted: Bool = false, receiver: Receiver? = nil,
    drawingProblem: @escaping @Sendable () -> String? = { nil }
  ) {
    self.ceiling = ceiling
    self.size = size
    self.isCounted = isCounted
    self.receiver = receiver
    self.drawingProblem = drawingProblem
  }

  // MARK: What came of it

  /// Whether nothing more is wanted.
  var isDone: Bool {
    state.withLock {
      $0.refusal != nil || $0.foreign != nil || $0.drawing != nil || $0.hasNoPictures
    }
  }

  var hasNoPictures: Bool { state.withLock { $0.hasNoPictures } }

  /// The size that the file gives what it describes, where nothing was drawn yet.
  var drawing: (width: Int, height: Int)? { state.withLock { $0.drawing } }

  /// Whether the frames were only counted and are not too many to be kept, though the decoder said
  /// `problem`: that does not matter once there are enough of them.
  func mustKeep(_ problem: String?) -> Bool {
    state.withLock { $0.isCounting && ($0.refusal == "" || $0.refusal == nil && problem == nil) }
  }

  /// Frames and reads so far, whether the decoder goes on reading where there is nothing, and
  /// whether it is held up by who receives its frames.
  var progress: (frames: Int, reads: Int, readsOn: Bool, isHeld: Bool) {
    state.withLock { ($0.count, $0.reads, $0.readsPastEnd > 1000, $0.isHeld) }
  }

  /// The frames of the file at `path`, of which the decoder said `problem`; call it once.
  func finish(
    _ path: FilePath, problem: String?
  ) throws(ElementError) -> [PictureFile.DecodedFrame] {
    _ = try finishGiving(path, problem: problem)
    return state.withLock { state in
      defer { state.frames = [] }
      return state.frames
    }
  }

  /// The same where the frames were given away; how many there were.
  func finishGiving(_ path: FilePath, problem: String?) throws(ElementError) -> Int {
    let (foreign, refusal, count, hasNoPictures) = state.withLock {
      ($0.foreign, $0.refusal, $0.count, $0.hasNoPictures)
    }
    if let foreign {
      throw ElementError(
        .wrongContent,
        "\(path) is neither picture nor film, but \(foreign), and what it names is "
          + "not followed.")
    }
    if let refusal, !refusal.isEmpty {
      throw ElementError(.wrongContent, "\(path) is too large: \(refusal).")
    }
    if hasNoPictures, problem == nil {
      throw ElementError(.wrongContent, "\(path) cannot be decoded: it has no pictures.")
    }
    if let problem, refusal == nil {
      throw ElementError(.wrongContent, "\(path) cannot be decoded: \(problem)")
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
        state.refusal = state.refusal ?? problem
        return false
      }
      if Self.containers.contains(name) { return true }
      // Decoded for nobody.
      if Self.others.contains(where: name.hasPrefix) { return false }
      guard Self.pictures.contains(where: name.hasPrefix) else {
        state.foreign = state.foreign ?? name
        return false
      }
      if name.hasPrefix("image/svg") { state.isVector = ceiling.vectorSide != nil }
      if state.isVector, name == "video/x-raw", width > 0, height > 0 {
        state.drawing = state.drawing ?? (Int(width), Int(height))
        return false
      }
      if isRefused(width: Int(width), height: Int(height), &state) { return false }
      guard name == "video/x-raw", max(width, height) > Self.longestSide else { return true }
      state.refusal =
        state.refusal ?? "\(width) x \(height) pixels, at most \(Self.longestSide) each way"
      return false
    }
  }

  /// Most pixels of a row or a column that GStreamer converts.
  static let longestSide = 32767

  private static let pictures = ["image/", "video/"]
  /// What goes with pictures: sound, words, data.
  private static let others = [
    "audio/", "text/", "subpicture/", "subtitle/", "closedcaption/", "meta/", "private/",
    "application/x-ssa", "application/x-ass", "application/x-usf", "application/x-subtitle",
    "application/x-teletext", "application/ttml",
  ]
  private static let containers = [
    "application/ogg", "application/mxf", "application/x-3gp", "application/x-id3",
    "application/x-apetag", "audio/ogg", "audio/webm", "audio/x-m4a", "audio/x-matroska",
  ]

  /// Notes that no stream of the file has pictures.
  func noteNoPictures() {
    state.withLock { state in
      // What follows after the pictures of a chained file is not wanted.
      if state.count > 0 { state.refusal = state.refusal ?? "" } else { state.hasNoPictures = true }
    }
  }

  /// Counts a read that begins at this byte.
  func noteRead(at offset: UInt64) {
    state.withLock { state in
      state.reads += 1
      if offset >= size { state.readsPastEnd += 1 }
    }
  }

  /// Lets all pass but the caps of pictures that are too large, and gives their decoder no memory.
  func judge(_ info: UnsafeMutablePointer<GstPadProbeInfo>) -> GstPadProbeReturn {
    if info.pointee.type.rawValue & GST_PAD_PROBE_TYPE_QUERY_DOWNSTREAM.rawValue != 0 {
      guard let query = gst_pad_probe_info_get_query(info),
        query.pointee.type == GST_QUERY_ALLOCATION, isRefused
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
  private var isRefused: Bool {
    state.withLock { $0.refusal ?? "" != "" || $0.drawing != nil || $0.foreign != nil }
  }

  /// Whether pictures of this size are too large; then `state` says so.
  private func isRefused(width: Int, height: Int, _ state: inout State) -> Bool {
    // Both are of 32 bits.
    guard width * height > ceiling.pixels else { return false }
    state.refusal =
      state.refusal ?? "\(width) x \(height) pixels, at most \(ceiling.pixels / 1_000_000) million"
    return true
  }

  /// Keeps a frame that has come to `pad`, if it is wanted.
  func collect(_ buffer: UnsafeMutablePointer<GstBuffer>, at pad: UnsafeMutablePointer<GstPad>) {
    guard let video = GstVideoInfo(at: pad) else { return }
    if let receiver { return give(buffer, video, to: receiver) }
    let (width, height) = (Int(video.width), Int(video.height))
    state.withLock { state in
      guard state.refusal == nil, !isRefused(width: width, height: height, &state) else { return }
      state.bytes += width * height * 4
      guard state.bytes <= ceiling.bytes else {
        state.refusal = "more than \(ceiling.bytes >> 20) MB of frames"
        state.frames = []
        return
      }
      if state.count > 0, state.bytes > Self.keptAtFirst, !isCounted {
        state.isCounting = true
        state.frames = []
      }
      if !state.isCounting {
        guard let frame = frame(buffer, video, &state) else { return }
        state.frames.append(frame)
      }
      state.count += 1
      if state.count >= ceiling.frames { state.refusal = "" }
    }
  }

  /// Gives a frame away, if it is wanted; waits for whoever takes it.
  private func give(
    _ buffer: UnsafeMutablePointer<GstBuffer>, _ video: GstVideoInfo, to receiver: Receiver
  ) {
    let given = state.withLock { state -> PictureFile.DecodedFrame? in
      guard state.refusal == nil,
        !isRefused(width: Int(video.width), height: Int(video.height), &state),
        let frame = frame(buffer, video, &state)
      else { return nil }
      state.count += 1
      state.isHeld = true
      return frame
    }
    guard let given else { return }
    let isWanted = receiver(given)
    state.withLock { state in
      state.isHeld = false
      if !isWanted { state.refusal = state.refusal ?? "" }
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
