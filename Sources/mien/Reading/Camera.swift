import CGStreamer
import Files
import Glibc
import Programs

/// A camera, until Ctrl-C.
enum Camera {
  /// Shows it, decorated, in a window, until that is closed.
  static func show(_ device: FilePath, _ effects: Effects) throws(Problem) {
    try check(device)
    // GStreamer would try sinks that end the process where there is no screen.
    guard getenv("DISPLAY") != nil || getenv("WAYLAND_DISPLAY") != nil else {
      throw .failure("there is no screen to show a camera on; start it from a desktop")
    }
    let bin = try Element.bin(
      "v4l2src name=camera ! decodebin ! videoconvert\(effects.description) ! videoconvert"
        + " ! autovideosink")
    try effects.set(bin, threads: 0, isFilm: true)
    try play(device, bin) { false }
  }

  /// Has its frames looked at, until `isEnough`.
  static func watch(
    _ device: FilePath, _ look: FrameLook, isEnough: () -> Bool
  ) throws(Problem) {
    try check(device)
    let bin = try Element.bin(
      "v4l2src name=camera ! decodebin ! videoconvert ! mienfacedetect name=faces updates=none"
        + " n-threads=0 ! fakesink")
    bin["faces"]?.pad("src")?.buffers { buffer in
      if let frame = FrameRecord(buffer) { look.see(frame) }
    }
    try play(device, bin, isEnough: isEnough)
  }

  private static func check(_ device: FilePath) throws(Problem) {
    guard FileKind(device) == .other else {
      throw .failure("there is no such camera; ls /dev/video* lists those that are")
    }
  }

  private static func play(
    _ device: FilePath, _ bin: Element, isEnough: () -> Bool
  ) throws(Problem) {
    let pipeline = try Element.pipeline()
    bin["camera"]?.set("device", text: device)
    pipeline.add(bin)
    pipeline.setState(GST_STATE_PLAYING)
    defer { pipeline.setState(GST_STATE_NULL) }
    while Interruption.signal == nil, !isEnough() {
      switch pipeline.listen(milliseconds: 50) {
      case .end: return
      case .error(let text, _, _): throw .failure(text)
      case .warning, nil: continue
      }
    }
  }
}

extension FilePath {
  /// Whether it is the name of a camera.
  var isCamera: Bool { bytes.starts(with: Array("/dev/video".utf8)) }
}
