package import Files
package import Glibc

/// Seconds of the system's clocks.
package enum MonotonicClock {
  /// Seconds of CLOCK_MONOTONIC.
  package static var seconds: Double { seconds(CLOCK_MONOTONIC) }

  package static func seconds(_ clock: clockid_t) -> Double {
    var time = timespec()
    clock_gettime(clock, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}

extension UnsafeMutablePointer<dirent> {
  /// The name of a directory entry.
  package var fileName: FilePath {
    withUnsafePointer(to: &pointee.d_name) {
      $0.withMemoryRebound(to: CChar.self, capacity: 256) { FilePath($0) }
    }
  }
}
