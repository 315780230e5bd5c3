import Glibc

/// The running time of this process.
enum ProcessTime {
  /// Seconds since the kernel created the process, in steps of 0.01 s; nil where it is unknown.
  static var now: Double? {
    guard let file = fopen("/proc/self/stat", "r") else { return nil }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 2048)
    guard fgets(&line, Int32(line.count), file) != nil else { return nil }
    let text = line.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
    // Field 22, starttime in clock ticks (proc(5)); the second, in brackets, may hold spaces.
    guard let bracket = text.lastIndex(of: ")") else { return nil }
    let fields = text[bracket...].split(separator: " ")
    var time = timespec()
    clock_gettime(CLOCK_BOOTTIME, &time)
    guard fields.count > 20, let ticks = Double(fields[20]) else { return nil }
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9 - ticks
      / Double(sysconf(Int32(_SC_CLK_TCK)))
  }
}
