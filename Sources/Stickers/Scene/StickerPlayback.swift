/// The state of one item's animation on one face, or on the screen.
struct StickerPlayback: Sendable {
  /// Start of round 0 in nanoseconds of running time; nil when stopped.
  private var start: Int64?
  private var wasHolding = false
  /// The last round to play, once the trigger has ended.
  private var lastRound: Int64?

  /// Updates the state with whether the trigger holds at `time`; returns the frame to show, if any.
  ///
  /// The animation starts with frame 0 when the trigger begins to hold. With `loop` rounds it plays
  /// them to the end regardless of the trigger. With 0 it plays while the trigger holds; for
  /// expressions it then plays the current round to the end.
  ///
  /// A trigger that is not known, nil, is as it was.
  mutating func advance(
    _ time: Int64, holds: Bool?, item: StickerItem, timeline: StickerTimeline
  ) -> Int? {
    let holds = holds ?? wasHolding
    let isRising = holds && !wasHolding
    wasHolding = holds
    if let started = start {
      let round = timeline.round(at: time &- started)
      if item.loop > 0 {
        if round >= Int64(item.loop) { start = nil }
      } else if holds {
        lastRound = nil
      } else {
        let last = lastRound ?? round
        lastRound = last
        if round > last || Self.endsAtOnce(item.trigger) { start = nil }
      }
    }
    if start == nil, isRising {
      start = time
      lastRound = nil
    }
    guard let start else { return nil }
    return timeline.frame(at: time &- start)
  }

  mutating func stop() {
    start = nil
    wasHolding = false
    lastRound = nil
  }

  private static func endsAtOnce(_ trigger: StickerTrigger) -> Bool {
    trigger == .always || trigger == .face || trigger == .noFace
  }
}
