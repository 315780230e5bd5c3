import Inference
import Pixels
import Threads

/// The region that follows people.
extension PersonSegmenter {
  /// The runs that find a region, which fits better after each, and their maximum while it cuts
  /// people off.
  private static let initialRuns = 3
  private static let maximumSearchRuns = 6
  /// The runs for which no other region is tried after one was refused.
  private static let refusal = 30

  /// Whether a region's mask is clearly more uncertain than another's: the network sees objects in it
  /// that it takes for parts of people.
  ///
  /// The limits are those of 45 made pictures: masks of regions that fit better are below them, those
  /// that take objects in are mostly 1.3 times as uncertain as the last, or more.
  private static func isWorse(_ uncertainty: Float, than other: Float) -> Bool {
    uncertainty > 1.15 * other + 0.004
  }

  /// Finds the region of people whom no region encloses yet: looks at the whole frame, then at what
  /// it shows and at the bodies below faces, and follows each mask that its region cuts off; of
  /// people with faces a region is accepted only if its mask is not clearly more uncertain.
  func search(
    _ picture: borrowing Picture, _ state: State, _ settings: Settings, _ runner: any SliceRunner
  ) throws(ModelError) {
    state.region.coverFrame()
    try runAndLabel(picture, state, settings, runner)
    // On the whole frame the network attaches objects to people; near a face the region knows
    // better, and what the whole frame shows only says how far people may reach.
    let reach = state.peopleBounds
    state.region.move(to: state.desiredRegion)
    state.region.enclose(state.faces)
    // `previousResult` is that of the accepted region while another is tried. `wasCut`: whether the
    // accepted region cuts people off.
    var (isAccepted, wasCut) = (true, true)
    for round in 2...Self.maximumSearchRuns {
      if isAccepted { swap(&state.result, &state.previousResult) }
      try runAndLabel(picture, state, settings, runner)
      let (uncertainty, least) = (state.uncertainty, state.accepted.uncertainty)
      let isCut = state.cutsPeopleOff
      // Beyond a worse region there may be a better one: that of a whole arm.
      isAccepted =
        wasCut || state.faces.isEmpty
        || (isAccepted ? !Self.isWorse(uncertainty, than: least) : uncertainty <= least)
      if isAccepted {
        state.accept(uncertainty: wasCut ? uncertainty : min(uncertainty, least))
        wasCut = isCut
      }
      guard round < Self.maximumSearchRuns else { break }
      if round < Self.initialRuns || isCut {
        state.region.move(to: state.desiredRegion(reaching: reach))
      } else if !state.region.update(state.desiredRegion) {
        // The next frame would not move it either.
        break
      }
    }
    state.runsSinceRefusal = isAccepted ? Self.refusal : 0
    if !isAccepted { state.restoreAccepted() }
  }

  func continueScene(
    on picture: borrowing Picture, _ state: State, _ settings: Settings, _ runner: any SliceRunner
  ) throws(ModelError) {
    guard settings.tracksRegion else {
      state.region.coverFrame()
      return try runAndLabel(picture, state, settings, matchesLast: true, runner)
    }
    let desired = state.desiredRegion
    if state.hasUnknownFace {
      try search(picture, state, settings, runner)
    } else {
      try followPeople(to: desired, on: picture, state, settings, runner)
      if desired == nil, state.desiredRegion != nil {
        try search(picture, state, settings, runner)
      }
    }
    guard !state.region.isWhole, state.desiredRegion == nil || Self.isFullFrameDue(state) else {
      return
    }
    // The result in the region stays; outside it people may have entered.
    state.restartFullFrameInterval(isSettled: true)
    let region = state.region.box
    swap(&state.result, &state.previousResult)
    try run(picture, state.region.frame, state, settings, runner)
    state.merge(region, over: Self.componentThreshold)
    state.labelComponents(Self.componentThreshold, matchesLast: true)
    guard !Self.isFixed(state), let desired = state.desiredRegion else { return }
    if state.region.update(desired) { state.schedule.settle() }
  }

  /// Whether another region was refused lately, and the faces have rested since.
  private static func isFixed(_ state: State) -> Bool {
    state.runsSinceRefusal < refusal && state.facesRest
  }

  /// Moves the region where people leave it and runs the network on it; goes back if the faces rest and
  /// the mask becomes more uncertain.
  private func followPeople(
    to desired: Rectangle?, on picture: borrowing Picture, _ state: State, _ settings: Settings,
    _ runner: any SliceRunner
  ) throws(ModelError) {
    state.runsSinceRefusal += 1
    let facesRest = state.facesRest
    let wasCut = state.cutsPeopleOff
    if Self.isFixed(state) {
      state.region.move(to: state.accepted.region)
    } else {
      state.region.update(desired)
    }
    try run(picture, state.region.box, state, settings, runner)
    var uncertainty = state.uncertainty
    let hasMoved = state.region.box != state.accepted.region
    if hasMoved, facesRest, !wasCut, Self.isWorse(uncertainty, than: state.accepted.uncertainty) {
      // In motion both may be: the last region decides, on the same picture.
      swap(&state.result, &state.previousResult)
      try run(picture, state.accepted.region, state, settings, runner)
      let last = state.uncertainty
      if Self.isWorse(uncertainty, than: last) {
        state.region.move(to: state.accepted.region)
        (uncertainty, state.runsSinceRefusal) = (last, 0)
      } else {
        swap(&state.result, &state.previousResult)
      }
    }
    if state.region.box != state.accepted.region { state.schedule.settle() }
    state.accept(uncertainty: uncertainty)
    state.labelComponents(Self.componentThreshold, matchesLast: true)
  }
}
