package import Faces
package import Frames
import Pixels

/// The `MienHands` metadata: the hands in a frame.
///
/// One GstCustomMeta per buffer that `facedetect` was asked to find hands in, also if it found none.
/// Coordinates are normalized as those of `MienFaces`, and transformed alike. docs/metadata.md lists the fields.
package enum HandMetadata {
  static let name: StaticString = "MienHands"

  /// Registers the metadata with GStreamer; called when the plugin is loaded.
  package static func register() {
    registerMetadata(name) { fields, placement, size, target in
      if placement.isScale, !target.hasCustom(name) { return .unchanged }
      var hands: [TrackedHand] = []
      read(fields, into: &hands)
      var others: [TrackedHand] = []
      if target.hasCustom(name) {
        readAll(of: target, into: &others)
        // As the faces of composited streams.
        let start = ((others.map(\.id).max() ?? 0) >> 28) &+ 1
        for index in hands.indices { hands[index].id = hands[index].id &+ start &<< 28 }
      }
      attach(
        others + hands.compactMap { $0.transformed(by: placement) }, width: size.width,
        height: size.height, to: target)
      return .done
    }
  }

  /// Replaces the hands of a frame of the given size in pixels.
  static func attach(
    _ hands: [TrackedHand], width: Int, height: Int, to metadata: BufferMetadata
  ) {
    let contents = Structure(name)
    contents.set("width", UInt32(width))
    contents.set("height", UInt32(height))
    contents.set("hands", arrayOf: hands.count) { structure(hands[$0]) }
    metadata.replace(name, contents)
  }

  /// Replaces the hands of a frame, or removes them if they are nil.
  static func replace(
    _ hands: [TrackedHand]?, width: Int, height: Int, on metadata: BufferMetadata
  ) {
    if let hands {
      attach(hands, width: width, height: height, to: metadata)
    } else if metadata.hasCustom(name) {
      metadata.removeCustom(name)
    }
  }

  /// The number of hands in the metadata of a buffer; 0 without it.
  static func handCount(in metadata: BufferMetadata) -> Int {
    var count = 0
    metadata.forEach(name) { fields in
      count += fields?.list("hands")?.count ?? 0
      return true
    }
    return count
  }

  private static func structure(_ hand: TrackedHand) -> Structure {
    let s = Structure("hand")
    s.set("id", hand.id)
    s.set("confidence", hand.confidence)
    s.set(sideOf: hand)
    let box = hand.box
    s.set("x", box.x)
    s.set("y", box.y)
    s.set("width", box.width)
    s.set("height", box.height)
    s.set("landmarks", floats: 3 * hand.landmarks.count) { floats in
      for index in hand.landmarks.indices {
        let point = hand.landmarks[index]
        (floats[3 * index], floats[3 * index + 1], floats[3 * index + 2]) = (
          point.x, point.y, point.z
        )
      }
    }
    return s
  }

  /// Appends the hands of all metadata of a buffer.
  static func readAll(of metadata: BufferMetadata, into hands: inout [TrackedHand]) {
    metadata.forEach(name) { fields in
      read(fields, into: &hands)
      return true
    }
  }

  /// Appends the hands of one metadata; those without 21 finite points are left out.
  private static func read(_ fields: Fields?, into hands: inout [TrackedHand]) {
    guard let list = fields?.list("hands") else { return }
    for index in 0..<list.count where hands.count < TrackedHand.maximumPerFrame {
      if let hand = list[index].flatMap(readHand) { hands.append(hand) }
    }
  }

  private static func readHand(_ s: Fields) -> TrackedHand? {
    var hand = TrackedHand(id: s.id("id"), confidence: s.number("confidence") ?? 0)
    let count = hand.landmarks.count
    guard let bytes = s.bytes("landmarks"), bytes.count == 12 * count else { return nil }
    for index in 0..<count {
      hand.landmarks[index] = Landmark(
        x: bytes.float(at: 3 * index), y: bytes.float(at: 3 * index + 1),
        z: bytes.float(at: 3 * index + 2))
    }
    hand.side = s.text("side").flatMap { TrackedHand.Side(rawValue: $0) } ?? .right
    hand.sideConfidence = s.number("side-confidence") ?? 0
    hand.gesture = s.text("gesture").flatMap { Gesture(name: $0) }
    hand.gestureConfidence = s.number("gesture-confidence") ?? 0
    return hand.isUsable ? hand : nil
  }
}

extension Structure {
  /// Sets which hand it is, and its gesture if it is known.
  func set(sideOf hand: TrackedHand) {
    set("side", hand.side.rawValue)
    set("side-confidence", hand.sideConfidence)
    guard let gesture = hand.gesture else { return }
    set("gesture", gesture.name)
    set("gesture-confidence", hand.gestureConfidence)
  }
}

extension FrameHeader {
  /// Reads the hands of this frame into `hands`; false if the frame has no metadata of hands.
  package func readHands(into hands: inout [TrackedHand]) -> Bool {
    hands.removeAll(keepingCapacity: true)
    guard metadata.hasCustom(HandMetadata.name) else { return false }
    HandMetadata.readAll(of: metadata, into: &hands)
    return true
  }
}
