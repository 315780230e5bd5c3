import CGStreamer
import Client
import Files
import Glibc
import Programs

/// What `mien camera` shows: a camera, or a picture or film that repeats.
struct CameraSource {
  let path: FilePath
  private let kind: Kind

  private enum Kind {
    case device, picture, film
  }

  /// Without a path the first V4L2 device that delivers frames.
  init(_ path: FilePath?) throws(ProgramError) {
    guard let path = path ?? Self.firstDevice else {
      throw .failure("there is no camera; name a film or a picture to show instead")
    }
    self.path = path
    if path.isCamera {
      guard FileKind(path) == .other else {
        throw .failure(
          "there is no camera \(Terminal.printable(path)); ls /dev/video* lists those that are")
      }
      kind = .device
    } else {
      let file = try InputFile(path)
      kind = try Self.isPicture(file.path) ? .picture : .film
    }
  }

  private static var firstDevice: FilePath? {
    (0..<64).map { FilePath("/dev/video\($0)") }.first { device in
      device.withCString { access($0, R_OK | W_OK) } == 0
        && access("/sys/devices/virtual/video4linux/\(device.split.name)", F_OK) != 0
    }
  }

  /// Whether it has one frame; decodes the first two.
  private static func isPicture(_ path: FilePath) throws(ProgramError) -> Bool {
    let pipeline = try Element.pipeline(
      "filesrc name=source ! decodebin ! video/x-raw ! fakesink name=end")
    pipeline["source"]?.set("location", string: path)
    pipeline["end"]?.set("num-buffers", "2")
    let frames = FrameCount()
    pipeline["end"]?.pad("sink")?.onBuffer { _ in frames.value += 1 }
    pipeline.setState(GST_STATE_PLAYING)
    defer { pipeline.setState(GST_STATE_NULL) }
    for _ in 0..<200 where TerminationSignal.received == nil {
      switch pipeline.nextMessage(milliseconds: 50) {
      case .endOfStream: return frames.value < 2
      case .error(let report): throw .failure("\(Terminal.printable(path)): \(report.text)")
      default: continue
      }
    }
    throw .failure("\(Terminal.printable(path)): no frame came out of it")
  }

  private final class FrameCount {
    var value = 0
  }

  /// Whether it ends and is shown again.
  var repeats: Bool { kind == .film }

  /// A pipeline that passes decorated frames to its appsink "out", at their time.
  func makePipeline(_ effects: EffectOptions) throws(ProgramError) -> Element {
    let decoded =
      switch kind {
      case .device:
        "v4l2src name=source ! capsfilter name=chosen ! decodebin"
          + " ! queue leaky=downstream max-size-buffers=1 max-size-bytes=0 max-size-time=0"
      case .picture:
        "filesrc name=source ! decodebin ! videoconvert ! videoflip video-direction=auto"
          + " ! videoscale ! video/x-raw,width=[1,1920],height=[1,1080],pixel-aspect-ratio=1/1"
          + " ! imagefreeze is-live=true ! video/x-raw,framerate=30/1"
      case .film:
        "filesrc name=source ! decodebin name=decoder ! video/x-raw ! videoflip"
          + " video-direction=auto"
      }
    let pipeline = try Element.pipeline(
      decoded + " ! videoconvert\(effects.description) ! videoconvert ! videorate"
        + " ! video/x-raw,format=I420,framerate=[15/1,30/1]"
        + " ! appsink name=out max-buffers=1 drop=true sync=\(kind == .film)")
    pipeline["source"]?.set(kind == .device ? "device" : "location", string: path)
    if kind == .device { pipeline.chooseCameraFormat() }
    if let decoder = pipeline["decoder"], let file = pipeline["source"] {
      GIFPlayback.repair(decoder, reading: file)
    }
    try effects.setProperties(in: pipeline, threads: 0, isFilm: true)
    return pipeline
  }
}
