import CGStreamer
import CHarness

/// Makes a call under the watchdog, which ends the process when the call does not return in time
/// (`charness_start_watchdog`).
package func withWatchdog<R>(_ name: StaticString, _ body: () throws -> R) rethrows -> R {
  charness_call_begins(
    UnsafeRawPointer(name.utf8Start).assumingMemoryBound(to: CChar.self))
  defer { charness_call_ends() }
  return try body()
}

/// Durations of calls of one kind, in milliseconds.
package struct CallDurations: Sendable {
  package private(set) var count = 0
  /// Calls that took longer than `limit`.
  package private(set) var overLimit = 0
  package private(set) var longest = 0.0
  package let limit: Double

  /// `limit` in milliseconds.
  package init(limit: Double) { self.limit = limit }

  /// Adds the duration of one call.
  package mutating func add(_ milliseconds: Double) {
    count += 1
    longest = max(longest, milliseconds)
    if milliseconds > limit { overLimit += 1 }
  }

  package mutating func add(_ durations: CallDurations) {
    count += durations.count
    overLimit += durations.overLimit
    longest = max(longest, durations.longest)
  }
}

extension CallDurations {
  /// The calls since `earlier` was copied; `longest` remains that of all calls.
  package func since(_ earlier: CallDurations) -> CallDurations {
    var durations = self
    durations.count -= earlier.count
    durations.overLimit -= earlier.overLimit
    return durations
  }
}

/// The duration of `body` in milliseconds.
package func milliseconds(of body: () -> Void) -> Double {
  let start = g_get_monotonic_time()
  body()
  return Double(g_get_monotonic_time() - start) / 1000
}

/// Seconds of the monotonic clock.
package func monotonicSeconds() -> Double { Double(g_get_monotonic_time()) / 1e6 }
