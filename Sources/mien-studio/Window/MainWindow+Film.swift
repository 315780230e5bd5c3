/// The position in a film.
extension MainWindow {
  func setPaused(_ isPaused: Bool) {
    player?.setPaused(isPaused)
    showFilm()
  }

  /// Pauses a film, or plays it again.
  func togglePause() {
    if let player, player.isFilm { setPaused(player.pausedTime == nil) }
  }

  /// Goes to a time in seconds.
  func seek(to seconds: Double) {
    player?.seek(to: Int(max(0, min(seconds, 1e9)) * 1e9))
  }

  /// Goes on or back by seconds.
  func seek(by seconds: Double) {
    guard let player, player.isFilm else { return }
    seek(to: Double(player.wantedTime ?? player.position) / 1e9 + seconds)
  }

  /// Shows the bar of a film as long as it is played.
  func updateFilmBar() {
    showFilm()
    guard let player, player.isFilm else { return }
    MainLoop.schedule(milliseconds: 200) { [weak self, weak player] in
      guard let self, let player, self.player === player else { return false }
      showFilm()
      return true
    }
  }

  private func showFilm() {
    guard let player, player.isFilm else { return filmBar.update(nil) }
    // A bar that is being dragged stays where it is.
    guard player.wantedTime == nil else { return }
    filmBar.update(
      (
        Double(player.position) / 1e9, Double(player.duration) / 1e9, player.pausedTime != nil
      ))
  }
}
