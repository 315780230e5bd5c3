import CGStreamer
import CGstApp
import Client
import Files
import Glibc
import Programs

/// Shows the frames of a source as a virtual camera, until a signal arrives.
///
/// Two pipelines: one decorates the source, the other one is the camera. So the camera stays while
/// the source is closed because nobody looks, or is gone. For one thread.
final class CameraBroadcast {
  private let source: CameraSource
  private let effects: EffectOptions
  private let camera: VirtualCamera
  private let isVerbose: Bool
  /// The caps of all frames: those of the first one.
  private var caps: UnsafeMutablePointer<GstCaps>?
  private var capture: Element?
  private var output: Element
  private let monitor: ConsumerMonitor?
  /// When the source failed, and the next attempt.
  private var retryTime: Double?
  private static let retryInterval = 1.0
  private static let startTime = 10.0

  init(
    _ source: CameraSource, _ effects: EffectOptions, as camera: VirtualCamera, isVerbose: Bool
  ) throws(ProgramError) {
    self.source = source
    self.effects = effects
    self.camera = camera
    self.isVerbose = isVerbose
    output = try Element.pipeline()
    monitor = camera == .pipeWire ? ConsumerMonitor() : nil
  }

  deinit {
    capture?.setState(GST_STATE_NULL)
    output.setState(GST_STATE_NULL)
    if let caps { gst_mini_object_unref(cgst_mini_object(caps)) }
  }

  /// Returns after a signal.
  func run() throws(ProgramError) {
    try startCapture()
    guard try takeFirstFrame() else { return }
    try startOutput()
    report()
    var isWatched = monitor == nil
    while TerminationSignal.received == nil {
      if let monitor, monitor.poll() != isWatched {
        isWatched.toggle()
        if isVerbose {
          Terminal.printLine(isWatched ? "somebody looks" : "nobody looks; the source is closed")
        }
        // The sink passes nothing to a second consumer: it is made anew for the next one.
        if !isWatched { try startOutput() }
      }
      if isWatched { try passFrame() } else { try waitForConsumer() }
      if case .error(let report)? = output.nextMessage(milliseconds: 0) {
        guard VirtualCamera.isEndOfConsumer(report) else {
          throw .failure("the virtual camera ended: \(report.text)")
        }
        try startOutput()
      }
    }
  }

  // MARK: The source

  private func startCapture() throws(ProgramError) {
    let pipeline = try source.makePipeline(effects)
    pipeline.setState(GST_STATE_PLAYING)
    capture = pipeline
  }

  private func stopCapture() {
    capture?.setState(GST_STATE_NULL)
    capture = nil
  }

  /// Waits for a frame, whose caps are those of the camera; false after a signal.
  private func takeFirstFrame() throws(ProgramError) -> Bool {
    let end = MonotonicClock.seconds + Self.startTime
    while TerminationSignal.received == nil {
      if let new = capture?["out"]?.pullSample(milliseconds: 50)?.caps {
        gst_mini_object_ref(cgst_mini_object(new))
        caps = new
        return true
      }
      if case .error(let report)? = capture?.nextMessage(milliseconds: 0) {
        throw .failure(report.text)
      }
      guard MonotonicClock.seconds < end else { throw .failure("no frame came out of it") }
    }
    return false
  }

  /// Passes a frame of the source on, or opens it anew where it failed.
  private func passFrame() throws(ProgramError) {
    if let retryTime {
      usleep(50_000)
      guard MonotonicClock.seconds >= retryTime else { return }
      self.retryTime = nil
    }
    if capture == nil { try startCapture() }
    guard let capture else { return }
    if let sample = capture["out"]?.pullSample(milliseconds: 50) {
      if let source = output["frames"]?.appSource { gst_app_src_push_sample(source, sample.raw) }
      return
    }
    switch capture.nextMessage(milliseconds: 0) {
    case .endOfStream where source.repeats:
      if !capture.restart() {
        stopCapture()
        try startCapture()
      }
    case .endOfStream: retry("it ended")
    case .error(let report): retry(report.text)
    default: break
    }
  }

  private func retry(_ reason: String) {
    Terminal.warn("\(Terminal.printable(source.path)): \(reason) It is opened again.")
    stopCapture()
    retryTime = MonotonicClock.seconds + Self.retryInterval
  }

  private func waitForConsumer() throws(ProgramError) {
    stopCapture()
    retryTime = nil
    usleep(50_000)
  }

  // MARK: The camera

  /// Makes the camera anew, with a black frame for those who begin to look.
  private func startOutput() throws(ProgramError) {
    output.setState(GST_STATE_NULL)
    output = try Element.pipeline()
    let bin = try Element.bin(
      "appsrc name=frames is-live=true format=time do-timestamp=true max-buffers=1"
        + " leaky-type=downstream ! videoconvert ! videoscale add-borders=true"
        + " ! capsfilter name=fixed ! \(camera.sinkDescription)")
    var info = GstVideoInfo()
    gst_video_info_from_caps(&info, caps)
    bin["fixed"]?.setCaps(
      "video/x-raw,width=\(info.width),height=\(info.height),pixel-aspect-ratio=1/1")
    output.add(bin)
    guard output.setState(GST_STATE_PLAYING) else {
      throw .failure("the virtual camera cannot be started")
    }
    if let source = bin["frames"]?.appSource, let black = makeBlackFrame() {
      gst_app_src_set_caps(source, caps)
      gst_app_src_push_buffer(source, black)
    }
  }

  /// A new frame in I420.
  private func makeBlackFrame() -> UnsafeMutablePointer<GstBuffer>? {
    var info = GstVideoInfo()
    guard gst_video_info_from_caps(&info, caps) != 0,
      let buffer = gst_buffer_new_allocate(nil, gsize(info.size), nil)
    else { return nil }
    let luma = gsize(info.offset.1)
    gst_buffer_memset(buffer, 0, 16, luma)
    gst_buffer_memset(buffer, luma, 128, gsize(info.size) - luma)
    return buffer
  }

  private func report() {
    var info = GstVideoInfo()
    guard gst_video_info_from_caps(&info, caps) != 0 else { return }
    let size = "\(info.width)x\(info.height)"
    let rate = info.fps_d > 0 ? (Double(info.fps_n) / Double(info.fps_d)).fixed(0) : "?"
    switch camera {
    case .pipeWire:
      Terminal.printLine(
        "other programs see the camera \(VirtualCamera.name), \(size) at \(rate) frames a second, "
          + "by PipeWire")
    case .loopback(let device):
      Terminal.printLine(
        "other programs see the camera \(device), \(size) at \(rate) frames a second")
    }
    if camera == .pipeWire, getenv("DBUS_SESSION_BUS_ADDRESS") == nil {
      Terminal.warn("there is no session bus: browsers, which ask the camera portal, see no camera")
    }
  }
}
