/// The former states that undo and redo return to.
package struct ChangeHistory<State: Equatable> {
  private var past: [State] = []
  private var future: [State] = []
  private var lastKey: String?
  private var lastTime = 0.0

  /// The number of states that are kept.
  package static var limit: Int { 200 }
  /// Changes with one key are one step where they follow each other within this many seconds.
  package static var interval: Double { 1 }

  package init() {}

  package var canUndo: Bool { !past.isEmpty }
  package var canRedo: Bool { !future.isEmpty }

  /// Records the state before a change.
  ///
  /// `key`: what was changed, as one slider; nil where the change is a step of its own.
  package mutating func record(_ state: State, key: String?, at seconds: Double) {
    let continues = key != nil && key == lastKey && seconds - lastTime <= Self.interval
    if !continues || past.isEmpty { past.append(state) }
    if past.count > Self.limit { past.removeFirst() }
    future = []
    (lastKey, lastTime) = (key, seconds)
  }

  /// The state before the last change; nil where there is none.
  package mutating func undo(from current: State) -> State? {
    guard let state = past.popLast() else { return nil }
    future.append(current)
    lastKey = nil
    return state
  }

  /// The state that `undo` left; nil where there is none.
  package mutating func redo(from current: State) -> State? {
    guard let state = future.popLast() else { return nil }
    past.append(current)
    lastKey = nil
    return state
  }
}
