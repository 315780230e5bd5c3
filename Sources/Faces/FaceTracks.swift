public import Pixels

/// The state that an effect keeps for each face of a stream, in order of appearance.
///
/// For each frame call `beginFrame`; for each face find its track by its key, or call `match` or
/// `add`, then `markSeen`; then call `fade` or `keep`. The track of a missing face predicts its
/// position. The state of a dropped track is reused for the next new one with its memory, so that
/// tracks allocate only when the number of simultaneous faces reaches a new maximum.
///
/// Inlinable throughout: a generic accessor of another module would allocate for each access.
@usableFromInline package struct FaceTracks<State>: MutableCollection, RandomAccessCollection {
  /// One face.
  @usableFromInline package struct Track {
    /// What identifies the face: its id, or a substitute for it.
    @usableFromInline package var key: UInt64
    /// Whether the face is in this frame.
    @usableFromInline package var isSeen: Bool
    /// Nanoseconds since the last frame that the face was in.
    @usableFromInline package internal(set) var missing: Int64 = 0
    /// How far the effect is faded in, from 0 to the limit of `fade`.
    @usableFromInline package var level = 0.0
    /// The velocity, by the positions given to `markSeen`.
    @usableFromInline package var motion = FaceMotion()
    @usableFromInline package var state: State

    @inlinable init(key: UInt64, state: State) {
      (self.key, isSeen, self.state) = (key, true, state)
    }

    /// How far a missing face has moved since it was seen; it moves for `limit` nanoseconds at
    /// most.
    @inlinable package func offset(limit: Int64) -> Point {
      motion.offset(after: Swift.min(missing, limit))
    }

    /// What is left of an effect that takes `duration` nanoseconds to fade when the face is
    /// missing: 1 for a face that is seen, below 0 for one that has been missing for longer.
    @inlinable package func remainingStrength(fadingOver duration: Int64) -> Double {
      1 - Double(missing) / Double(duration)
    }
  }

  /// The maximum number of tracks.
  @usableFromInline package let maximum: Int
  /// The tracks, and after those the dropped ones, whose states are used again.
  @usableFromInline var slots: [Track] = []
  @usableFromInline package internal(set) var endIndex = 0
  /// Whether `fade` has not ended a frame since the last `removeAll`.
  @usableFromInline var isFirstFrame = true
  @usableFromInline let makeState: () -> State

  /// Starts without faces; `makeState` is called when no state of a dropped track is left.
  @inlinable package init(maximum: Int, makeState: @escaping () -> State) {
    (self.maximum, self.makeState) = (maximum, makeState)
  }

  @inlinable package var startIndex: Int { 0 }

  @inlinable package subscript(position: Int) -> Track {
    get {
      precondition(position < endIndex)
      return slots[position]
    }
    _modify {
      precondition(position < endIndex)
      yield &slots[position]
    }
  }

  /// Begins a frame, `elapsed` nanoseconds after the one before; no face is seen in it yet.
  @inlinable package mutating func beginFrame(elapsed: Int64 = 0) {
    for index in indices {
      slots[index].isSeen = false
      let (missing, overflows) = slots[index].missing.addingReportingOverflow(elapsed)
      slots[index].missing = overflows ? .max : missing
    }
  }

  /// Adds a track for a face of this frame and returns its index; nil if the maximum is reached.
  ///
  /// Its state may be that of a dropped track, for the caller to reset.
  @inlinable package mutating func add(_ key: UInt64) -> Int? {
    guard endIndex < maximum else { return nil }
    if endIndex == slots.count {
      slots.append(Track(key: key, state: makeState()))
    } else {
      slots[endIndex].key = key
      slots[endIndex].isSeen = true
      slots[endIndex].missing = 0
      slots[endIndex].level = 0
      slots[endIndex].motion = FaceMotion()
    }
    endIndex += 1
    return endIndex - 1
  }

  /// The index of the track that is not seen yet in this frame and has the lowest cost, the first
  /// of several; `cost` is nil, infinite or no number for tracks of other faces.
  @inlinable package func bestMissing(cost: (Track) -> Double?) -> Int? {
    var (best, lowest) = (Int?.none, Double.infinity)
    for index in indices where !slots[index].isSeen {
      if let cost = cost(slots[index]), cost < lowest { (best, lowest) = (index, cost) }
    }
    return best
  }

  /// Finds the track of a face of this frame: the one with its id, unless that is 0; else the
  /// missing one with the lowest cost among those whose id is not in `ids`, the ids of all faces of
  /// the frame; else a new one, whose state it resets.
  ///
  /// The track takes the id. Nil if the maximum is reached.
  @inlinable package mutating func match(
    _ id: UInt32, among ids: some Sequence<UInt64>, cost: (Track) -> Double?,
    reset: (inout State) -> Void
  ) -> Int? {
    let key = UInt64(id)
    let known = id == 0 ? nil : lastIndex { $0.key == key && !$0.isSeen }
    let index =
      known
      ?? bestMissing { track in
        track.key != 0 && ids.contains(track.key) ? nil : cost(track)
      }
    if let index {
      slots[index].key = key
      return index
    }
    guard let index = add(key) else { return nil }
    reset(&slots[index].state)
    return index
  }

  /// Marks a face as seen in this frame; `position`, in any unit, is what its motion is measured
  /// by.
  @inlinable package mutating func markSeen(_ index: Int, at position: Point? = nil) {
    precondition(index < endIndex)
    if let position {
      slots[index].motion.update(position, after: Double(slots[index].missing) / 1e9)
    }
    slots[index].missing = 0
    slots[index].isSeen = true
  }

  /// Ends a frame: raises the levels of faces that are seen and for which `isActive` is true by
  /// `rise` up to `full`, lowers the others by `fall`, and drops missing faces whose level is 0.
  ///
  /// Active faces of the first frame get the full level at once.
  @inlinable package mutating func fade(
    in rise: Double, out fall: Double, upTo full: Double = 1,
    where isActive: (State) -> Bool = { _ in true }
  ) {
    for index in indices {
      let (isSeen, level) = (slots[index].isSeen, slots[index].level)
      let isRising = isSeen && isActive(slots[index].state)
      if isFirstFrame, isSeen {
        slots[index].level = isRising ? full : 0
      } else {
        slots[index].level =
          isRising ? Swift.min(full, level + rise) : Swift.max(0, level - fall)
      }
    }
    keep { $0.isSeen || $0.level > 0 }
    isFirstFrame = false
  }

  /// Drops all tracks but those for which `isKept` is true; the others move up.
  @inlinable package mutating func keep(where isKept: (Track) -> Bool) {
    var kept = 0
    for index in indices where isKept(slots[index]) {
      if kept != index { slots.swapAt(kept, index) }
      kept += 1
    }
    endIndex = kept
  }

  /// Drops all tracks; the next frame is a first frame again.
  @inlinable package mutating func removeAll() { (endIndex, isFirstFrame) = (0, true) }
}
