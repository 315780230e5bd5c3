import CGStreamer
import Client
import Files
import Glibc
import Programs
import Studio

/// Renders packs and looks on the photograph as thumbnails, with the elements themselves.
///
/// One thread of low priority renders them one after another.
final class Thumbnails {
  /// The side of a thumbnail in pixels.
  static let side = 128

  private let photograph: FilePath
  private let lock = RecursiveLock()
  private var queue: [Request] = []
  /// True at first: nothing is rendered before the first frame is displayed.
  private var isWorking = true
  private var isOver = false

  private struct Request {
    let kind: ElementKind
    let property: String
    let value: PropertyValue
    let done: (Frame) -> Void
  }

  init(_ photograph: FilePath) { self.photograph = photograph }

  /// Requests a thumbnail; `done` is called on the main thread, or never where it fails.
  func request(
    _ kind: ElementKind, _ property: String, _ value: PropertyValue,
    _ done: @escaping (Frame) -> Void
  ) {
    let mustStart = lock {
      queue.append(Request(kind: kind, property: property, value: value, done: done))
      defer { isWorking = true }
      return !isWorking
    }
    if mustStart { DetachedThread.run { [self] in renderRequests() } }
  }

  /// Starts to render.
  func start() { DetachedThread.run { [self] in renderRequests() } }

  /// Drops all requests; `done` is not called any more.
  func stop() {
    lock {
      queue = []
      isOver = true
    }
  }

  private func renderRequests() {
    // On Linux this is the priority of this thread and of those that it starts.
    setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, 10)
    while let request = lock({ () -> Request? in
      isWorking = !queue.isEmpty
      return isWorking ? queue.removeFirst() : nil
    }) {
      guard let frame = try? render(request) else { continue }
      MainLoop.dispatch { [self] in if !lock({ isOver }) { request.done(frame) } }
    }
  }

  private func render(_ request: Request) throws(ProgramError) -> Frame? {
    let faces = request.kind.needsFaces ? " ! mienfacedetect updates=none" : ""
    // The room is what a background changes.
    let crop = request.kind == .background ? "bottom=200 left=200" : "left=96 right=158 bottom=254"
    let bin = try Element.bin(
      "filesrc name=file ! pngdec ! videocrop \(crop)"
        + " ! videoconvert ! videoscale"
        + " ! video/x-raw,format=I420,width=\(Self.side),height=\(Self.side) ! imagefreeze"
        + " ! video/x-raw,framerate=10/1\(faces) ! \(request.kind.rawValue) name=effect ! videoconvert"
        + " ! video/x-raw,format=BGRA ! appsink name=out sync=false max-buffers=1")
    bin["file"]?.set("location", string: photograph)
    bin["effect"]?.set(request.property, request.value)
    guard let out = bin["out"] else { return nil }
    let pipeline = try Element.pipeline()
    pipeline.add(bin)
    defer { pipeline.setState(GST_STATE_NULL) }
    guard pipeline.setState(GST_STATE_PLAYING) else { return nil }
    // Some packs are animated at the beginning; the frame after 0.9 s has all of their items.
    var frame: Frame?
    for _ in 0..<(request.kind == .sticker ? 9 : 1) {
      guard let sample = out.pullSample(milliseconds: 2000) else { return nil }
      frame = Frame(sample, hasAlpha: false)
    }
    return frame
  }
}
