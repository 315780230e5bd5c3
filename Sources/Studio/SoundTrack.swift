/// Places audio buffers on the track of a recording without gaps, because a muxer waits for audio
/// that is missing.
///
/// Times are nanoseconds of the recording, lengths are samples of 1/48000 s.
package struct SoundTrack: Equatable, Sendable {
  /// Samples a second.
  package static let rate = 48_000
  /// Inaudible timing errors, in samples: buffers within it are appended as they are.
  package static let tolerance = rate / 25
  /// How far audio may be behind the video before silence is inserted, in samples.
  package static let patience = rate / 2

  /// The length of the track.
  package private(set) var end = 0

  package init() {}

  /// A time in samples.
  package static func sampleCount(of time: Int) -> Int {
    // Whole seconds are converted separately: the product would overflow after two days.
    time / 1_000_000_000 * rate + time % 1_000_000_000 * rate / 1_000_000_000
  }

  /// The time of a sample.
  package static func time(ofSample sample: Int) -> Int {
    sample / rate * 1_000_000_000 + sample % rate * 1_000_000_000 / rate
  }

  /// Adds a buffer of `count` samples at `time`; returns the silence to insert before it, and the number
  /// of its first samples to skip.
  package mutating func add(_ count: Int, at time: Int) -> (silence: Int, skipped: Int) {
    let late = Self.sampleCount(of: time) - end
    let (silence, skipped) =
      abs(late) <= Self.tolerance ? (0, 0) : (max(0, late), min(count, max(0, -late)))
    end += silence + count - skipped
    return (silence, skipped)
  }

  /// The silence to insert when the video has reached `time`.
  package mutating func fillSilence(upTo time: Int, patience: Int = Self.patience) -> Int {
    let silence = max(0, Self.sampleCount(of: time) - patience - end)
    end += silence
    return silence
  }
}
