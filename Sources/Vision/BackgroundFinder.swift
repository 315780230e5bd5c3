package import Faces
package import Inference
package import Pixels
import Threads

/// Runs a `FaceFinder` on a thread of its own, so that whoever has the pictures never waits.
///
/// The owner offers every picture; one that comes while the thread is at work is passed over, so
/// the thread always works on the newest picture there was when it became free. It works on a
/// copy: nothing of the owner's is held. All methods are for one owner thread; the finder itself
/// may be touched only while `isIdle`.
package final class BackgroundFinder {
  /// What was found in one of the offered pictures.
  package struct Outcome: Sendable {
    package var faces: [Face]
    package var events: [FaceEvent]
    /// Stream time of the picture, nanoseconds.
    package var time: UInt64?

    /// The faces where they will be at `time`, if they go on as they went; they are not followed
    /// for longer than a tenth of a second.
    package func faces(at time: UInt64?) -> [Face] {
      guard let time, let found = self.time, time > found else { return faces }
      let seconds = min(Double(time - found) * 1e-9, 0.1)
      return faces.map { $0.moved(by: $0.velocity * seconds) }
    }
  }

  private typealias Found = Result<Outcome, ModelError>

  private let worker = BackgroundWorker<Found>(
    unavailable: .failure(ModelError("the system has no thread left")))
  private let desk: Desk
  private let look: @Sendable (CancellationToken) -> Found
  /// Counts resets: what was found before one is nobody's business after it.
  private var epoch = 0
  /// What happened in pictures whose faces nobody has seen, so that every face that was found is
  /// also lost.
  private var unreported: [FaceEvent] = []

  /// `finder` is the thread's while it is at work, and the owner's while it is not.
  package init(_ finder: FaceFinder) {
    let desk = Desk(finder)
    self.desk = desk
    look = { _ in desk.look() }
  }

  /// Ends the thread, within a tenth of a second; false when it could not be waited for: then the
  /// finder stays its own, and the owner needs another one.
  @discardableResult
  package func stop() -> Bool { worker.stop() }

  /// Whether the thread waits for a picture.
  package var isIdle: Bool { !worker.isBusy }

  /// Forgets all faces, as after a seek: what is being looked for right now is dropped too.
  package func reset() {
    dropUncollected()
    epoch += 1
  }

  /// Gives the thread a copy of `picture` if it is idle; says whether it took it.
  @discardableResult
  package func offer(
    _ picture: borrowing Picture, orientation: Orientation, time: UInt64?,
    isPaced: Bool = true, settings: FaceFinder.Settings
  ) -> Bool {
    guard isIdle else { return false }
    // An outcome that was not collected is replaced by a newer one.
    dropUncollected()
    if desk.copy?.video != picture.video { desk.copy = OwnedPicture(picture.video) }
    desk.copy?.copy(picture)
    desk.job = Job(
      orientation: orientation, time: time, isPaced: isPaced, settings: settings, epoch: epoch)
    worker.request(look)
    return true
  }

  /// The outcome that came since the last call, or nil; throws what the thread's work threw.
  package func collect() throws(ModelError) -> Outcome? {
    guard var outcome = try worker.take()?.get() else { return nil }
    outcome.events = unreported + outcome.events
    unreported = []
    guard desk.job?.epoch == epoch else {
      unreported = outcome.events
      return nil
    }
    return outcome
  }

  private func dropUncollected() {
    if case .success(let outcome)? = worker.take() { unreported += outcome.events }
  }
}

/// A picture to look at; the picture itself is the desk's copy.
private struct Job {
  let orientation: Orientation
  let time: UInt64?
  let isPaced: Bool
  let settings: FaceFinder.Settings
  let epoch: Int
}

/// What both threads use, in turn: the worker while it is busy, the owner while it is not.
private final class Desk: @unchecked Sendable {
  let finder: FaceFinder
  var copy: OwnedPicture?
  var job: Job?
  private var seenEpoch = 0

  init(_ finder: FaceFinder) { self.finder = finder }

  func look() -> Result<BackgroundFinder.Outcome, ModelError> {
    guard let job, let copy else { return .success(.init(faces: [], events: [], time: nil)) }
    if job.epoch != seenEpoch {
      finder.reset()
      seenEpoch = job.epoch
    }
    return Result { () throws(ModelError) in
      let faces = try copy.withPicture { (picture: borrowing Picture) throws(ModelError) in
        try finder.process(
          picture, orientation: job.orientation, time: job.time, isPaced: job.isPaced,
          settings: job.settings)
      }
      return BackgroundFinder.Outcome(faces: faces, events: finder.events, time: job.time)
    }
  }
}
