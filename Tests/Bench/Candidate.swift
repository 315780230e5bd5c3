import Support

/// An implementation of a job that is measured.
struct Candidate {
  let name: String
  /// Runs the job once before the first round, unmeasured.
  var warmUp: () -> Void = {}
  /// Adds one round to the measurement; false if the candidate cannot run here.
  let measure: (inout Measurement) -> Bool

  init(_ name: String, _ measure: @escaping (inout Measurement) -> Bool) {
    (self.name, self.measure) = (name, measure)
  }

  /// A program with the number of frames as a parameter.
  ///
  /// Each round runs it twice and subtracts the shorter run, which has the same start-up cost. The first
  /// start fills caches (compiled Python, GStreamer's registry) and is not measured. A round in which
  /// start-up noise exceeds the work is repeated.
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
  /// The frame is the photograph, unless `source` makes another. Elements of `once` process it before it
  /// is frozen; their cost is subtracted.
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
      // Branches of `elements` may freeze a picture of their own.
      words(text).map { $0 == "num-buffers=COUNT" ? "num-buffers=\(count)" : $0 }
    }
  }
}

/// The video sizes of the benchmarks.
let sizes: [(width: Int, height: Int)] = [(1280, 720), (1920, 1080), (3840, 2160)]

func caps(_ format: String, _ width: Int, _ height: Int) -> String {
  "video/x-raw,format=\(format),width=\(width),height=\(height)"
}

/// Environments with and without this build's plugin.
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
