import Support

/// One way to do a job.
struct Way {
  let name: String
  /// Runs the job once without counting it, before the first round.
  var warmUp: () -> Void = {}
  /// Adds one round to the measurement; false when this cannot be run here.
  let measure: (inout Measurement) -> Bool

  init(_ name: String, _ measure: @escaping (inout Measurement) -> Bool) {
    (self.name, self.measure) = (name, measure)
  }

  /// A program that is told how many frames to treat.
  ///
  /// Each round runs it twice and subtracts the shorter run, which has the same start-up.
  /// The first start of a program fills caches (compiled Python, GStreamer's registry), so it is not
  /// counted. A round in which start-up noise exceeds the work is run again.
  init(
    _ name: String, frames: Int, less short: Int, _ environment: [String: String] = [:],
    program: @escaping (_ frames: Int) -> [String]
  ) {
    self.init(name) { measurement in
      for _ in 0..<Measurement.attempts {
        guard let a = execute(program(short), environment),
          let b = execute(program(short + frames), environment)
        else { return false }
        if measurement.add(b - a, frames: frames) { return true }
      }
      return false
    }
    warmUp = { _ = execute(program(short), environment) }
  }

  /// `elements` of a gst-launch pipeline between one frozen frame and the sink.
  ///
  /// The frame is of the photograph, unless `source` makes another. Elements of `once` see it before
  /// it is frozen; what they cost is subtracted.
  init(
    _ name: String, _ elements: String, _ caps: String, frames: Int,
    _ environment: [String: String] = Environment.ours, once: String = "identity",
    source: String = "filesrc location=models/astronaut.png ! pngdec ! videoconvert ! videoscale"
      + " ! videoconvert"
  ) {
    let text =
      "gst-launch-1.0 -q \(source) ! \(caps) ! \(once) ! imagefreeze num-buffers=COUNT"
      + " ! \(elements) ! fakesink sync=false"
    self.init(name, frames: frames, less: max(2, frames / 10), environment) { count in
      // A branch of `elements` with a picture of its own freezes it as often.
      words(text).map { $0 == "num-buffers=COUNT" ? "num-buffers=\(count)" : $0 }
    }
  }
}

/// Sizes of video that jobs are done in.
let sizes: [(width: Int, height: Int)] = [(1280, 720), (1920, 1080), (3840, 2160)]

func caps(_ format: String, _ width: Int, _ height: Int) -> String {
  "video/x-raw,format=\(format),width=\(width),height=\(height)"
}

/// Where our plugin is seen, and where it is not.
enum Environment {
  /// This build's elements, whatever else is installed.
  static let ours = [
    "GST_PLUGIN_SYSTEM_PATH_1_0": pluginFolder + ":.build/lib/gstreamer-1.0",
    "GST_REGISTRY_1_0": ".build/bench-ours.bin",
  ]

  /// The system's elements only, so that `facedetect` is gst-opencv's.
  static let peers = [
    "GST_PLUGIN_SYSTEM_PATH_1_0": pluginFolder,
    "GST_REGISTRY_1_0": ".build/bench-peers.bin",
  ]

  private static let pluginFolder = (try? Command.pluginFolder()) ?? ""
}
