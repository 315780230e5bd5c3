/// Reports of valgrind in the output of a command.
extension Command {
  /// Memory errors in the plugin's code: invalid reads and writes, uninitialised values, and leaks.
  package var pluginMemoryErrors: [Substring] {
    let kinds = ["Invalid ", "uninitialised", "definitely lost in", "Mismatched"]
    // Lines with only the process number separate reports.
    return errors.split(separator: "== \n").filter { report in
      (report.contains(".swift:") || report.contains("mien.so)"))
        && kinds.contains { report.contains($0) }
    }
  }
}
