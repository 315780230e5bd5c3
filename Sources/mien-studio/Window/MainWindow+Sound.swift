import Programs

/// The audio of films, and the microphone.
extension MainWindow {
  /// Mutes films; recordings keep their audio.
  func setMuted(_ isOn: Bool) {
    isMuted = isOn
    player?.setMuted(isOn)
    updateSound()
  }

  /// Updates the header, and selects the audio of recordings.
  func updateSound() {
    let hasSound = player?.hasSound ?? false
    branches.select(hasSound ? .film : .microphone)
    header?.update(hasSound: hasSound, isHeard: player?.hasSpeaker ?? false, isMuted: isMuted)
  }

  /// Opens or closes the microphone.
  func setMicrophone(_ isOn: Bool) {
    guard isOn else {
      microphone?.stop()
      microphone = nil
      header?.update(isListening: false)
      return
    }
    let branches = branches
    // Opening a sound server takes a while.
    DetachedThread.run { [weak self] in
      var (found, problem): (Microphone?, String?)
      do throws(ProgramError) {
        found = try Microphone { branches.push(sound: $0, at: $1, from: .microphone) }
      } catch {
        problem = error.text
      }
      MainLoop.dispatch { self?.useMicrophone(found, problem) }
    }
  }

  private func useMicrophone(_ found: Microphone?, _ problem: String?) {
    guard let found, player != nil else {
      header?.update(isListening: false)
      if let problem { notice.warn(tr("The microphone cannot be used: %1", problem)) }
      return
    }
    microphone = found
    header?.update(isListening: true)
    MainLoop.schedule(milliseconds: 200) { [weak self] in
      guard let self, microphone === found else { return false }
      guard let problem = found.problem else { return true }
      setMicrophone(false)
      notice.warn(tr("The microphone cannot be used: %1", problem))
      return false
    }
  }
}
