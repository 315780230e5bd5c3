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

    /// The network for a region.
    init(for region: Rectangle, pixelAspect: Double) {
      let isWide = region.width * pixelAspect >= region.height * PersonSegmenter.landscape
      self = isWide ? .landscape : .general
    }
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
    /// Do without a run while nothing moves that could change the mask.
    package var skipsStillFrames = true
    /// The weight of the previous mask where nothing moves, 0...1.
    package var smoothing = 0.8

    package init() {}
  }

  /// The frames between two runs on the whole frame, which find people who entered; `still` applies
  /// while nothing moves outside the region.
  private static let fullFrameIntervals = (moved: 15, still: 150)
  /// The aspect ratio from which regions use the landscape network.
  static let landscape = 1.6
  /// The probability above which cells belong to a component.
  static let componentThreshold: Float = 0.3
  /// The mean probability above which a component without a face is shown: in the first frame of a
  /// scene, later, while a detector sees no face at all, and one that was there in the last frame.
  ///
  /// Letters, clouds and cups reach 0.85, blurred clouds more, people who fill their region 0.97 to 0.99.
  private static let probable: (first: Float, later: Float, faceless: Float, known: Float) =
    (0.6, 0.8, 0.9, 0.6)

  /// The runs of networks so far.
  package private(set) var runCount = 0
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

  /// Segments a frame; `faces` are the boxes of known faces in normalized coordinates, nil without a
  /// detector.
  ///
  /// Nil before `configure`, for a picture of another size, and without a network.
  package func process(
    _ picture: borrowing Picture, faces: [Rectangle]?, _ settings: Settings,
    _ runner: any SliceRunner
  ) throws(ModelError) -> PersonMask? {
    guard let state, state.video.width == picture.width, state.video.height == picture.height,
      !networks.isEmpty
    else { return nil }
    let isFirst = state.update(with: picture, runner)
    let hadFaces = state.faces.count
    state.setFaces(faces ?? [], minimumWidth: settings.facesOnly ? settings.minimumFaceWidth : 0)
    state.framesSinceRun += 1
    state.framesSinceFullFrame += 1
    if isFirst { state.clusters.removeAll() }
    let hadClusters = !state.clusters.isEmpty
    if settings.tracksRegion && state.updateClusters() {
      return try processClusters(on: picture, isFirst: isFirst, state, settings, runner)
    } else if hadClusters {
      state.region.enclose(state.faces)
      state.schedule.settle()
    }
    if !isFirst {
      if state.framesSinceRun < settings.interval { return state.mask }
      let isDue =
        state.schedule.isDue(after: state.framesSinceRun) || state.faces.count > hadFaces
        || (settings.tracksRegion && Self.isFullFrameDue(state))
      if settings.skipsStillFrames && !isDue {
        blend(state, smoothing: settings.smoothing)
        return state.mask
      }
    }
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
    let probable = Self.probable
    state.components.removeImprobable(
      from: state.result,
      mean: faces?.isEmpty == true
        ? probable.faceless : isFirst ? probable.first : probable.later,
      meanOfKnown: probable.known)
    let hasFaces = !state.faces.isEmpty
    if settings.facesOnly {
      state.components.removeNonTargets(from: state.result, hasFaces: hasFaces)
    }
    blend(state, smoothing: isFirst ? 0 : settings.smoothing)
    return state.mask
  }

  /// Blends the last result into the mask, also in frames without a run, so that people who were found
  /// appear as fast as with one.
  func blend(_ state: State, smoothing: Double) {
    TemporalMaskFilter.blend(
      state.result, into: state.mask.probability, state.mask.temporalWeight,
      weight: Float(min(max(smoothing, 0), 1)))
  }

  /// Segments the first frame of a scene.
  private func startScene(
    _ picture: borrowing Picture, _ state: State, _ settings: Settings, _ runner: any SliceRunner
  ) throws(ModelError) {
    state.restartFullFrameInterval(isSettled: false)
    state.schedule.settle()
    state.region.coverFrame()
    guard settings.tracksRegion else { return try runAndLabel(picture, state, settings, runner) }
    try search(picture, state, settings, runner)
  }

  /// Whether people may have entered outside the region since the last run on the whole frame.
  static func isFullFrameDue(_ state: State) -> Bool {
    !state.region.isWhole && state.framesSinceFullFrame >= fullFrameInterval(state)
  }

  static func fullFrameInterval(_ state: State) -> Int {
    state.hasMoved ? fullFrameIntervals.moved : fullFrameIntervals.still
  }

  /// Runs the network on the region, and finds the components of its mask.
  func runAndLabel(
    _ picture: borrowing Picture, _ state: State, _ settings: Settings, matchesLast: Bool = false,
    _ runner: any SliceRunner
  ) throws(ModelError) {
    try run(picture, state.region.box, state, settings, runner)
    state.labelComponents(Self.componentThreshold, matchesLast: matchesLast)
  }

  /// Runs the network on a region; `scratch` is the region's own where several take turns.
  func run(
    _ picture: borrowing Picture, _ region: Rectangle, _ state: State, _ settings: Settings,
    scratch: RegionScratch? = nil, _ runner: any SliceRunner
  ) throws(ModelError) {
    let wanted =
      settings.network ?? Network(for: region, pixelAspect: picture.video.pixelAspect)
    guard let network = networks[wanted] ?? networks.first?.value else { return }
    runCount += 1
    try network.run(on: picture, region, scratch ?? state.scratch, runner)
    state.upsample(network, region)
  }
}
