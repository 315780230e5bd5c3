import CGStreamer
import Client
import Studio

/// The position in a film.
extension Player {
  /// Whether it can be paused: a film.
  var isFilm: Bool { if case .film = source { true } else { false } }

  /// In nanoseconds.
  var position: Int { pausedTime ?? max(0, pipeline.position) }

  /// In nanoseconds; 0 where it is not known.
  var duration: Int { max(0, pipeline.duration) }

  /// Starts a film; false where it fails.
  ///
  /// Its clock starts when the first frame has passed the chain, whose networks run for the first time then,
  /// and at the latest after two seconds.
  func startFilm() -> Bool {
    // Only once its state has changed may the clocksync stop to synchronise: the frames after a flush of a
    // pipeline that was not live when it was paused pass it at once, until the base time is set again.
    head["clock"]?.pad("sink")?.addProbe(GST_PAD_PROBE_TYPE_BUFFER) { [weak self] _, _ in
      self?.passOneFrame()
      return GST_PAD_PROBE_REMOVE
    }
    window.pad("sink")?.addProbe(GST_PAD_PROBE_TYPE_BUFFER) { [weak self] _, _ in
      MainLoop.dispatch { self?.startClock() }
      return GST_PAD_PROBE_REMOVE
    }
    MainLoop.schedule(milliseconds: 2000) { [weak self] in
      self?.startClock()
      return false
    }
    return pipeline.setState(GST_STATE_PAUSED)
  }

  private func startClock() {
    guard !isOver, !isClockStarted else { return }
    isClockStarted = true
    if pausedTime == nil { pipeline.setState(GST_STATE_PLAYING) }
  }

  /// Pauses a film, or plays it again.
  func setPaused(_ isPaused: Bool) {
    guard isFilm, !isOver, isPaused != (pausedTime != nil) else { return }
    pausedTime = isPaused ? position : nil
    mailbox.setPaused(isPaused)
    if !isPaused { head["clock"]?.set("sync", "true") }
    pipeline.setState(isPaused ? GST_STATE_PAUSED : GST_STATE_PLAYING)
  }

  /// Goes to a time in nanoseconds.
  ///
  /// Of several times within 50 ms it goes to the last one, as while a bar is dragged.
  func seek(to time: Int) {
    guard isFilm, !isOver else { return }
    // At the very end there is no frame; a film whose duration is not known ends somewhere.
    let last = duration > 0 ? duration - 100_000_000 : .max
    let wanted = max(0, min(time, last))
    if pausedTime != nil { pausedTime = wanted }
    wantedTime = wanted
    guard !isSeeking else { return }
    isSeeking = true
    MainLoop.schedule(milliseconds: 50) { [weak self] in
      guard let self else { return false }
      isSeeking = false
      guard !isOver, let wanted = wantedTime else { return false }
      wantedTime = nil
      if pausedTime != nil || !isClockStarted { passOneFrame() }
      flush { $0.seek(to: wanted) }
      return false
    }
  }

  /// Has the next frame pass while the film is paused, or its clock has not started.
  ///
  /// A clocksync holds frames back then, unless it does not synchronise.
  private func passOneFrame() {
    guard let clock = head["clock"] else { return }
    clock.pad("src")?.addProbe(GST_PAD_PROBE_TYPE_BUFFER) { pad, _ in
      pad.element?.set("sync", "true")
      return GST_PAD_PROBE_REMOVE
    }
    clock.set("sync", "false")
  }

  /// Has a paused film pass its frame through the chain again, after a change.
  ///
  /// A second time after half a second: elements load packs and backgrounds meanwhile.
  func refreshPausedFrame() {
    guard let pausedTime else { return }
    seek(to: pausedTime)
    refreshes += 1
    let number = refreshes
    MainLoop.schedule(milliseconds: 500) { [weak self] in
      if let self, refreshes == number, let pausedTime = self.pausedTime { seek(to: pausedTime) }
      return false
    }
  }
}
