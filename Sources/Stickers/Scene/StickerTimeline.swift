/// The times of an animation's frames.
package struct StickerTimeline: Sendable, Equatable {
  /// End times of the frames in a round in nanoseconds, ascending.
  private let ends: [Int64]

  /// `count` frames of the same duration in nanoseconds; both are at least 1.
  package init(count: Int, frameDuration: Int64) {
    self.init(durations: Array(repeating: frameDuration, count: min(max(1, count), 100_000)))
  }

  /// Frames of these durations in nanoseconds, each clamped to a microsecond...an hour.
  package init(durations: [Int64]) {
    var end: Int64 = 0
    ends = (durations.isEmpty ? [1_000_000] : durations).map { duration in
      end += min(max(duration, 1000), 3_600_000_000_000)
      return end
    }
  }

  /// Duration of one round in nanoseconds.
  package var roundDuration: Int64 { ends[ends.count - 1] }

  /// The frame at `time` nanoseconds after the start; rounds repeat.
  package func frame(at time: Int64) -> Int {
    let time = max(time, 0) % roundDuration
    var low = 0
    var high = ends.count - 1
    while low < high {
      let middle = (low + high) / 2
      if ends[middle] > time { high = middle } else { low = middle + 1 }
    }
    return low
  }

  /// The round at `time` nanoseconds after the start, from 0.
  package func round(at time: Int64) -> Int64 { max(time, 0) / roundDuration }
}
