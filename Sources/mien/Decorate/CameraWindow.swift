import CGStreamer
import Files

/// A camera, decorated, in a window.
enum CameraWindow {
  /// Until Ctrl-C, or until the window is closed.
  static func show(_ device: FilePath, _ effects: Effects) throws(Problem) -> Int32 {
    let pipeline = try Element.pipeline()
    let bin = try Element.bin(
      "v4l2src name=camera ! decodebin ! videoconvert\(effects.description) ! videoconvert"
        + " ! autovideosink")
    bin["camera"]?.set("device", text: device)
    try effects.set(bin, threads: 0)
    pipeline.add(bin)
    pipeline.setState(GST_STATE_PLAYING)
    defer { pipeline.setState(GST_STATE_NULL) }
    while Interruption.signal == nil {
      switch pipeline.listen(milliseconds: 100) {
      case .end: return Ending.done.rawValue
      case .error(let text, _): throw Problem.failure(text).of(Terminal.shown(device))
      case .warning, nil: continue
      }
    }
    return Ending.done.rawValue
  }
}
