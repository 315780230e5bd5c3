import CGStreamer
import CGstApp
import Files
import Glibc
import Programs
import Studio

/// Small pictures of what packs and looks make of the photograph, made by the elements themselves.
///
/// One thread makes them, one after another, and leaves the processor to whoever else wants it.
final class Thumbnails {
  /// The sides of one, in pixels.
  static let side = 128

  private let photograph: FilePath
  private let lock = Lock()
  private var waiting: [(effect: Effect, property: String, value: Setting, done: (Frame) -> Void)] =
    []
  /// Nothing is made before the window has something to show.
  private var isWorking = true
  private var isOver = false

  init(_ photograph: FilePath) { self.photograph = photograph }

  /// Has one made; `done` gets it on the main thread, or never where it cannot be made.
  func ask(
    _ effect: Effect, _ property: String, _ value: Setting, _ done: @escaping (Frame) -> Void
  ) {
    let mustStart = lock {
      waiting.append((effect, property, value, done))
      defer { isWorking = true }
      return !isWorking
    }
    if mustStart { Worker.run { [self] in work() } }
  }

  /// From here on they are made.
  func begin() { Worker.run { [self] in work() } }

  /// From here on none is made, or handed over.
  func stop() {
    lock {
      waiting = []
      isOver = true
    }
  }

  private func work() {
    // Of this thread and those that it starts, and of no others: so Linux has it.
    setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, 10)
    while let next = lock({ () -> (Effect, String, Setting, (Frame) -> Void)? in
      guard !waiting.isEmpty else {
        isWorking = false
        return nil
      }
      return waiting.removeFirst()
    }) {
      guard let frame = try? make(next.0, next.1, next.2) else { continue }
      MainLoop.soon { [self] in if !lock({ isOver }) { next.3(frame) } }
    }
  }

  private func make(_ effect: Effect, _ property: String, _ value: Setting) throws(Problem)
    -> Frame?
  {
    let faces = effect.needsFaces ? " ! mienfacedetect updates=none" : ""
    let bin = try Element.bin(
      "filesrc name=file ! pngdec ! videocrop left=96 right=158 bottom=254"
        + " ! videoconvert ! videoscale"
        + " ! video/x-raw,format=I420,width=\(Self.side),height=\(Self.side) ! imagefreeze"
        + " ! video/x-raw,framerate=10/1\(faces) ! \(effect.rawValue) name=effect ! videoconvert"
        + " ! video/x-raw,format=BGRA ! appsink name=out sync=false max-buffers=1")
    bin["file"]?.set("location", text: photograph)
    bin["effect"]?.set(property, value)
    guard let out = bin["out"] else { return nil }
    let pipeline = try Element.pipeline()
    pipeline.add(bin)
    defer { pipeline.setState(GST_STATE_NULL) }
    guard pipeline.setState(GST_STATE_PLAYING) else { return nil }
    let sink = UnsafeMutableRawPointer(out.raw).assumingMemoryBound(to: GstAppSink.self)
    // Some packs come in with a movement; a second later they are all there.
    var frame: Frame?
    for _ in 0..<(effect == .sticker ? 9 : 1) {
      guard let sample = gst_app_sink_try_pull_sample(sink, 2_000_000_000) else { return nil }
      frame = Frame(sample, hasAlpha: false)
      gst_mini_object_unref(cgst_mini_object(UnsafeMutableRawPointer(sample)))
    }
    return frame
  }
}
