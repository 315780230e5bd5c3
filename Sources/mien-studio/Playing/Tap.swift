import CGStreamer
import CGstApp
import Files
import Glibc
import Programs

/// A second pipeline that gets every whole frame too: a file that is recorded, or a camera that
/// other programs see.
///
/// What goes wrong in it, or how slow it is, the window does not notice.
final class Tap {
  private let pipeline: Element
  private let source: Element
  private let part: PartFile?
  private var isOver = false
  private var isEnding = false
  private let lock = Lock()
  private var caps: UnsafeMutablePointer<GstCaps>?
  /// It has ended: nil when all is well, else why; with the file that was written.
  var onEnd: (_ problem: String?, _ path: FilePath?) -> Void = { _, _ in }

  /// A bin of `words`, as gst-launch takes them, gets raw frames.
  ///
  /// With `part` they hold an "fdsink" of the name "file".
  init(_ words: String, part: PartFile?) throws(Problem) {
    self.part = part
    pipeline = try Element.pipeline()
    source = try Element.make("appsrc")
    // A slow encoder loses frames; it does not fill the memory.
    for (name, value) in [
      ("is-live", "true"), ("format", "time"), ("do-timestamp", "true"), ("max-buffers", "30"),
      ("leaky-type", "downstream"),
    ] { source.set(name, value) }
    let rest = try Element.bin(words)
    if let part { rest["file"]?.set("fd", "\(part.descriptor)") }
    pipeline.add(source)
    pipeline.add(rest)
    source.link(rest)
    guard pipeline.setState(GST_STATE_PLAYING) else {
      pipeline.setState(GST_STATE_NULL)
      throw .failure(tr("it cannot be started"))
    }
  }

  deinit {
    pipeline.setState(GST_STATE_NULL)
    if let caps { gst_mini_object_unref(cgst_mini_object(caps)) }
  }

  /// Listens to what the pipeline says, on the main thread.
  func watch() {
    MainLoop.after(milliseconds: 40) { [self] in
      poll(milliseconds: 0)
      return !isOver
    }
  }

  private var app: UnsafeMutablePointer<GstAppSrc> {
    UnsafeMutableRawPointer(source.raw).assumingMemoryBound(to: GstAppSrc.self)
  }

  /// Takes a frame, by reference; on a streaming thread.
  func push(_ buffer: UnsafeMutablePointer<GstBuffer>, _ new: UnsafeMutablePointer<GstCaps>) {
    lock {
      guard !isEnding else { return }
      if caps == nil || gst_caps_is_equal(caps, new) == 0 {
        if let caps { gst_mini_object_unref(cgst_mini_object(caps)) }
        caps = new
        gst_mini_object_ref(cgst_mini_object(new))
        gst_app_src_set_caps(app, new)
      }
      // Times are those at which frames come: a film that begins again does not go back.
      guard let copy = gst_buffer_copy(buffer) else { return }
      copy.pointee.pts = cgst_clock_time_none
      copy.pointee.dts = cgst_clock_time_none
      gst_app_src_push_buffer(app, copy)
    }
  }

  /// Ends what is written; `onEnd` is called when it is whole.
  func end() {
    lock {
      guard !isEnding else { return }
      isEnding = true
      gst_app_src_end_of_stream(app)
    }
  }

  /// The same, and waits for it, at most so long.
  func end(within milliseconds: Int) {
    end()
    for _ in 0..<(milliseconds / 50) where !isOver { poll(milliseconds: 50) }
    if !isOver { finish(tr("it does not end")) }
  }

  private func poll(milliseconds: Int) {
    guard !isOver, let word = pipeline.listen(milliseconds: milliseconds) else { return }
    switch word {
    case .end: finish(nil)
    case .error(let text, _, _): finish(text)
    case .warning: break
    }
  }

  private func finish(_ problem: String?) {
    isOver = true
    lock { isEnding = true }
    pipeline.setState(GST_STATE_NULL)
    var problem = problem
    if problem == nil, let part {
      do throws(Problem) { try part.keep() } catch { problem = error.text }
    }
    part?.discard()
    onEnd(problem, part?.path)
  }
}

/// Where a virtual camera's frames go.
enum VirtualCamera {
  /// In the words of gst-launch; nil where this machine has neither v4l2loopback nor PipeWire.
  static var words: String? {
    for number in 0..<64 {
      let name = "video\(number)"
      if access("/sys/devices/virtual/video4linux/\(name)", F_OK) == 0,
        access("/dev/\(name)", W_OK) == 0
      {
        return "videoconvert ! video/x-raw,format=YUY2 ! v4l2sink device=/dev/\(name) sync=false"
      }
    }
    if let folder = getenv("XDG_RUNTIME_DIR"),
      access(String(cString: folder) + "/pipewire-0", W_OK) == 0, Element.exists("pipewiresink")
    {
      return "videoconvert ! pipewiresink mode=provide"
        + " stream-properties=\"p,media.class=Video/Source,node.description=Mien\""
    }
    return nil
  }
}
