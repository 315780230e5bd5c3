import Programs
import Studio

/// Undo and redo.
extension MainWindow {
  /// Records a change at the end of what the user did, which may be several changes.
  func chainChanged(from old: ElementChain) {
    guard !isRestoring, recordedChain == nil, chain != old else { return }
    recordedChain = old
    MainLoop.dispatch { [weak self] in self?.recordChange() }
  }

  private func recordChange() {
    guard let old = recordedChain else { return }
    recordedChain = nil
    var now = chain
    now.alwaysFindsFaces = old.alwaysFindsFaces
    guard now != old else { return }
    history.record(old, key: chain.changeKey(from: old), at: MonotonicClock.seconds)
    updateHistory()
  }

  /// Forgets all changes, as at the start.
  func clearHistory() {
    recordedChain = nil
    history = ChangeHistory()
    updateHistory()
  }

  func undo() {
    recordChange()
    if let state = history.undo(from: chain) { restore(state) }
  }

  func redo() {
    recordChange()
    if let state = history.redo(from: chain) { restore(state) }
  }

  private func restore(_ state: ElementChain) {
    var state = state
    // An avatar is no effect, and stays.
    state.alwaysFindsFaces = chain.alwaysFindsFaces
    state.set("blendshapes", of: .faces, to: chain.value("blendshapes", of: .faces))
    isRestoring = true
    apply(state)
    isRestoring = false
    updateHistory()
  }

  private func updateHistory() {
    header?.update(canUndo: history.canUndo, canRedo: history.canRedo)
  }
}
