import CGStreamer
import CHarness
import Threads

#if canImport(Glibc)
  import Glibc
#endif

/// Threads, open files and memory of this process.
package struct ResourceUsage {
  package let threads: Int
  package let files: Int
  /// Resident memory, in megabytes.
  package let memory: Double

  package static var now: ResourceUsage {
    ResourceUsage(
      threads: countEntries("task"), files: countEntries("fd"), memory: Double(resident) / 1e6)
  }

  /// The usage once abandoned threads have ended; waits up to `seconds` until at most `threads` are left.
  package static func afterCleanup(threads: Int = 0, seconds: Int = 30) -> ResourceUsage {
    for _ in 0..<10 * seconds {
      // GLib's thread pool keeps unused threads.
      g_thread_pool_stop_unused_threads()
      if BackgroundWorker<Int>.abandonedCount == 0, threads == 0 || countEntries("task") <= threads
      {
        break
      }
      usleep(100_000)
    }
    // Return freed memory between blocks in use to the system.
    malloc_trim(0)
    return now
  }

  /// Peak resident memory since `resetPeak`, in megabytes.
  package static var peak: Double {
    // A line "VmHWM:     1234 kB".
    guard let line = lines(of: "/proc/self/status").first(where: { $0.hasPrefix("VmHWM:") }),
      let size = line.split(whereSeparator: { $0 == " " || $0 == "\t" }).dropFirst().first
    else { return 0 }
    return (Double(size) ?? 0) * 1024 / 1e6
  }

  /// Resets the peak to the current resident memory (proc(5), clear_refs).
  package static func resetPeak() {
    guard let file = fopen("/proc/self/clear_refs", "w") else { return }
    fputs("5", file)
    fclose(file)
  }

  private static func lines(of path: String) -> [Substring] {
    guard let file = fopen(path, "r") else { return [] }
    defer { fclose(file) }
    var text = [UInt8](repeating: 0, count: 1 << 13)
    let count = fread(&text, 1, text.count, file)
    return String(decoding: text.prefix(count), as: UTF8.self).split(separator: "\n")
  }

  private static func countEntries(_ folder: String) -> Int {
    guard let directory = opendir("/proc/self/\(folder)") else { return 0 }
    defer { closedir(directory) }
    var count = 0
    while readdir(directory) != nil { count += 1 }
    return count
  }

  /// Bytes.
  private static var resident: Int {
    let words = lines(of: "/proc/self/statm").first?.split(separator: " ") ?? []
    return (words.count > 1 ? Int(words[1]) ?? 0 : 0) * Int(sysconf(Int32(_SC_PAGESIZE)))
  }
}
