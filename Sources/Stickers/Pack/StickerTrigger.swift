package import Faces

/// The condition for a sticker to appear.
package enum StickerTrigger: Sendable, Equatable {
  case always, face, noFace, mouthOpen, smile, blink, browRaise, frown
  case blendshape(BlendshapeTrigger)
  /// A hand makes a gesture: on a hand this one, else any in the frame.
  case gesture(Gesture)
}

/// A blendshape that exceeds a threshold.
package struct BlendshapeTrigger: Sendable, Equatable {
  package let shape: Blendshape
  /// 0.01...0.99; on from here.
  package let threshold: Double

  package init(_ shape: Blendshape, over threshold: Double) {
    (self.shape, self.threshold) = (shape, threshold)
  }

  /// A state that is off.
  ///
  /// It goes off a quarter below the threshold and at least 0.05, as scores of a still face vary by
  /// up to 0.04; for low thresholds at half of it.
  var hysteresis: Hysteresis {
    let off = max(threshold / 2, min(0.75 * threshold, threshold - 0.05))
    return Hysteresis(on: threshold, off: off)
  }
}

/// The text of a trigger in a pack: a name, a blendshape with its threshold, or a gesture.
extension StickerTrigger: RawRepresentable, CaseIterable {
  /// Those with names.
  package static let allCases: [StickerTrigger] = [
    .always, .face, .noFace, .mouthOpen, .smile, .blink, .browRaise, .frown,
  ]

  package var rawValue: String {
    switch self {
    case .always: "always"
    case .face: "face"
    case .noFace: "no-face"
    case .mouthOpen: "mouth-open"
    case .smile: "smile"
    case .blink: "blink"
    case .browRaise: "brow-raise"
    case .frown: "frown"
    case .blendshape(let trigger): "\(trigger.shape.name) > \(trigger.threshold)"
    case .gesture(let gesture): "\(Self.gesturePrefix) \(gesture.name)"
    }
  }

  package init?(rawValue text: String) {
    if let named = Self.allCases.first(where: { $0.rawValue == text }) {
      self = named
    } else if case .success(let trigger) = Self.parse(text) {
      self = trigger
    } else {
      return nil
    }
  }

  /// What the text of a gesture begins with.
  static let gesturePrefix = "gesture:"

  /// Reads "jawOpen > 0.4" or "gesture: Thumb_Up".
  static func parse(_ text: String) -> Result<StickerTrigger, FieldError> {
    if text.hasPrefix(gesturePrefix) {
      return parseGesture(trimmed(text.dropFirst(gesturePrefix.count)))
    }
    let parts = text.split(separator: ">", omittingEmptySubsequences: false).map { trimmed($0) }
    guard parts.count == 2 else { return .failure(FieldError("must be as \"jawOpen > 0.4\"")) }
    guard let shape = Blendshape(name: parts[0]) else {
      let known = nearest(to: parts[0], among: Blendshape.names).joined(separator: ", ")
      return .failure(
        FieldError("has no blendshape \"\(PackFields.sanitized(parts[0]))\"; similar are \(known)"))
    }
    guard let threshold = Double(parts[1]), (0.01...0.99).contains(threshold) else {
      return .failure(FieldError("must end with a number from 0.01 to 0.99"))
    }
    return .success(.blendshape(BlendshapeTrigger(shape, over: threshold)))
  }

  private static func parseGesture(_ name: String) -> Result<StickerTrigger, FieldError> {
    guard let gesture = Gesture(name: name) else {
      let known = nearest(to: name, among: Gesture.names).joined(separator: ", ")
      return .failure(
        FieldError("has no gesture \"\(PackFields.sanitized(name))\"; similar are \(known)"))
    }
    return .success(.gesture(gesture))
  }

  private static func trimmed(_ part: Substring) -> String {
    String(part.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
  }

  /// The three names that differ in the fewest letters; untrusted text counts up to 64 letters.
  private static func nearest(to name: String, among names: [String]) -> [String] {
    let wanted = Array(name.prefix(64).lowercased())
    let distances = names.map { name in
      distance(Array(name.lowercased()), wanted)
    }
    let order = distances.indices.sorted { (distances[$0], $0) < (distances[$1], $1) }
    return order.prefix(3).map { names[$0] }
  }

  /// The number of letters to insert, delete or replace: the distance of Levenshtein.
  private static func distance(_ a: [Character], _ b: [Character]) -> Int {
    var row = Array(0...b.count)
    for (i, letter) in a.enumerated() {
      var diagonal = row[0]
      row[0] = i + 1
      for (j, other) in b.enumerated() {
        let replaced = diagonal + (letter == other ? 0 : 1)
        diagonal = row[j + 1]
        row[j + 1] = min(replaced, diagonal + 1, row[j] + 1)
      }
    }
    return row[b.count]
  }
}
