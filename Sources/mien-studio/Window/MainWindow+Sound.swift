import Programs

/// What is heard, and what may be recorded of whoever sits before the window.
extension MainWindow {
  /// Has films be silent here; what is recorded keeps its sound.
  func mute(_ isOn: Bool) {
    isMuted = isOn
    player?.mute(isOn)
    tellSound()
  }

  /// Says whose sound there is, to the window's bar and to what is recorded.
  func tellSound() {
    let hasSound = player?.hasSound ?? false
    taps.listen(to: hasSound ? .film : .microphone)
    header?.tell(hasSound: hasSound, isHeard: player?.isHeard ?? false, isMuted: isMuted)
  }

  /// Opens the microphone, or closes it: nobody is heard without this.
  func listen(_ isOn: Bool) {
    guard isOn else {
      microphone?.stop()
      microphone = nil
      header?.tell(isListening: false)
      return
    }
    let taps = taps
    // Sound servers take their time.
    Worker.run { [weak self] in
      var (found, problem): (Microphone?, String?)
      do throws(Problem) {
        found = try Microphone { taps.push(sound: $0, at: $1, from: .microphone) }
      } catch {
        problem = error.text
      }
      MainLoop.soon { self?.take(found, problem) }
    }
  }

  private func take(_ found: Microphone?, _ problem: String?) {
    guard let found, player != nil else {
      header?.tell(isListening: false)
      if let problem { notice.complain(tr("The microphone cannot be used: %1", problem)) }
      return
    }
    microphone = found
    header?.tell(isListening: true)
    MainLoop.after(milliseconds: 200) { [weak self] in
      guard let self, microphone === found else { return false }
      guard let problem = found.problem else { return true }
      listen(false)
      notice.complain(tr("The microphone cannot be used: %1", problem))
      return false
    }
  }
}
