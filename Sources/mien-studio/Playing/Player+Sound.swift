import CGStreamer
import Programs

/// What is heard of a film.
extension Player {
  /// On a streaming thread, which the pictures do not wait for.
  func hear(_ pad: Pad) {
    guard lock({ sound == nil }) else { return }
    let isMuted = lock { mutes }
    guard let sound = try? Sound(isMuted: isMuted) else { return }
    sound.onPiece = { [weak self] piece, time in
      if let self { onPiece?(piece, time + pipeline.baseTime) }
    }
    guard pipeline.start(sound.bin), pad.link(sound.bin.pad("sink")) else {
      sound.bin.setState(GST_STATE_NULL)
      pipeline.remove(sound.bin)
      return
    }
    lock { self.sound = sound }
    postSoundState()
    if speaks { openSpeaker() }
  }

  /// Looks for a loudspeaker, which neither the pictures nor the window wait for.
  private func openSpeaker() {
    Worker.run { [weak self] in
      guard let speaker = Sound.Speaker() else { return }
      MainLoop.soon {
        guard let self, !self.isOver, let sound = self.lock({ self.sound }) else { return }
        sound.speak(through: speaker) { [weak self] in self?.postSoundState() }
      }
    }
  }

  private func postSoundState() {
    MainLoop.soon { [weak self] in if let self, !isOver { onSound() } }
  }

  func know(hasPictures: Bool) {
    guard !hasPictures else { return }
    MainLoop.soon { [weak self] in
      if let self, !isOver { onTrouble(tr("There are no pictures in it."), nil, true) }
    }
  }

  /// Whether it is a film with sound.
  var hasSound: Bool { lock { sound } != nil }

  /// Whether that is heard, or would be, were it not muted.
  var isHeard: Bool { lock { sound }?.speaks ?? false }

  func mute(_ isMuted: Bool) {
    lock { mutes = isMuted }
    lock { sound }?.isMuted = isMuted
  }
}
