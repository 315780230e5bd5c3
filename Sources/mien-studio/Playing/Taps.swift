import CGStreamer
import Programs

/// Those that get every whole frame beside the window; for any thread.
final class Taps: @unchecked Sendable {
  private let lock = Lock()
  private var taps: [Tap] = []

  func add(_ tap: Tap) { lock { taps.append(tap) } }

  func remove(_ tap: Tap) { lock { taps.removeAll { $0 === tap } } }

  func clear() { lock { taps = [] } }

  func push(
    _ buffer: UnsafeMutablePointer<GstBuffer>, _ caps: UnsafeMutablePointer<GstCaps>,
    at time: Int?
  ) {
    for tap in lock({ taps }) { tap.push(buffer, caps, at: time) }
  }

  /// Where sound comes from.
  enum Voice { case film, microphone }

  private var heard = Voice.microphone

  /// Whose sound is recorded from here on.
  func listen(to voice: Voice) { lock { heard = voice } }

  func push(sound piece: UnsafeMutablePointer<GstBuffer>, at time: Int, from voice: Voice) {
    for tap in lock({ voice == heard ? taps : [] }) { tap.push(sound: piece, at: time) }
  }
}
