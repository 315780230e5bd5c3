/// Runs of the built plugin in GStreamer's own tool, and what it says at its end.
extension Command {
  /// `gst-launch-1.0` with `elements` of the built plugin, under a `tool` where one is given.
  package static func launch(
    _ elements: String, _ environment: [String: String] = [:], under tool: [String] = []
  ) throws -> Command {
    try Command(
      tool + ["gst-launch-1.0", "-q"] + elements.split(separator: " ").map(String.init),
      environment: pluginEnvironment(environment))
  }

  /// Has GStreamer name the objects that outlive a run; see `leftAlive`.
  package static let tracingLeaks = [
    "GST_TRACERS": "leaks", "GST_DEBUG": "GST_TRACER:7", "GST_DEBUG_NO_COLOR": "1",
  ]

  /// Objects that a run with `tracingLeaks` left behind.
  package var leftAlive: [Substring] {
    errors.split(separator: "\n").filter {
      $0.contains("object-alive, ") && !$0.contains("format")
    }
  }

  /// `launch` under valgrind, which reports faults and lost memory: see `faultsOfThePlugin`.
  package static func launchWatched(_ elements: String) throws -> Command {
    // The registry is made first, or valgrind would watch every plugin there is being loaded.
    _ = try launch("fakesrc num-buffers=1 ! fakesink")
    return try launch(
      elements, ["G_SLICE": "always-malloc"],
      under: [
        "valgrind", "--leak-check=full", "--show-leak-kinds=definite",
        "--suppressions=" + Photograph.root + "/Tests/PluginTests/valgrind.supp",
      ])
  }
}
