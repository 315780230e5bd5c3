/// What valgrind says at the end of a command that it ran.
extension Command {
  /// Faults in code of the plugin's: bad reads and writes, and memory that was lost.
  package var faultsOfThePlugin: [Substring] {
    let kinds = ["Invalid ", "uninitialised", "definitely lost in", "Mismatched"]
    // Reports are separated by lines that hold nothing but the process number.
    return errors.split(separator: "== \n").filter { report in
      (report.contains(".swift:") || report.contains("mien.so)"))
        && kinds.contains { report.contains($0) }
    }
  }
}
