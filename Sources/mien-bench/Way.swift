/// A gst-launch pipeline measured as a whole process, start-up subtracted.
struct Launch {
  /// Everything between the frozen frame and the sink.
  let elements: String
  /// Caps of the frames.
  let caps: String
  /// Frames of the long run, over those of the short one that is subtracted.
  let frames: Int
  let environment: [String: String]
  /// Elements that see the frame once, before it is frozen; what they cost is subtracted.
  var once = "identity"
  /// What makes the one frame that is frozen; the photograph where this is empty.
  var source = ""

  /// Adds one round; false when the pipeline does not run here.
  func measure(_ measurement: inout Measurement) -> Bool {
    let short = max(2, frames / 10)
    guard let a = run(arguments(short), environment: environment),
      let b = run(arguments(short + frames), environment: environment)
    else { return false }
    measurement.add(b - a, frames: frames)
    return true
  }

  private func arguments(_ count: Int) -> [String] {
    let photograph =
      "filesrc location=models/astronaut.png ! pngdec ! videoconvert ! videoscale ! videoconvert"
    let text =
      "gst-launch-1.0 -q \(source.isEmpty ? photograph : source) ! \(caps) ! \(once)"
      + " ! imagefreeze num-buffers=COUNT ! \(elements) ! fakesink sync=false"
    // A branch of `elements` with a picture of its own freezes it as often.
    return text.split(separator: " ").map {
      $0 == "num-buffers=COUNT" ? "num-buffers=\(count)" : String($0)
    }
  }
}

/// Where our plugin is seen, and where it is not.
enum Environment {
  /// This build's elements, whatever else is installed.
  static let ours: [String: String] = [
    "GST_PLUGIN_SYSTEM_PATH_1_0": pluginFolder + ":.build/lib/gstreamer-1.0",
    "GST_REGISTRY_1_0": ".build/bench-ours.bin",
  ]

  /// The system's elements only, so that `facedetect` is gst-opencv's.
  static let peers: [String: String] = [
    "GST_PLUGIN_SYSTEM_PATH_1_0": pluginFolder,
    "GST_REGISTRY_1_0": ".build/bench-peers.bin",
  ]

  private static let pluginFolder = output(
    of: "pkg-config --variable=pluginsdir gstreamer-1.0")
}
