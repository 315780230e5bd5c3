import CGStreamer
import CHarness
import Threads

#if canImport(Glibc)
  import Glibc
#endif

/// What this process holds of the system's.
package struct Usage {
  package let threads: Int
  package let files: Int
  /// Resident memory, in megabytes.
  package let memory: Double

  package static var now: Usage {
    Usage(threads: entries("task"), files: entries("fd"), memory: Double(resident) / 1e6)
  }

  /// What it holds once all that was left behind has ended; waits at most so many seconds for
  /// no more `threads`.
  package static func settled(threads: Int = 0, seconds: Int = 30) -> Usage {
    for _ in 0..<10 * seconds {
      // GLib keeps threads for whoever comes next.
      g_thread_pool_stop_unused_threads()
      if BackgroundWorker<Int>.abandonedCount == 0, threads == 0 || entries("task") <= threads {
        break
      }
      usleep(100_000)
    }
    // Of what was freed, glibc keeps what lies between blocks in use, which is nobody's.
    malloc_trim(0)
    return now
  }

  /// Most memory that was resident since `forgetPeak`, in megabytes.
  package static var peak: Double {
    // A line "VmHWM:     1234 kB".
    guard let line = lines(of: "/proc/self/status").first(where: { $0.hasPrefix("VmHWM:") }),
      let size = line.split(whereSeparator: { $0 == " " || $0 == "\t" }).dropFirst().first
    else { return 0 }
    return (Double(size) ?? 0) * 1024 / 1e6
  }

  /// The peak begins again at what is resident now (proc(5), clear_refs).
  package static func forgetPeak() {
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

  private static func entries(_ folder: String) -> Int {
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
