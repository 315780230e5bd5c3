import Glibc

/// What a run found: text as it comes, the bars at the end, and a plot of them.
///
/// The text goes to standard output and to a file, the plot to `out/bench.svg`.
final class Report {
  private let file: UnsafeMutablePointer<FILE>?
  private var outcomes: [Bar.Outcome] = []

  /// Starts with what machine this is; `path` is also written to.
  init(path: String) {
    mkdir("out", 0o777)
    file = fopen(path, "w")
    line(Self.machine)
  }

  deinit { file.map { _ = fclose($0) } }

  /// Shows a line at once, also in a pipe: a comparison takes a while.
  func line(_ text: String) {
    print(text)
    fflush(nil)
    if let file { fputs(text + "\n", file) }
  }

  func add(_ outcome: Bar.Outcome) { outcomes.append(outcome) }

  func finish() {
    guard !outcomes.isEmpty else { return }
    line("\nBars: median of the rounds, least and most beside it.")
    for outcome in outcomes { line(outcome.text) }
    let missed = outcomes.filter { !$0.isMet }.count
    line("\(outcomes.count - missed) of \(outcomes.count) bars met.")
    if let plot = fopen("out/bench.svg", "w") {
      fputs(Plot(outcomes: outcomes, note: Self.machine).svg, plot)
      fclose(plot)
      print("Written: out/bench.txt, out/bench.svg")
    }
  }

  /// Processor, cores, kernel and GStreamer.
  private static let machine: String = {
    var model = "an unknown processor"
    if let info = fopen("/proc/cpuinfo", "r") {
      defer { fclose(info) }
      var line = [CChar](repeating: 0, count: 4096)
      while fgets(&line, Int32(line.count), info) != nil {
        let text = decode(line)
        if text.hasPrefix("model name"), let colon = text.firstIndex(of: ":") {
          model = String(text[colon...].dropFirst(2))
          break
        }
      }
    }
    let version = output(of: "pkg-config --modversion gstreamer-1.0")
    return "\(model), \(sysconf(Int32(_SC_NPROCESSORS_ONLN))) cores, GStreamer \(version)"
  }()
}

/// The first line that a shell command prints, without its end.
func output(of command: String) -> String {
  guard let pipe = popen(command, "r") else { return "" }
  defer { pclose(pipe) }
  var line = [CChar](repeating: 0, count: 4096)
  return fgets(&line, Int32(line.count), pipe) == nil ? "" : decode(line)
}

/// Text up to the end of its line.
func decode(_ line: [CChar]) -> String {
  let bytes = line.prefix { $0 != 0 && $0 != 10 }.map { UInt8(truncatingIfNeeded: $0) }
  return String(decoding: bytes, as: UTF8.self)
}
