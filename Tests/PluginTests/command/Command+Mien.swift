import CGStreamer
import Support

extension Command {
  /// The command as `make build` left it.
  static let mienPath = Photograph.root + "/.build/bin/mien"

  /// `mien` with these words, the plugin being the built one.
  static func mien(
    _ arguments: [String], _ environment: [String: String] = [:], under tool: [String] = []
  ) throws -> Command {
    try Command(tool + [mienPath] + arguments, environment: pluginEnvironment(environment))
  }

  /// Seconds of a clock that nobody sets.
  static var now: Double { Double(g_get_monotonic_time()) / 1e6 }

  /// A script in which `$mien` is the command; the arguments are `$1` and so on.
  static func shell(
    _ script: String, _ arguments: [String] = [], _ environment: [String: String] = [:]
  ) throws -> Command {
    try Command(
      ["bash", "-c", script, "bash"] + arguments,
      environment: pluginEnvironment(["mien": mienPath].merging(environment) { $1 }))
  }
}
