import CGStreamer
import Programs

/// Those that get every whole frame beside the window; for any thread.
final class Taps: @unchecked Sendable {
  private let lock = Lock()
  private var taps: [Tap] = []

  func add(_ tap: Tap) { lock { taps.append(tap) } }

  func remove(_ tap: Tap) { lock { taps.removeAll { $0 === tap } } }

  func clear() { lock { taps = [] } }

  func push(_ buffer: UnsafeMutablePointer<GstBuffer>, _ caps: UnsafeMutablePointer<GstCaps>) {
    for tap in lock({ taps }) { tap.push(buffer, caps) }
  }
}
