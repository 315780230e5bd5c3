import CGStreamer
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
      if Worker<Int>.leftBehind == 0, threads == 0 || entries("task") <= threads { break }
      usleep(100_000)
    }
    return now
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
    guard let file = fopen("/proc/self/statm", "r") else { return 0 }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 128)
    guard fgets(&line, 128, file) != nil else { return 0 }
    let words = String(decoding: line.map(UInt8.init(bitPattern:)), as: UTF8.self).split(
      separator: " ")
    return (words.count > 1 ? Int(words[1]) ?? 0 : 0) * Int(sysconf(Int32(_SC_PAGESIZE)))
  }
}
