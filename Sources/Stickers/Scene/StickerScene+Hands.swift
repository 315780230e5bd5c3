import Faces
import Pixels

/// The hands of a stream, and their stickers.
extension StickerScene {
  struct HandState {
    /// Whether each gesture is made, with hysteresis.
    var gestures = [Hysteresis](repeating: Self.off, count: Gesture.allCases.count)
    /// For each item the animation, and the last placement.
    var playbacks: [StickerPlayback]
    var placements: [StickerPlacement?]

    private static let off = Hysteresis(on: 0.5, off: 0.35)

    func makes(_ gesture: Gesture) -> Bool { gestures[gesture.rawValue].isOn }

    mutating func update(_ hand: TrackedHand) {
      for gesture in gestures.indices {
        gestures[gesture].update(
          hand.gesture?.rawValue == gesture ? hand.gestureConfidence : 0)
      }
    }

    /// Starts anew, in the same memory.
    mutating func reset() {
      for gesture in gestures.indices { gestures[gesture] = Self.off }
      for item in playbacks.indices { playbacks[item].stop() }
    }
  }

  /// Notes the hands of a frame, `elapsed` nanoseconds after the one before.
  func updateHands(
    _ detected: [TrackedHand], _ elapsed: Int64, _ width: Int, _ height: Int,
    _ adjustment: StickerPlacement.Adjustment
  ) {
    hands.beginFrame(elapsed: elapsed)
    for (position, hand) in detected.enumerated() {
      guard let frame = HandFrame(hand, width: width, height: height) else { continue }
      let key = hand.id != 0 ? UInt64(hand.id) : UInt64(position) | 1 << 32
      guard let index = hands.lastIndex(where: { $0.key == key }) ?? addHand(key) else { continue }
      let box = hand.box.scaled(x: Double(width), y: Double(height))
      hands.markSeen(index, at: box.center)
      hands[index].state.update(hand)
      for item in items.indices where items[item].isOnHand {
        hands[index].state.placements[item] = .onHand(items[item], frame, adjustment)
      }
    }
    hands.keep { $0.isSeen || $0.missing < Self.fadeDuration }
  }

  private func addHand(_ key: UInt64) -> Int? {
    guard let index = hands.add(key) else { return nil }
    hands[index].state.reset()
    return index
  }

  /// Whether a trigger holds for an item on a hand that is seen.
  func holds(_ trigger: StickerTrigger, hand: Int) -> Bool {
    switch trigger {
    case .always, .face: true
    case .gesture(let gesture): hands[hand].state.makes(gesture)
    default: holdsOnScreen(trigger)
    }
  }

  /// Whether any hand of the frame makes a gesture.
  func isMade(_ gesture: Gesture) -> Bool {
    hands.contains { $0.isSeen && $0.state.makes(gesture) }
  }
}
