import CGStreamer
import CJSONGLib
import Client
import Files
import Frames
import Programs
import Studio

/// The elements from the source to the chain, and from the chain to the window.
enum SourcePipeline {
  /// The crop of the photograph, the range of its pan, and the photograph's sides, in pixels.
  static let crop = (width: 960, height: 720)
  static let panRange = (width: 64, height: 40)
  private static let photographSide = 1024

  /// Adds the elements that decode a source to the pipeline; returns the last one.
  ///
  /// On a streaming thread `sound` is called with the pad of a film's audio, and `end` once all streams
  /// are known.
  static func addSource(
    _ source: VideoSource, in pipeline: Element, sound: @escaping (Pad) -> Void,
    end: @escaping (_ hasPictures: Bool) -> Void
  ) throws(ProgramError) -> Element {
    let still = " ! imagefreeze is-live=true ! video/x-raw,framerate=30/1"
    let last: Element
    switch source {
    case .photograph:
      last = try Element.bin(
        "videoconvert ! videoscale method=lanczos"
          + " ! video/x-raw,format=I420,width=\(photographSide),height=\(photographSide)\(still) ! videocrop name=pan"
      )
      if let crop = last["pan"] { panOverTime(crop) }
    case .picture:
      last = try Element.bin(
        "videoconvert ! videoflip video-direction=auto ! videoscale"
          + " ! video/x-raw,width=[1,1920],height=[1,1080],pixel-aspect-ratio=1/1\(still) ! identity"
      )
    case .film: last = try Element.bin("videoflip video-direction=auto ! identity")
    case .camera: last = try Element.bin("videoconvert ! identity")
    }
    let (file, decoder) = (try makeSourceElement(source), try Element.make("decodebin"))
    let hasSound = if case .film = source { true } else { false }
    if hasSound { GIFPlayback.repair(decoder, reading: file) }
    decoder.onPad("pad-added") { pad in
      // The first video and the first audio stream are used.
      switch pad.mediaType {
      case "video/x-raw": _ = pad.link(last.pad("sink"))
      case "audio/x-raw" where hasSound: sound(pad)
      default: break
      }
    }
    decoder.on("no-more-pads") { end(last.pad("sink")?.isLinked ?? false) }
    for element in [file, decoder, last] { pipeline.add(element) }
    if case .camera(let camera) = source, let filter = try makeFormatFilter(camera, file) {
      pipeline.add(filter)
      file.link(filter)
      filter.link(decoder)
    } else {
      file.link(decoder)
    }
    return last
  }

  /// A filter for the format of a camera, and a copy to the main memory where its frames lie elsewhere;
  /// nil where the camera's own choice is used.
  private static func makeFormatFilter(
    _ camera: Camera, _ source: Element
  ) throws(ProgramError) -> Element? {
    var format = camera.caps
    if format == nil, camera.factory == "v4l2src" { format = source.cameraFormat?.caps }
    guard let format else { return nil }
    if let memory = FrameMemory(features: format) {
      let copy = try Element.bin(
        "capsfilter name=format ! \(memory.element) ! video/x-raw")
      copy["format"]?.setCaps(format)
      return copy
    }
    let filter = try Element.make("capsfilter")
    filter.setCaps(format)
    return filter
  }

  /// The source element.
  private static func makeSourceElement(_ source: VideoSource) throws(ProgramError) -> Element {
    switch source {
    case .photograph(let path), .picture(let path), .film(let path):
      guard !GIFHeader.isBroken(path) else {
        throw .failure(tr("it ends in its header, or has no area"))
      }
      let file = try Element.make("filesrc")
      file.set("location", string: path)
      return file
    case .camera(let camera):
      let element = try Element.make(camera.factory)
      element.set(camera.properties)
      return element
    }
  }

  /// Moves the crop with the frames' times, on the streaming thread.
  ///
  /// Its size never changes.
  private static func panOverTime(_ element: Element) {
    element.pad("sink")?.addProbe(GST_PAD_PROBE_TYPE_BUFFER) { pad, info in
      guard let element = pad.element, let buffer = info.buffer else {
        return GST_PAD_PROBE_OK
      }
      let seconds = Double(buffer.pointee.pts % 1_000_000_000_000) / 1e9
      let corner = PanMotion.corner(at: seconds, range: panRange)
      element.set("left", "\(corner.x)")
      element.set("right", "\(photographSide - crop.width - corner.x)")
      element.set("top", "\(corner.y)")
      element.set("bottom", "\(photographSide - crop.height - corner.y)")
      return GST_PAD_PROBE_OK
    }
  }

  /// Before the chain and behind it, in gst-launch syntax; frames leave clocksync at their times.
  ///
  /// The queues hold one frame and drop old ones, so that a slow machine shows fewer frames, but the
  /// latest.
  static let before =
    "clocksync name=clock ! queue name=input max-size-buffers=1 max-size-bytes=0 max-size-time=0"
    + " ! videoconvert name=head"
  static let after =
    "videoconvert name=tail ! queue name=shown max-size-buffers=1 max-size-bytes=0"
    + " max-size-time=0 ! videoconvertscale ! capsfilter name=filter"
    + " caps=video/x-raw,format=BGRA,pixel-aspect-ratio=1/1"
    + " ! videoflip name=mirror ! appsink name=window sync=false max-buffers=2 drop=true"

  /// Makes a queue drop old frames, from the first frame on.
  ///
  /// Before the first frame a leaky queue would drop and reorder events too.
  static func dropOldFrames(_ queue: Element?) {
    queue?.pad("src")?.addProbe(GST_PAD_PROBE_TYPE_BUFFER) { pad, _ in
      pad.element?.set("leaky", "downstream")
      return GST_PAD_PROBE_REMOVE
    }
  }
}
