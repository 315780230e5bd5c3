import CGStreamer
import CJSONGLib
import Files
import Programs
import Studio

/// Where pictures come from, as elements.
enum Spine {
  /// What the photograph is seen at, and how far it drifts, in pixels.
  static let seen = (width: 960, height: 720)
  static let room = (width: 64, height: 40)
  private static let whole = 1024

  /// Puts into the pipeline what gives frames of what `origin` names; returns the last element.
  ///
  /// `sound` gets the pad of a film's sound, and `end` is told whether there were pictures when all
  /// that the file holds is known; on a streaming thread.
  static func source(
    _ origin: Origin, in pipeline: Element, sound: @escaping (Pad) -> Void,
    end: @escaping (_ hasPictures: Bool) -> Void
  ) throws(Problem) -> Element {
    let still = " ! imagefreeze is-live=true ! video/x-raw,framerate=30/1"
    let last: Element
    switch origin {
    case .photograph:
      last = try Element.bin(
        "videoconvert ! videoscale method=lanczos"
          + " ! video/x-raw,format=I420,width=\(whole),height=\(whole)\(still) ! videocrop name=drift"
      )
      if let crop = last["drift"] { drift(crop) }
    case .picture:
      last = try Element.bin(
        "videoconvert ! videoflip video-direction=auto ! videoscale"
          + " ! video/x-raw,width=[1,1920],height=[1,1080],pixel-aspect-ratio=1/1\(still) ! identity"
      )
    case .film: last = try Element.bin("videoflip video-direction=auto ! identity")
    case .camera: last = try Element.bin("videoconvert ! identity")
    }
    let (file, decoder) = (try reader(origin), try Element.make("decodebin"))
    let hasSound = if case .film = origin { true } else { false }
    if hasSound { GIFPlayback.mend(decoder, reading: file) }
    decoder.onPad("pad-added") { pad in
      // Of several pictures the first is seen, and of several sounds the first is heard.
      switch pad.mediaType {
      case "video/x-raw": _ = pad.link(last.pad("sink"))
      case "audio/x-raw" where hasSound: sound(pad)
      default: break
      }
    }
    decoder.on("no-more-pads") { end(last.pad("sink")?.isLinked ?? false) }
    for element in [file, decoder, last] { pipeline.add(element) }
    file.link(decoder)
    return last
  }

  /// What reads the file, or the camera.
  private static func reader(_ origin: Origin) throws(Problem) -> Element {
    switch origin {
    case .photograph(let path), .picture(let path), .film(let path):
      guard !GIFHeader.isBroken(path) else {
        throw .failure(tr("it ends in its header, or has no area"))
      }
      let file = try Element.make("filesrc")
      file.set("location", text: path)
      return file
    case .camera(let camera):
      let source = try Element.make(camera.kind)
      for (name, value) in camera.settings { source.set(name, value) }
      return source
    }
  }

  /// Has a part of the picture seen that moves with the frames' times.
  ///
  /// Set between two frames, on their own thread: the part's size is the same at any of them.
  private static func drift(_ crop: Element) {
    crop.pad("sink")?.probe(GST_PAD_PROBE_TYPE_BUFFER) { pad, info in
      guard let crop = pad.element, let buffer = gst_pad_probe_info_get_buffer(info) else {
        return GST_PAD_PROBE_OK
      }
      let seconds = Double(buffer.pointee.pts % 1_000_000_000_000) / 1e9
      let corner = Drift.corner(at: seconds, room: room)
      crop.set("left", "\(corner.x)")
      crop.set("right", "\(whole - seen.width - corner.x)")
      crop.set("top", "\(corner.y)")
      crop.set("bottom", "\(whole - seen.height - corner.y)")
      return GST_PAD_PROBE_OK
    }
  }

  /// From where frames come at their times, through what is put between `head` and `tail`, to
  /// the window.
  ///
  /// Nothing waits: what is not ready for a frame gets the newest one later. So a machine that is
  /// too slow shows fewer frames, the newest there are.
  static let before =
    "clocksync ! queue name=fresh max-size-buffers=1 max-size-bytes=0 max-size-time=0"
    + " ! videoconvert name=head"
  static let after =
    "videoconvert name=tail ! queue name=shown max-size-buffers=1 max-size-bytes=0"
    + " max-size-time=0 ! videoconvertscale ! capsfilter name=shape"
    + " caps=video/x-raw,format=BGRA,pixel-aspect-ratio=1/1"
    + " ! appsink name=window sync=false max-buffers=2 drop=true"

  /// Has a queue drop what waits for the newest frame, from the first frame on.
  ///
  /// Before that it would drop the events that come first too, and keep them out of their order
  /// while the first of them is on its way.
  static func dropOldFrames(_ queue: Element?) {
    queue?.pad("src")?.probe(GST_PAD_PROBE_TYPE_BUFFER) { pad, _ in
      pad.element?.set("leaky", "downstream")
      return GST_PAD_PROBE_REMOVE
    }
  }
}
