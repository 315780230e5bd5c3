import CGStreamer
import CHarness

/// Makes a call that must return soon; one that does not ends the process (`charness_watch`).
package func watched<R>(_ name: StaticString, _ body: () throws -> R) rethrows -> R {
  charness_enter(
    UnsafeRawPointer(name.utf8Start).assumingMemoryBound(to: CChar.self))
  defer { charness_leave() }
  return try body()
}

/// How long calls of one kind took.
package struct Times: Sendable {
  package private(set) var count = 0
  /// Over the bar.
  package private(set) var late = 0
  /// Milliseconds.
  package private(set) var longest = 0.0
  package let bar: Double

  /// `bar` in milliseconds.
  package init(bar: Double) { self.bar = bar }

  /// Takes the milliseconds of one call.
  package mutating func take(_ milliseconds: Double) {
    count += 1
    longest = max(longest, milliseconds)
    if milliseconds > bar { late += 1 }
  }

  package mutating func take(_ times: Times) {
    count += times.count
    late += times.late
    longest = max(longest, times.longest)
  }
}

extension Times {
  /// Those that came after `earlier`; the longest is of all.
  package func since(_ earlier: Times) -> Times {
    var times = self
    times.count -= earlier.count
    times.late -= earlier.late
    return times
  }
}

/// The milliseconds that `body` took.
package func milliseconds(of body: () -> Void) -> Double {
  let start = g_get_monotonic_time()
  body()
  return Double(g_get_monotonic_time() - start) / 1000
}
