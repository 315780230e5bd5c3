import CGStreamer
import Harness
import Support

/// A whole element, or chains of them round a `facehide`: an input is the story of a stream, what comes
/// in which order and how it is made.
///
/// Whatever comes, no `facehide` shows a face that any metadata tells of.
final class ElementTarget: Target {
  /// Nil for chains.
  private let factory: String?
  private var stops = Times(bar: 100)
  private var received = 0
  /// Buffers by GStreamer's number of how they ended.
  private var flows: [GstFlowReturn.RawValue: Int] = [:]

  /// Values of its properties that are texts.
  private static let texts: [String: [String]] = [
    "location": ["", "hearts", "halo", "dog", "mask", "lipstick", Photograph.path, "/nonexistent"],
    "cube": ["", Photograph.root + "/Tests/Fuzz/corpus/cubes/warm.cube", "/nonexistent"],
    "background": ["", Photograph.path, Photograph.root + "/stickers/halo/preview.png"],
  ]

  /// The kinds that chains are made of beside `facehide`; such as load networks come seldom.
  private static let kinds = [
    "beautifymask", "sticker", "chromakey", "photoeffect", "facehide", "facereshape",
  ]
  private static let slowKinds = ["facedetect", "personkey"]

  private var hidden = HidingOracle.Account()

  /// One kind of element, or chains of several for nil.
  init(_ factory: String?) {
    self.factory = factory
    g_setenv("MIEN_STICKER_PATH", Photograph.root + "/stickers", 1)
    g_setenv("MIEN_MODEL_PATH", Photograph.models, 1)
  }

  let longest = 1024
  let isFile = false
  /// Once its bytes have been told, a story goes on by chance.
  ///
  /// Setting up costs as much as a hundred frames, and as a thousand where networks are loaded; who
  /// looks at each frame while the stream waits is slow enough with a hundred.
  private func frames(_ description: String) -> Int {
    description == "facedetect" ? 1000 : Self.loadsNetworks(description) ? 100 : 200
  }

  private static func loadsNetworks(_ description: String) -> Bool {
    slowKinds.contains { description.contains($0) }
  }

  private static func chain(_ chooser: inout some Chooser) -> String {
    func kind(_ chooser: inout some Chooser) -> String {
      chooser.one(of: chooser.chance(1, in: 64) ? slowKinds : kinds)
    }
    var chain = ["facehide name=hide"]
    for _ in 0..<chooser.below(3) { chain.insert(kind(&chooser), at: 0) }
    for _ in 0..<chooser.below(2) { chain.append(kind(&chooser)) }
    return chain.joined(separator: " ! ")
  }

  var remarks: String {
    let hiding =
      hidden.frames > 0
      ? "\(hidden.frames) frames with faces to hide looked at in \(hidden.windows) windows, " : ""
    return hiding
      + "\(received) came out, \(flows.map { "\($1) ended \($0)" }.joined(separator: ", ")), \(stops.late) of \(stops.count) stops over \(Int(stops.bar)) ms, the "
      + "longest \(Int(stops.longest)) ms"
  }

  func seeds() -> [[UInt8]] {
    (0..<24).map { seed in
      var random = SplitMix(UInt64(seed))
      return (0..<(32 << (seed % 6))).map { _ in UInt8(random.below(256)) }
    }
  }

  func run(_ input: [UInt8]) -> Outcome { confirming { tell(input) } }

  private func tell(_ input: [UInt8]) -> (outcome: Outcome, stops: Times) {
    var choices = Choices(input)
    let description = factory ?? Self.chain(&choices)
    guard let rig = ElementRig(description) else {
      return (Outcome(fault: "no such element"), Times(bar: 100))
    }
    var treatment = HidingOracle.Treatment()
    treatment.isAlone = true
    // A single element gets the buffers as they are made.
    (treatment.numbers, treatment.paints) = (factory == nil, factory == nil)
    for element in rig.elements {
      HidingOracle.watch(element, treatment, seed: UInt64(input.count))
    }
    var story = Story(
      rig, texts: Self.texts, seed: UInt64(input.count),
      restarts: Self.loadsNetworks(description) ? 50 : 8)
    story.begin(&choices)
    while story.frames < frames(description) { story.goOn(&choices) }
    rig.stop()
    received += rig.received
    stops.take(rig.stops)
    flows.merge(rig.flows, uniquingKeysWith: +)
    let account = HidingOracle.takeAccount()
    hidden.frames += account.frames
    hidden.windows += account.windows
    return (
      Outcome(isTaken: rig.received > 0, frames: story.frames, fault: account.fault), rig.stops
    )
  }
}
