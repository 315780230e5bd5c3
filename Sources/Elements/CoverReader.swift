import Synchronization

/// Says that an element reads what covers faces: `facedetect occlusion=auto` measures that only while
/// an element of the process does.
///
/// One object belongs to one element, whose thread sets it; any thread may ask for `isAny`.
final class CoverReader {
  private static let count = Atomic<Int>(0)

  /// Whether an element of the process reads covers.
  static var isAny: Bool { count.load(ordering: .relaxed) > 0 }

  /// Whether the element reads covers now.
  var isReading = false {
    didSet {
      guard isReading != oldValue else { return }
      Self.count.add(isReading ? 1 : -1, ordering: .relaxed)
    }
  }

  deinit { if isReading { Self.count.subtract(1, ordering: .relaxed) } }
}
