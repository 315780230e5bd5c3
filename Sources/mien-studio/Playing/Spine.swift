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
  static func source(_ origin: Origin, in pipeline: Element) throws(Problem) -> Element {
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
          + " ! video/x-raw,width=[1,1920],height=[1,1080],pixel-aspect-ratio=1/1\(still)")
    case .film: last = try Element.bin("videoflip video-direction=auto ! identity")
    case .camera: last = try Element.bin("videoconvert ! identity")
    }
    let (reader, property) =
      if case .camera = origin { ("v4l2src", "device") } else { ("filesrc", "location") }
    guard !GIFHeader.isBroken(origin.path) else {
      throw Problem.failure("it ends in its header, or has no area")
    }
    let (file, decoder) = (try Element.make(reader), try Element.make("decodebin"))
    file.set(property, text: origin.path)
    decoder.onPad("pad-added") { pad in
      // Of several pictures the first is seen.
      if pad.mediaType == "video/x-raw" { _ = pad.link(last.pad("sink")) }
    }
    for element in [file, decoder, last] { pipeline.add(element) }
    file.link(decoder)
    return last
  }

  /// Has a part of the picture seen that moves with the frames' times.
  ///
  /// Set between two frames, on their own thread: the part's size is the same at any of them.
  private static func drift(_ crop: Element) {
    crop.pad("sink")?.buffers { buffer in
      let seconds = Double(buffer.pointee.pts % 1_000_000_000_000) / 1e9
      let corner = Drift.corner(at: seconds, room: room)
      crop.set("left", "\(corner.x)")
      crop.set("right", "\(whole - seen.width - corner.x)")
      crop.set("top", "\(corner.y)")
      crop.set("bottom", "\(whole - seen.height - corner.y)")
    }
  }

  /// From where frames come at their times, through what is put between `head` and `tail`, to
  /// the window.
  ///
  /// Nothing waits: what is not ready for a frame gets the newest one later. So a machine that is
  /// too slow shows fewer frames, the newest there are.
  static let before =
    "clocksync ! queue name=fresh leaky=downstream max-size-buffers=1 max-size-bytes=0"
    + " max-size-time=0 ! videoconvert name=head"
  static let after =
    "videoconvert name=tail ! queue leaky=downstream max-size-buffers=1 max-size-bytes=0"
    + " max-size-time=0 ! videoconvertscale ! capsfilter name=shape"
    + " caps=video/x-raw,format=BGRA,pixel-aspect-ratio=1/1"
    + " ! appsink name=window sync=false max-buffers=2 drop=true"
}
