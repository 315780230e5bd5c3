import Glibc
import Support

/// The report of a run: results as they come, then the bars and a chart of them.
///
/// The text goes to standard output and to a file, the plot to `out/bench.svg`.
final class Report {
  private let file: UnsafeMutablePointer<FILE>?
  private var bars: [Bar] = []

  /// Begins with a description of the machine; `path` is a copy of the output.
  init(path: String) {
    mkdir("out", 0o777)
    file = fopen(path, "w")
    line(Self.machine)
  }

  deinit { file.map { _ = fclose($0) } }

  /// Prints a line unbuffered.
  func line(_ text: String) {
    print(text)
    fflush(nil)
    if let file { fputs(text + "\n", file) }
  }

  /// Adds a measured bar.
  func add(_ bar: Bar) { bars.append(bar) }

  func finish() {
    guard !bars.isEmpty else { return }
    line("\nBars: median of the rounds, least and most beside it.")
    for bar in bars { line(bar.text) }
    line("\(bars.count { $0.isMet }) of \(bars.count) bars met.")
    if let plot = fopen("out/bench.svg", "w") {
      fputs(Plot(bars: bars.filter { !$0.figures.isEmpty }, note: Self.machine).svg, plot)
      fclose(plot)
      print("Written: out/bench.txt, out/bench.svg")
    }
  }

  /// Processor, cores, kernel and GStreamer.
  private static let machine: String = {
    let model = entry("model name", in: "/proc/cpuinfo") ?? "an unknown processor"
    let version = try? Command(["pkg-config", "--modversion", "gstreamer-1.0"]).output
    return "\(model), \(sysconf(Int32(_SC_NPROCESSORS_ONLN))) cores, GStreamer "
      + (version ?? "").filter { $0 != "\n" }
  }()
}
