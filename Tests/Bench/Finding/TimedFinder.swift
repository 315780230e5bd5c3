import Faces
import Glibc
import Pixels
import Support
import Vision

/// A finder with settings of its own whose calls are timed.
final class TimedFinder {
  let name: String
  private let settings: FaceFinder.Settings
  private let finder: FaceFinder
  /// The CPU seconds of this thread in all calls so far.
  private(set) var seconds = 0.0

  init(_ name: String, _ change: (inout FaceFinder.Settings) -> Void = { _ in }) throws {
    self.name = name
    var settings = FaceFinder.Settings()
    change(&settings)
    self.settings = settings
    finder = try FaceFinder.loaded(settings)
  }

  /// The values of the preset "Hide everyone".
  static func everyone() throws -> TimedFinder {
    try TimedFinder("Hide everyone") {
      ($0.minConfidence, $0.maxFaces, $0.detectInterval) = (0.4, 64, 1)
      ($0.tiles, $0.expressions, $0.smoothing) = (.three, false, 0)
      ($0.landmarks, $0.heads) = (false, true)
    }
  }

  /// Begins another film or still.
  func reset() { finder.reset() }

  /// The faces in a frame of a film of 30 frames a second, or in a still for nil.
  func faces(in picture: OwnedPicture, frame: Int?) throws -> [Face] {
    let start = Self.now
    defer { seconds += Self.now - start }
    let time = frame.map { UInt64($0) * 33_333_333 }
    return try picture.withPicture { (p: borrowing Picture) throws in
      try finder.process(
        p, orientation: .up, time: time, isPaced: frame != nil, settings: settings)
    }
  }

  private static var now: Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
