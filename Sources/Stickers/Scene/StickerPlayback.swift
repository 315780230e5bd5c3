/// One item's animation on one face, or on the screen: whether it runs, and since when.
struct StickerPlayback: Sendable {
  /// Start of round 0, in nanoseconds of running time; nil when it does not run.
  private var start: Int64?
  private var wasHolding = false
  /// The round at whose end it stops, once its trigger is over.
  private var lastRound: Int64?

  /// Takes in whether the trigger holds at `time`; returns the frame to show, or nil.
  ///
  /// It starts with frame 0 when the trigger begins to hold. With `loop` rounds it plays them
  /// to their end, whatever the trigger does meanwhile; with 0 it plays while the trigger
  /// holds, and an expression's animation then plays its round to the end.
  mutating func advance(
    _ time: Int64, holds: Bool, item: StickerItem, timeline: StickerTimeline
  ) -> Int? {
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
