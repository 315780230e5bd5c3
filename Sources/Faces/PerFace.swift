/// What an effect remembers of each face, from frame to frame, in the order they came.
///
/// For every frame call `beginFrame`, then for every face find its place by its key, or `add` it,
/// and mark it seen; then `keep` those that are still of interest. The state of a face that is
/// dropped goes to the next new one with all its memory, so nothing is allocated once there have
/// been as many faces at a time as there ever are.
///
/// Inlinable throughout: a generic accessor of another module would take memory for each access.
@usableFromInline package struct PerFace<State>: MutableCollection, RandomAccessCollection {
  @usableFromInline package struct Known {
    /// What identifies the face: its tracking number, or whatever stands in for one.
    @usableFromInline package var key: UInt64
    /// Whether it was in this frame.
    @usableFromInline package var isSeen: Bool
    @usableFromInline package var state: State

    @inlinable init(key: UInt64, isSeen: Bool, state: State) {
      (self.key, self.isSeen, self.state) = (key, isSeen, state)
    }
  }

  /// Most faces that are known at a time.
  @usableFromInline package let most: Int
  /// The faces that are known, and after those the states of faces that were.
  @usableFromInline var slots: [Known] = []
  @usableFromInline package internal(set) var endIndex = 0
  @usableFromInline let make: () -> State

  /// Starts without faces; `make` gives a state when none is left over from an earlier face.
  @inlinable package init(most: Int, make: @escaping () -> State) {
    (self.most, self.make) = (most, make)
  }

  @inlinable package var startIndex: Int { 0 }

  @inlinable package subscript(position: Int) -> Known {
    get {
      precondition(position < endIndex)
      return slots[position]
    }
    _modify {
      precondition(position < endIndex)
      yield &slots[position]
    }
  }

  /// Begins a frame in which no face was seen yet.
  @inlinable package mutating func beginFrame() {
    for index in indices { slots[index].isSeen = false }
  }

  /// The place of a new face, seen in this frame; nil when there are as many as may be.
  ///
  /// Its state is what the last face left there, for the caller to clear.
  @inlinable package mutating func add(_ key: UInt64) -> Int? {
    guard endIndex < most else { return nil }
    if endIndex == slots.count {
      slots.append(Known(key: key, isSeen: true, state: make()))
    } else {
      slots[endIndex].key = key
      slots[endIndex].isSeen = true
    }
    endIndex += 1
    return endIndex - 1
  }

  /// Drops all faces but those that `isKept` says; the others move up.
  @inlinable package mutating func keep(where isKept: (Known) -> Bool) {
    var kept = 0
    for index in indices where isKept(slots[index]) {
      if kept != index { slots.swapAt(kept, index) }
      kept += 1
    }
    endIndex = kept
  }

  /// Forgets all faces.
  @inlinable package mutating func removeAll() { endIndex = 0 }
}
