/// Runs of the built plugin with `gst-launch-1.0`.
extension Command {
  /// Runs `gst-launch-1.0` with `elements` of the built plugin, optionally under a `tool`.
  package static func launch(
    _ elements: String, _ environment: [String: String] = [:], under tool: [String] = []
  ) throws -> Command {
    try Command(
      tool + ["gst-launch-1.0", "-q"] + elements.split(separator: " ").map(String.init),
      environment: pluginEnvironment(environment))
  }

  /// Environment in which GStreamer logs objects that are still alive at exit: `leakedObjects`.
  package static let tracingLeaks = [
    "GST_TRACERS": "leaks", "GST_DEBUG": "GST_TRACER:7", "GST_DEBUG_NO_COLOR": "1",
  ]

  /// The objects that were still alive at the end of a run with `tracingLeaks`.
  package var leakedObjects: [Substring] {
    errors.split(separator: "\n").filter {
      $0.contains("object-alive, ") && !$0.contains("format")
    }
  }

  /// `launch` under valgrind, which reports memory errors and leaks; see `pluginMemoryErrors`.
  package static func launchUnderValgrind(_ elements: String) throws -> Command {
    // Creates the registry first; otherwise valgrind would run the scan of all plugins.
    _ = try launch("fakesrc num-buffers=1 ! fakesink")
    return try launch(
      elements, ["G_SLICE": "always-malloc"],
      under: [
        "valgrind", "--leak-check=full", "--show-leak-kinds=definite",
        "--suppressions=" + Photograph.root + "/Tests/PluginTests/valgrind.supp",
      ])
  }
}
