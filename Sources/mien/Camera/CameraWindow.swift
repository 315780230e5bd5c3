import CGStreamer
import Client
import Files
import Glibc
import Programs

/// A camera that is read until a signal arrives.
enum Camera {
  /// Shows its decorated frames in a window until that is closed.
  static func show(_ device: FilePath, _ effects: EffectOptions) throws(ProgramError) {
    try requireDevice(device)
    // Without a screen some of GStreamer's sinks end the process.
    guard getenv("DISPLAY") != nil || getenv("WAYLAND_DISPLAY") != nil else {
      throw .failure("there is no screen to show a camera on; start it from a desktop")
    }
    let pipeline = try Element.pipeline(
      "v4l2src name=source ! capsfilter name=chosen ! decodebin ! videoconvert\(effects.description) ! videoconvert"
        + " ! autovideosink")
    try effects.setProperties(in: pipeline, threads: 0, isFilm: true)
    try play(device, pipeline) { false }
  }

  /// Finds faces in its frames until `isEnough`.
  static func scanFaces(
    _ device: FilePath, _ scan: FaceScan, isEnough: () -> Bool
  ) throws(ProgramError) {
    try requireDevice(device)
    // A puppet follows the newest frame; without one no frame is left out.
    let newest = scan.puppet == nil ? "" : "queue leaky=downstream max-size-buffers=1 ! "
    let pipeline = try Element.pipeline(
      "v4l2src name=source ! capsfilter name=chosen ! decodebin ! videoconvert ! " + newest
        + scan.description)
    try scan.prepare(pipeline)
    pipeline["faces"]?.pad("src")?.onBuffer { buffer in
      if let frame = FrameRecord(buffer) { scan.onFrame(frame) }
    }
    try play(device, pipeline, isEnough: isEnough)
  }

  private static func requireDevice(_ device: FilePath) throws(ProgramError) {
    guard FileKind(device) == .other else {
      throw .failure("there is no such camera; ls /dev/video* lists those that are")
    }
  }

  private static func play(
    _ device: FilePath, _ pipeline: Element, isEnough: () -> Bool
  ) throws(ProgramError) {
    pipeline["source"]?.set("device", string: device)
    pipeline.chooseCameraFormat()
    pipeline.setState(GST_STATE_PLAYING)
    defer { pipeline.setState(GST_STATE_NULL) }
    while TerminationSignal.received == nil, !isEnough() {
      switch pipeline.nextMessage(milliseconds: 50) {
      case .endOfStream: return
      case .error(let report): throw .failure(report.text)
      default: continue
      }
    }
  }
}

extension FilePath {
  /// Whether it is a device file of a camera.
  var isCamera: Bool { bytes.starts(with: Array("/dev/video".utf8)) }
}
