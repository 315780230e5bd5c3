import Synchronization

/// Says that an element reads what `facedetect` measures only while an element of the process reads it.
///
/// One object belongs to one element, whose thread sets it; any thread may ask for `isAny`.
final class MeasurementReader {
  enum Measurement {
    /// What covers faces.
    case covers
    case hands
  }

  private static let coverReaders = Atomic<Int>(0)
  private static let handReaders = Atomic<Int>(0)

  private let measurement: Measurement

  init(_ measurement: Measurement) { self.measurement = measurement }

  /// Whether an element of the process reads this.
  static func isAny(_ measurement: Measurement) -> Bool {
    switch measurement {
    case .covers: coverReaders.load(ordering: .relaxed) > 0
    case .hands: handReaders.load(ordering: .relaxed) > 0
    }
  }

  /// Whether the element reads it now.
  var isReading = false {
    didSet { if isReading != oldValue { count(isReading ? 1 : -1) } }
  }

  private func count(_ change: Int) {
    switch measurement {
    case .covers: Self.coverReaders.add(change, ordering: .relaxed)
    case .hands: Self.handReaders.add(change, ordering: .relaxed)
    }
  }

  deinit { if isReading { count(-1) } }
}
