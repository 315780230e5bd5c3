import CGStreamer
import Programs

/// What is heard of a film.
extension Player {
  /// On a streaming thread, which the pictures do not wait for.
  func hear(_ pad: Pad) {
    guard lock({ sound == nil }) else { return }
    let isMuted = lock { mutes }
    for speaks in speaks ? [true, false] : [false] {
      guard let sound = try? Sound(speaks: speaks, isMuted: isMuted) else { continue }
      sound.onPiece = { [weak self] piece, time in
        if let self { onPiece?(piece, time + pipeline.baseTime) }
      }
      guard pipeline.start(sound.bin), pad.link(sound.bin.pad("sink")) else {
        sound.bin.setState(GST_STATE_NULL)
        pipeline.remove(sound.bin)
        continue
      }
      lock { self.sound = sound }
      MainLoop.soon { [weak self] in if let self, !isOver { onSound() } }
      return
    }
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
