import CGStreamer
import Harness
import Support

/// One element, or chains of elements around a `facehide`: an input encodes a stream scenario.
///
/// In every scenario `facehide` must hide each face that any metadata reports.
final class ElementTarget: Target {
  /// Nil for chains.
  private let factory: String?
  private var stops = CallDurations(limit: 100)
  private var received = 0
  /// Number of buffers by flow return.
  private var flows: [GstFlowReturn.RawValue: Int] = [:]

  /// Values of the string properties.
  private static let strings: [String: [String]] = [
    "location": ["", "hearts", "halo", "dog", "mask", "lipstick", Photograph.path, "/nonexistent"],
    "cube": ["", Photograph.root + "/Tests/Fuzz/corpus/cubes/warm.cube", "/nonexistent"],
    "background": ["", Photograph.path, Photograph.root + "/stickers/halo/preview.png"],
    "sticker": ["", "hearts", "halo", Photograph.path, "/nonexistent"],
    "key": ["", "#20a0ff", "alpha", "#", Photograph.path, "/nonexistent"],
    "person": ["", "blur", "blur=30", "alpha", Photograph.path, "/nonexistent"],
  ]

  /// The elements of chains beside `facehide`; those that load networks are chosen rarely.
  private static let elements = [
    "beautifymask", "sticker", "chromakey", "photoeffect", "facehide", "facereshape",
  ]
  private static let networkElements = ["facedetect", "personkey", "mienlook"]

  private var hidden = HidingOracle.Summary()

  /// For one element, or chains for nil.
  init(_ factory: String?) {
    self.factory = factory
    g_setenv("MIEN_STICKER_PATH", Photograph.root + "/stickers", 1)
    g_setenv("MIEN_MODEL_PATH", Photograph.models, 1)
  }

  let maximumLength = 1024
  let isFile = false
  /// Frames per scenario; once the input's bytes are used up, it continues pseudorandomly.
  ///
  /// Set-up costs as much as 100 frames, and 1000 where networks are loaded. An element that waits for
  /// its network on each frame gets 100.
  private func frameCount(_ description: String) -> Int {
    description == "facedetect" ? 1000 : Self.loadsNetworks(description) ? 100 : 200
  }

  private static func loadsNetworks(_ description: String) -> Bool {
    networkElements.contains { description.contains($0) }
  }

  private static func randomChain(_ random: inout some RandomSource) -> String {
    func kind(_ random: inout some RandomSource) -> String {
      random.one(of: random.chance(1, in: 64) ? networkElements : elements)
    }
    var chain = ["facehide name=hide"]
    for _ in 0..<random.below(3) { chain.insert(kind(&random), at: 0) }
    for _ in 0..<random.below(2) { chain.append(kind(&random)) }
    return chain.joined(separator: " ! ")
  }

  var summary: String {
    let hiding =
      hidden.frames > 0
      ? "\(hidden.frames) frames with faces to hide compared in \(hidden.windows) windows, " : ""
    return hiding
      + "\(received) came out, \(flows.map { "\($1) ended \($0)" }.joined(separator: ", ")), \(stops.overLimit) of \(stops.count) stops over \(Int(stops.limit)) ms, the "
      + "longest \(Int(stops.longest)) ms"
  }

  func seeds() -> [[UInt8]] {
    (0..<24).map { seed in
      var random = SplitMix(UInt64(seed))
      return (0..<(32 << (seed % 6))).map { _ in UInt8(random.below(256)) }
    }
  }

  func run(_ input: [UInt8]) -> Outcome { retryingSlowStops { runScenario(input) } }

  private func runScenario(_ input: [UInt8]) -> (outcome: Outcome, stops: CallDurations) {
    var choices = FuzzedDataProvider(input)
    let description = factory ?? Self.randomChain(&choices)
    guard let harness = ElementHarness(description) else {
      return (Outcome(failure: "no such element"), CallDurations(limit: 100))
    }
    var options = HidingOracle.Options()
    options.setsPropertiesOnStreamingThread = true
    // A single element gets the generated buffers unchanged.
    (options.numbersFrames, options.paintsNoise) = (factory == nil, factory == nil)
    for element in harness.elements {
      HidingOracle.watch(element, options, seed: UInt64(input.count))
    }
    var scenario = StreamScenario(
      harness, strings: Self.strings, seed: UInt64(input.count),
      restartInterval: Self.loadsNetworks(description) ? 50 : 8)
    scenario.begin(&choices)
    while scenario.frames < frameCount(description) { scenario.step(&choices) }
    harness.stop()
    received += harness.received
    stops.add(harness.stops)
    flows.merge(harness.flows, uniquingKeysWith: +)
    let summary = HidingOracle.takeSummary()
    hidden.frames += summary.frames
    hidden.windows += summary.windows
    return (
      Outcome(isAccepted: harness.received > 0, frames: scenario.frames, failure: summary.failure),
      harness.stops
    )
  }
}
