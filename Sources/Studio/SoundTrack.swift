/// How sound that comes in pieces is laid into a film that is being written: without holes, for a film
/// whose sound does not go on is not written on.
///
/// Times are in nanoseconds of the film, lengths in samples of 1/48000 s.
package struct SoundTrack: Equatable, Sendable {
  /// Samples a second.
  package static let rate = 48_000
  /// What nobody hears as too early or late; pieces whose times are off by less follow each other.
  package static let tolerance = rate / 25
  /// How far sound may be behind the pictures before silence takes its place.
  package static let patience = rate / 2

  /// Samples that were laid.
  package private(set) var end = 0

  package init() {}

  /// What a time is in samples.
  package static func samples(_ time: Int) -> Int {
    // Whole seconds for themselves, or it would overflow after two days.
    time / 1_000_000_000 * rate + time % 1_000_000_000 * rate / 1_000_000_000
  }

  /// When a sample is heard.
  package static func time(_ sample: Int) -> Int {
    sample / rate * 1_000_000_000 + sample % rate * 1_000_000_000 / rate
  }

  /// Lays a piece that begins at `time`: so many samples of silence go before it, and so many of its
  /// first ones are left out.
  package mutating func lay(_ count: Int, at time: Int) -> (silence: Int, skipped: Int) {
    let late = Self.samples(time) - end
    let (silence, skipped) =
      abs(late) <= Self.tolerance ? (0, 0) : (max(0, late), min(count, max(0, -late)))
    end += silence + count - skipped
    return (silence, skipped)
  }

  /// The silence that is due now that the pictures have come to `time`.
  package mutating func wait(pictures time: Int, patience: Int = Self.patience) -> Int {
    let silence = max(0, Self.samples(time) - patience - end)
    end += silence
    return silence
  }
}
