package import Faces
package import Inference
package import Pixels

#if canImport(Glibc)
  import Glibc
#endif

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

    package init(faces: [Face], events: [FaceEvent], time: UInt64?) {
      self.faces = faces
      self.events = events
      self.time = time
    }
  }

  private let shared: Shared
  private var thread = pthread_t()
  private var isRunning = false

  /// Starts the thread; nil when the system gives none.
  package init?(_ finder: FaceFinder) {
    shared = Shared(finder)
    let context = unsafe Unmanaged.passRetained(shared)
    let status = unsafe pthread_create(
      &thread, nil,
      { context in
        // Balances passRetained above.
        let shared = unsafe Unmanaged<Shared>.fromOpaque(context!).takeRetainedValue()
        shared.loop()
        return nil
      }, context.toOpaque())
    guard status == 0 else {
      unsafe context.release()
      return nil
    }
    isRunning = true
  }

  deinit { stop() }

  /// Ends the thread; when this returns it is gone.
  ///
  /// An outcome not yet collected is lost.
  package func stop() {
    guard isRunning else { return }
    isRunning = false
    shared.locked { shared.isStopping = true }
    pthread_join(thread, nil)
  }

  /// Whether the thread waits for a picture.
  package var isIdle: Bool { shared.locked { shared.job == nil } }

  /// Forgets all faces, as after a seek: what is being looked for right now is dropped too.
  package func reset() {
    shared.locked {
      shared.epoch += 1
      shared.drop(shared.outcome)
      shared.outcome = nil
    }
  }

  /// Gives the thread a copy of `picture` if it is idle; says whether it took it.
  @discardableResult
  package func offer(
    _ picture: borrowing Picture, orientation: Orientation, time: UInt64?,
    settings: FaceFinder.Settings
  ) -> Bool {
    // The thread touches the copy only while there is a job, and only this thread makes jobs.
    guard isRunning, isIdle else { return false }
    if shared.copy?.matches(picture) != true {
      shared.copy = OwnedPicture(
        format: picture.format, width: picture.width, height: picture.height,
        colorimetry: picture.colorimetry, chromaSite: picture.chromaSite,
        pixelAspect: picture.pixelAspect)
    }
    shared.copy?.copy(picture)
    shared.locked {
      shared.job = Job(
        orientation: orientation, time: time, settings: settings, epoch: shared.epoch)
    }
    return true
  }

  /// The outcome that came since the last call, or nil; throws what the thread's work threw.
  package func collect() throws(ModelError) -> Outcome? {
    let result = shared.locked {
      defer { shared.outcome = nil }
      return shared.outcome
    }
    switch result {
    case .success(let outcome): return outcome
    case .failure(let error): throw error
    case nil: return nil
    }
  }
}

/// A picture to look at; the picture itself is the shared copy.
private struct Job {
  let orientation: Orientation
  let time: UInt64?
  let settings: FaceFinder.Settings
  let epoch: Int
}

/// What both threads see.
///
/// `job`, `outcome`, `untold`, `epoch` and `isStopping` are touched under the lock only. `copy` and `finder`
/// belong to the thread while there is a job and to the owner while there is none.
@safe private final class Shared: @unchecked Sendable {
  let finder: FaceFinder
  var copy: OwnedPicture?
  var job: Job?
  var outcome: Result<BackgroundFinder.Outcome, ModelError>?
  var epoch = 0
  var isStopping = false
  private var untold: [FaceEvent] = []
  private var seenEpoch = 0
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  private let changed: UnsafeMutablePointer<pthread_cond_t>

  init(_ finder: FaceFinder) {
    self.finder = finder
    unsafe mutex = .allocate(capacity: 1)
    unsafe changed = .allocate(capacity: 1)
    unsafe pthread_mutex_init(mutex, nil)
    unsafe pthread_cond_init(changed, nil)
  }

  deinit {
    unsafe pthread_cond_destroy(changed)
    unsafe pthread_mutex_destroy(mutex)
    unsafe changed.deallocate()
    unsafe mutex.deallocate()
  }

  func locked<R>(_ body: () -> R) -> R {
    unsafe pthread_mutex_lock(mutex)
    defer {
      unsafe pthread_cond_signal(changed)
      unsafe pthread_mutex_unlock(mutex)
    }
    return body()
  }

  /// The next job; nil when the thread must end.
  private func wait() -> Job? {
    unsafe pthread_mutex_lock(mutex)
    defer { unsafe pthread_mutex_unlock(mutex) }
    while job == nil && !isStopping { unsafe pthread_cond_wait(changed, mutex) }
    return isStopping ? nil : job
  }

  func loop() {
    while let job = wait() {
      let result = look(job)
      locked {
        if job.epoch == epoch { outcome = complete(result) } else { drop(result) }
        self.job = nil
      }
    }
  }

  /// Keeps what happened in a picture whose faces nobody will see, so that every face that was
  /// found is also lost.
  func drop(_ result: Result<BackgroundFinder.Outcome, ModelError>?) {
    if case .success(let outcome) = result { untold += outcome.events }
  }

  private func complete(
    _ result: Result<BackgroundFinder.Outcome, ModelError>
  ) -> Result<BackgroundFinder.Outcome, ModelError> {
    // An outcome that was not collected is replaced by a newer one.
    drop(outcome)
    guard case .success(var outcome) = result else { return result }
    outcome.events = untold + outcome.events
    untold.removeAll()
    return .success(outcome)
  }

  private func look(_ job: Job) -> Result<BackgroundFinder.Outcome, ModelError> {
    if job.epoch != seenEpoch {
      finder.reset()
      seenEpoch = job.epoch
    }
    guard let copy else { return .success(.init(faces: [], events: [], time: job.time)) }
    do throws(ModelError) {
      let faces = try copy.withPicture { (picture: borrowing Picture) throws(ModelError) in
        try finder.process(
          picture, orientation: job.orientation, time: job.time, settings: job.settings)
      }
      return .success(.init(faces: faces, events: finder.events, time: job.time))
    } catch {
      return .failure(error)
    }
  }
}
