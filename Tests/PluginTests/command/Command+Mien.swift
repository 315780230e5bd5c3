import CGStreamer
import Support

extension Command {
  /// The command that `make build` built.
  static let mienPath = Photograph.root + "/.build/bin/mien"

  /// Runs `mien` with these arguments and the built plugin.
  static func mien(
    _ arguments: [String], _ environment: [String: String] = [:], under tool: [String] = []
  ) throws -> Command {
    try Command(tool + [mienPath] + arguments, environment: pluginEnvironment(environment))
  }

  /// Seconds of the monotonic clock.
  static var now: Double { Double(g_get_monotonic_time()) / 1e6 }

  /// Runs a bash script in which `$mien` is the command, and `$1` and so on are the arguments.
  static func shell(
    _ script: String, _ arguments: [String] = [], _ environment: [String: String] = [:]
  ) throws -> Command {
    try Command(
      ["bash", "-c", script, "bash"] + arguments,
      environment: pluginEnvironment(["mien": mienPath].merging(environment) { $1 }))
  }
}
