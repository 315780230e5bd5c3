package import Faces
package import Inference
package import Pixels
import Threads

/// Runs a `FaceFinder` on a thread of its own, so that the streaming thread never waits.
///
/// The owner submits every picture. A picture that arrives while the thread is busy is dropped, so
/// the thread always processes the newest picture at the time it became idle. It works on a copy.
/// All methods belong to one owner thread; the finder itself may be used only while `isIdle`.
package final class AsyncFaceFinder {
  /// The faces and events of one submitted picture.
  package struct Outcome: Sendable {
    package var faces: [Face]
    package var hands: [TrackedHand] = []
    package var events: [FaceEvent]
    /// The number of the picture's scene; see `FaceFinder.sceneNumber`.
    package var scene: UInt32 = 0
    /// Stream time of the picture, nanoseconds.
    package var time: UInt64?

    /// The faces moved to `time` by their velocities, by at most a tenth of a second.
    package func faces(at time: UInt64?) -> [Face] {
      guard let time, let pictureTime = self.time, time > pictureTime else { return faces }
      let seconds = min(Double(time - pictureTime) * 1e-9, 0.1)
      return faces.map { $0.moved(by: $0.velocity * seconds) }
    }
  }

  private typealias Found = Result<Outcome, ModelError>

  private let worker = BackgroundWorker<Found>(
    unavailable: .failure(ModelError("the system has no thread left")))
  private let mailbox: Mailbox
  private let detect: @Sendable (CancellationToken) -> Found
  /// The number of resets: outcomes from before a reset are dropped.
  private var epoch = 0
  /// Events of outcomes that were dropped; they are reported with the next outcome, so that every
  /// face that was found is also lost.
  private var uncollectedEvents: [FaceEvent] = []

  /// The thread owns `finder` while it is busy, and the caller while it is idle.
  package init(_ finder: FaceFinder) {
    let mailbox = Mailbox(finder)
    self.mailbox = mailbox
    detect = { _ in mailbox.detect() }
  }

  /// Ends the thread, within a tenth of a second.
  ///
  /// Returns false if it is still running: it then keeps the finder, and the caller needs another
  /// one.
  @discardableResult
  package func stop() -> Bool { worker.stop() }

  /// Whether the thread is waiting for a picture.
  package var isIdle: Bool { !worker.isBusy }

  /// Drops all faces, as after a seek, and the result of the detection in progress.
  package func reset() {
    dropUncollected()
    epoch += 1
  }

  /// Copies `picture` for the thread if it is idle; returns whether it was.
  @discardableResult
  package func submit(
    _ picture: borrowing Picture, orientation: Orientation, time: UInt64?,
    isPaced: Bool = true, settings: FaceFinder.Settings
  ) -> Bool {
    guard isIdle else { return false }
    // A newer outcome replaces one that was not collected.
    dropUncollected()
    if mailbox.copy?.video != picture.video { mailbox.copy = OwnedPicture(picture.video) }
    mailbox.copy?.copy(picture)
    mailbox.job = Job(
      orientation: orientation, time: time, isPaced: isPaced, settings: settings, epoch: epoch)
    worker.request(detect)
    return true
  }

  /// The outcome since the last call, or nil; throws the error of the thread.
  package func collect() throws(ModelError) -> Outcome? {
    guard var outcome = try worker.take()?.get() else { return nil }
    outcome.events = uncollectedEvents + outcome.events
    uncollectedEvents = []
    guard mailbox.job?.epoch == epoch else {
      uncollectedEvents = outcome.events
      return nil
    }
    return outcome
  }

  private func dropUncollected() {
    if case .success(let outcome)? = worker.take() { uncollectedEvents += outcome.events }
  }
}

/// The parameters of a detection; the picture is the copy in the mailbox.
private struct Job {
  let orientation: Orientation
  let time: UInt64?
  let isPaced: Bool
  let settings: FaceFinder.Settings
  let epoch: Int
}

/// Data that both threads use in turn: the worker while busy, the owner while the worker is idle.
private final class Mailbox: @unchecked Sendable {
  let finder: FaceFinder
  var copy: OwnedPicture?
  var job: Job?
  private var seenEpoch = 0

  init(_ finder: FaceFinder) { self.finder = finder }

  func detect() -> Result<AsyncFaceFinder.Outcome, ModelError> {
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
      return AsyncFaceFinder.Outcome(
        faces: faces, hands: finder.trackedHands, events: finder.events, scene: finder.sceneNumber,
        time: job.time)
    }
  }
}
