package import Inference
package import Pixels
package import Threads

/// Segments people in the frames of a stream with MediaPipe's selfie networks.
///
/// The network runs on a region that follows the people. Its mask is resampled to a grid of cells
/// and averaged over time where nothing moves. Call `configure` before the first frame and when the
/// format changes. A frame allocates nothing unless the region's size changes. One thread at a time
/// may use it; slices of a frame run on the `SliceRunner`'s threads.
package final class PersonSegmenter {
  package enum Network: String, Sendable, CaseIterable {
    /// 256 x 256 samples: for regions about as wide as high.
    case general
    /// 256 x 144 samples: for wide regions, and faster.
    case landscape

    package var fileName: String {
      self == .general ? "selfie_segmentation.tflite" : "selfie_segmentation_landscape.tflite"
    }

    package var size: (width: Int, height: Int) { self == .general ? (256, 256) : (256, 144) }
  }

  package struct Settings: Sendable, Equatable {
    /// The network; nil chooses one by the region's aspect ratio.
    package var network: Network?
    /// Keep only components that touch a face.
    package var facesOnly = false
    /// The minimum width of a face for `facesOnly`, relative to the largest face.
    package var minimumFaceWidth = 0.5
    /// Segment a region that follows people instead of the whole frame.
    package var tracksRegion = true
    /// The frames between two runs of the network.
    package var interval = 1
    /// The weight of the previous mask where nothing moves, 0...1.
    package var smoothing = 0.8

    package init() {}
  }

  /// The runs between two runs on the whole frame, which find people who entered; `still` applies
  /// while nothing moves outside the region.
  private static let fullFrameInterval = (moved: 15, still: 150)
  /// The runs on the first frame of a scene: the region fits better after each.
  private static let initialRuns = 3
  /// The aspect ratio from which regions use the landscape network.
  private static let landscape = 1.6
  /// The probability above which cells belong to a component.
  private static let componentThreshold: Float = 0.3

  private var networks: [Network: PersonNetwork] = [:]
  private var state: State?

  package init() {}

  /// Installs a network; throws unless its tensors are as expected.
  package func install(_ graph: Graph, as network: Network) throws(ModelError) {
    networks[network] = try PersonNetwork(network, graph)
  }

  package func has(_ network: Network) -> Bool { networks[network] != nil }

  /// The networks that the settings need.
  package static func networks(for settings: Settings) -> [Network] {
    settings.network.map { [$0] } ?? Network.allCases
  }

  /// Sets the format of the pictures, and drops all state.
  package func configure(_ video: VideoFormat) { state = State(video) }

  /// The next frame is the first of a scene.
  package func reset() { state?.reset() }

  /// Segments a frame; `faces` are the boxes of known faces in normalized coordinates.
  ///
  /// Nil before `configure`, for a picture of another size, and without a network.
  package func process(
    _ picture: borrowing Picture, faces: [Rectangle], _ settings: Settings,
    _ runner: any SliceRunner
  ) throws(ModelError) -> PersonMask? {
    guard let state, state.video.width == picture.width, state.video.height == picture.height,
      !networks.isEmpty
    else { return nil }
    let isFirst = state.update(with: picture, runner)
    state.setFaces(faces, minimumWidth: settings.facesOnly ? settings.minimumFaceWidth : 0)
    state.framesSinceRun += 1
    if !isFirst, state.framesSinceRun < settings.interval { return state.mask }
    do {
      if isFirst {
        try startScene(picture, state, settings, runner)
      } else {
        try continueScene(on: picture, state, settings, runner)
      }
    } catch {
      // An outdated mask could reveal what it should hide.
      state.reset()
      throw error
    }
    state.framesSinceRun = 0
    let hasFaces = !state.faces.isEmpty
    if settings.facesOnly {
      state.components.removeNonTargets(from: state.result, hasFaces: hasFaces)
    }
    let weight = isFirst ? 0 : Float(min(max(settings.smoothing, 0), 1))
    TemporalMaskFilter.blend(
      state.result, into: state.mask.probability, state.mask.temporalWeight, weight: weight)
    return state.mask
  }

  /// Segments the first frame of a scene.
  private func startScene(
    _ picture: borrowing Picture, _ state: State, _ settings: Settings, _ runner: any SliceRunner
  ) throws(ModelError) {
    state.restartFullFrameInterval(isSettled: false)
    state.region.coverFrame()
    if settings.tracksRegion { state.region.enclose(state.faces) }
    for round in 1...(settings.tracksRegion ? Self.initialRuns : 1) {
      try run(picture, state.region.box, state, settings, runner)
      state.labelComponents(Self.componentThreshold, matchesLast: false)
      if round < Self.initialRuns, settings.tracksRegion {
        state.region.move(to: state.desiredRegion)
      }
    }
  }

  private func continueScene(
    on picture: borrowing Picture, _ state: State, _ settings: Settings, _ runner: any SliceRunner
  ) throws(ModelError) {
    guard settings.tracksRegion else {
      state.region.coverFrame()
      try run(picture, state.region.box, state, settings, runner)
      return state.labelComponents(Self.componentThreshold, matchesLast: true)
    }
    state.region.update(state.desiredRegion)
    try run(picture, state.region.box, state, settings, runner)
    state.runsSinceFullFrame += 1
    state.labelComponents(Self.componentThreshold, matchesLast: true)
    let fullFrameInterval =
      state.hasMoved ? Self.fullFrameInterval.moved : Self.fullFrameInterval.still
    guard !state.region.isWhole,
      state.desiredRegion == nil || state.runsSinceFullFrame >= fullFrameInterval
    else {
      return
    }
    // The result in the region stays; outside it people may have entered.
    state.restartFullFrameInterval(isSettled: true)
    let region = state.region.box
    swap(&state.result, &state.previousResult)
    try run(picture, state.region.frame, state, settings, runner)
    state.merge(region, over: Self.componentThreshold)
    state.labelComponents(Self.componentThreshold, matchesLast: true)
  }

  private func run(
    _ picture: borrowing Picture, _ region: Rectangle, _ state: State, _ settings: Settings,
    _ runner: any SliceRunner
  ) throws(ModelError) {
    let isWide = region.width * picture.video.pixelAspect >= region.height * Self.landscape
    let wanted = settings.network ?? (isWide ? .landscape : .general)
    guard let network = networks[wanted] ?? networks.first?.value else { return }
    try network.run(on: picture, region, runner)
    state.upsample(network, region)
  }
}
