import CGStreamer
import Client
import Programs

/// The audio of a film.
extension Player {
  /// Plays an audio stream; called on a streaming thread.
  func playSound(_ pad: Pad) {
    guard lock({ sound == nil }) else { return }
    let isMuted = lock { self.isMuted }
    guard let sound = try? Sound(isMuted: isMuted) else { return }
    sound.onBuffer = { [weak self] buffer, time in
      if let self { onSoundBuffer?(buffer, time + pipeline.baseTime) }
    }
    guard pipeline.add(sound.bin), pad.link(sound.bin.pad("sink")) else {
      sound.bin.setState(GST_STATE_NULL)
      pipeline.remove(sound.bin)
      return
    }
    lock { self.sound = sound }
    postSoundState()
    if isAudible { openSpeaker() }
  }

  /// Opens a loudspeaker on a thread of its own.
  private func openSpeaker() {
    DetachedThread.run { [weak self] in
      guard let speaker = Sound.Speaker() else { return }
      MainLoop.dispatch {
        guard let self, !self.isOver, let sound = self.lock({ self.sound }) else { return }
        sound.connect(speaker) { [weak self] in self?.postSoundState() }
      }
    }
  }

  private func postSoundState() {
    MainLoop.dispatch { [weak self] in
      guard let self, !isOver else { return }
      // Elements that are added while the main thread changes the pipeline's state may keep the old one.
      lock { sound }?.bin.matchParentState()
      onSound()
    }
  }

  /// Reports a file without video; called on a streaming thread once all streams are known.
  func report(hasPictures: Bool) {
    guard !hasPictures else { return }
    MainLoop.dispatch { [weak self] in
      if let self, !isOver { onProblem(tr("There are no pictures in it."), nil, true) }
    }
  }

  /// Whether the source has audio.
  var hasSound: Bool { lock { sound } != nil }

  /// Whether a loudspeaker plays the audio, muted or not.
  var hasSpeaker: Bool { lock { sound }?.hasSpeaker ?? false }

  func setMuted(_ isMuted: Bool) {
    lock { self.isMuted = isMuted }
    lock { sound }?.isMuted = isMuted
  }
}
