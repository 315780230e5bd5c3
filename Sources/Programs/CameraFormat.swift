package import CGStreamer
import CJSONGLib
package import Client

/// One format of a camera: what is asked of it.
package struct CameraFormat: Equatable {
  /// The media type with the memory's features, as "video/x-raw" or "video/x-raw(memory:DMABuf)".
  package let media: String
  /// The formats of raw frames to choose from; empty for compressed frames.
  package let formats: [String]
  /// In pixels; 0 where the camera does not say.
  package let width, height: Int
  /// Frames per second as a fraction; 0 where the rate changes, or is not known.
  package let rate: (count: Int, seconds: Int)
  let hasFeatures: Bool

  package static func == (one: CameraFormat, other: CameraFormat) -> Bool {
    one.caps == other.caps
  }

  /// The caps in gst-launch syntax.
  package var caps: String {
    var text = media
    if formats.count == 1 { text += ",format=\(formats[0])" }
    if formats.count > 1 { text += ",format={\(formats.joined(separator: ","))}" }
    if width > 0, height > 0 { text += ",width=\(width),height=\(height)" }
    if rate.count > 0 { text += ",framerate=\(rate.count)/\(rate.seconds)" }
    return text
  }

  /// Frames per second; an unknown rate counts as 15.
  package var framesPerSecond: Double {
    rate.count > 0 ? Double(rate.count) / Double(rate.seconds) : 15
  }

  /// The largest sides that are wanted, in either orientation.
  package static let longest = 1920, shortest = 1080

  /// The order of preference, larger is better: memory that can be read here, a rate that is nearly `limit`
  /// but not above it, colour, a size of up to 1920x1080, and frames that need no decoder.
  func score(limit: Double) -> [Double] {
    let speed = framesPerSecond
    let rateClass: Double =
      speed > limit ? 2 : speed >= 0.8 * limit ? 3 : speed >= 0.5 * limit ? 1 : 0
    let isColored = formats.isEmpty || formats.contains { !$0.hasPrefix("GRAY") }
    let isSmall =
      max(width, height) <= Self.longest && min(width, height) <= Self.shortest
    let area = Double(width * height)
    let mediaClass: Double =
      media.hasPrefix("video/x-raw") ? 2 : media.hasPrefix("image/jpeg") ? 1 : 0
    return [
      hasFeatures ? 0 : 1, rateClass, isColored ? 1 : 0, isSmall ? 1 : 0, isSmall ? area : -area,
      rateClass == 2 ? -speed : speed, mediaClass,
    ]
  }

  /// The best of the formats that a camera offers, for at most `limit` frames per second; nil where none is
  /// of a kind that can be decoded.
  ///
  /// `size`: the only size to choose from; nil for any.
  package static func best(
    of caps: UnsafeMutablePointer<GstCaps>, limit: Double = 30,
    size: (width: Int, height: Int)? = nil
  ) -> CameraFormat? {
    var best: (format: CameraFormat, score: [Double])?
    for index in 0..<gst_caps_get_size(caps) {
      guard let structure = gst_caps_get_structure(caps, index) else { continue }
      let features = gst_caps_get_features(caps, index)
      for format in candidates(structure, features, limit: limit, size: size) {
        if let size, (format.width, format.height) != size { continue }
        let score = format.score(limit: limit)
        if best.map({ $0.score.lexicographicallyPrecedes(score) }) ?? true {
          best = (format, score)
        }
      }
    }
    return best?.format
  }

  /// Usual sizes, for cameras that offer ranges.
  private static let usualSizes = [(3840, 2160), (1920, 1080), (1280, 720), (640, 480)]

  /// What a user may choose from, the largest first: each size at the best rate up to 30, and up to 60 where
  /// that differs.
  package static func choices(of caps: UnsafeMutablePointer<GstCaps>) -> [CameraFormat] {
    var sizes = usualSizes
    for index in 0..<gst_caps_get_size(caps) {
      guard let structure = gst_caps_get_structure(caps, index) else { continue }
      for format in candidates(structure, nil, limit: 30, size: nil) {
        let size = (format.width, format.height)
        if size.0 > 0, size.1 > 0, !sizes.contains(where: { $0 == size }) { sizes.append(size) }
      }
    }
    var choices: [CameraFormat] = []
    for size in sizes.sorted(by: { ($0.0 * $0.1, $0.0) > ($1.0 * $1.1, $1.0) }) {
      for limit in [30.0, 60] {
        guard let format = best(of: caps, limit: limit, size: size) else { continue }
        if !choices.contains(format) { choices.append(format) }
      }
    }
    return choices
  }

  private static let media = ["video/x-raw", "image/jpeg", "video/x-h264", "video/x-h265"]

  /// The formats of one structure: its sizes and rates, of ranges the best one.
  private static func candidates(
    _ structure: UnsafeMutablePointer<GstStructure>,
    _ features: OpaquePointer?,
    limit: Double, size: (width: Int, height: Int)?
  ) -> [CameraFormat] {
    var name = String(cString: gst_structure_get_name(structure))
    guard media.contains(name) else { return [] }
    var hasFeatures = false
    if let features, gst_caps_features_is_any(features) == 0,
      let text = gst_caps_features_to_string(features)
    {
      let memory = String(cString: text)
      g_free(text)
      hasFeatures = memory != "memory:SystemMemory"
      if hasFeatures { name += "(\(memory))" }
    }
    var formats =
      name.hasPrefix("video/x-raw") ? CapsField(structure, "format").texts : []
    let colored = formats.filter { !$0.hasPrefix("GRAY") }
    if !colored.isEmpty { formats = colored }
    let (widths, heights) = (
      CapsField(structure, "width").integers(upTo: size?.width ?? longest),
      CapsField(structure, "height").integers(upTo: size?.height ?? shortest)
    )
    let rates = CapsField(structure, "framerate").rates(upTo: limit)
    return widths.flatMap { width in
      heights.flatMap { height in
        rates.map { rate in
          CameraFormat(
            media: name, formats: formats, width: width, height: height, rate: rate,
            hasFeatures: hasFeatures)
        }
      }
    }
  }
}

extension Element {
  /// The best format of a camera, which is opened for that; nil where it cannot be opened.
  package var cameraFormat: CameraFormat? {
    guard setState(GST_STATE_READY), let pad = pad("src"),
      let caps = gst_pad_query_caps(pad.raw, nil)
    else { return nil }
    defer { gst_mini_object_unref(cgst_mini_object(caps)) }
    return CameraFormat.best(of: caps)
  }

  /// Has the capsfilter "chosen" of the pipeline ask the camera "source" for its best format.
  ///
  /// A camera that cannot be opened reports that when the pipeline starts.
  package func chooseCameraFormat() {
    if let format = self["source"]?.cameraFormat { self["chosen"]?.setCaps(format.caps) }
  }
}
