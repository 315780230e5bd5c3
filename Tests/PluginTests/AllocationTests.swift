import CGStreamer
import Pixels
import Support
import Synchronization
import Testing

/// What a frame allocates in a playing pipeline, in every filter: nothing.
///
/// Runs of gst-launch with the built plugin are counted between two frames, with the element and
/// without: what is left is what the element takes for a frame, on all threads.
@Suite(.timeLimit(.minutes(20))) struct AllocationTests {
  /// Frames of NV12 from a pool, as a camera gives them.
  private static let test =
    "videotestsrc num-buffers=N pattern=smpte ! video/x-raw,format=NV12,width=320,height=240"
  /// The same with one face, found and described; converting makes each a frame of its own.
  private static let face =
    "filesrc location=\(Photograph.path) ! pngdec ! imagefreeze num-buffers=N ! videoconvert"
    + " ! video/x-raw,format=NV12 ! facedetect expressions=false updates=none max-faces=1"

  /// The same without anybody who looks for faces.
  private static let person =
    "filesrc location=\(Photograph.path) ! pngdec ! imagefreeze num-buffers=N ! videoconvert"
    + " ! video/x-raw,format=NV12"

  /// Two small faces far apart, each in a region of its own for the network of people.
  private static let groups =
    "filesrc location=\(Photograph.path) ! pngdec ! videoconvert ! videoscale"
    + " ! video/x-raw,width=200,height=200 ! tee name=t t. ! queue ! mix. t. ! queue ! mix."
    + " compositor name=mix sink_1::xpos=440 sink_1::ypos=60 ! video/x-raw,width=640,height=360"
    + " ! imagefreeze num-buffers=N ! videoconvert ! video/x-raw,format=NV12"

  private static let masking = "personkey background-color=0xff203040 mask-meta=true"

  struct Use: Sendable, CustomTestStringConvertible {
    let source: String
    var element: String
    /// What follows the element.
    var way = ""
    /// What makes the same frames without the element, where that is another source.
    var reference: String?
    /// Small objects of GLib's and GStreamer's that the element has them make for a frame.
    ///
    /// They are taken from slices, which are not counted, where GLib has them. Stacks of all
    /// allocations of sixty frames on GLib 2.84 named each, and nothing beside them.
    var objects = 0
    var testDescription: String { element }
  }

  /// Those whose elements take a number of threads.
  private static let threadedUses = [
    Use(source: face, element: "beautifymask even-skin=0.5"),
    Use(source: test, element: "beautifymask even-skin=0.5 mask=full"),
    Use(source: test, element: "chromakey"),
    // Alpha is appended for what understands frames of several memories: a buffer, the frame's
    // memory and alpha's wrapped, and the description of both.
    Use(
      source: test, element: "chromakey", way: " ! compositor",
      reference: test.replacing("NV12", with: "AV12"), objects: 4),
    Use(source: test, element: "chromakey shrink=1 soften=1"),
    Use(source: test, element: "chromakey background-color=0xff203040 soften=1"),
    Use(source: test.replacing("NV12", with: "BGRA"), element: "chromakey"),
    Use(source: test, element: "chromakey background=\(Photograph.path)"),
    Use(source: test, element: "photoeffect look=chrome vignette=0.5 grain=0.5"),
    Use(source: person, element: "personkey"),
    Use(source: person, element: "personkey blur=3 light-wrap=0.5 shrink=1 people=faces"),
  ]

  /// Every other one with two threads.
  static let uses =
    (threadedUses.enumerated().map { number, use in
      var use = use
      use.element += " n-threads=\(1 + number % 2)"
      return use
    }) + [
      Use(source: face, element: "beautifymask even-skin=0.5 mask=ellipse"),
      Use(source: face, element: "beautifymask even-skin=0.5 mask=rectangle"),
      // Of such a face no more is known than six points.
      Use(source: face + " landmarks=false", element: "beautifymask even-skin=0.5"),
      Use(source: face.replacing("NV12", with: "BGR"), element: "beautifymask even-skin=0.5"),
      Use(source: face, element: "personkey background-color=0xff203040 every=2"),
      Use(source: person.replacing("NV12", with: "RGB"), element: "personkey"),
      // What MienMask allocates for a frame aside, its mask in GstAnalytics is from a pool.
      Use(
        source: person, element: "\(masking) analytics=always",
        reference: "\(person) ! \(masking) analytics=never"),
      Use(source: test, element: "photoeffect look=cartoon n-threads=2"),
      Use(source: test.replacing("NV12", with: "RGB"), element: "photoeffect look=instant"),
      Use(source: face, element: "photoeffect look=sepia where=faces"),
      Use(
        source: groups + " ! facedetect updates=none",
        element: "personkey background-color=0xff203040"),
      Use(source: face, element: "facehide"),
      Use(source: face, element: "facehide lookahead=15 mode=blur"),
      Use(source: face.replacing("NV12", with: "BGRx"), element: "facehide mode=color"),
      Use(source: test, element: "facehide"),
      Use(source: test, element: "mienlook"),
      Use(source: test, element: "mienlook key=#203040 look=chrome"),
      Use(
        source: person, element: "mienlook retouch=0.5 person=blur",
        reference: "\(person) ! facedetect ! personkey blur=4 ! beautifymask intensity=0.5"),
      // The points and landmarks that moved along are two arrays that readers share.
      Use(source: face, element: "facereshape slim=1 eyes=0.5 chin=-0.5", objects: 2),
      Use(source: face, element: "facereshape effect=twirl amount=1 n-threads=2", objects: 2),
      Use(
        source: face.replacing("NV12", with: "BGRx"), element: "facereshape mouth=1", objects: 2),
      Use(source: face, element: "sticker location=halo"),
      Use(source: face, element: "sticker location=dog"),
      Use(source: face, element: "sticker location=hat"),
      Use(source: face.replacing("NV12", with: "BGRx"), element: "sticker location=hat"),
      Use(source: face, element: "sticker location=facepaint"),
      Use(source: face.replacing("NV12", with: "BGRx"), element: "sticker location=lipstick"),
      Use(source: face, element: "sticker location=\(Photograph.path) alpha=0.5"),
    ] + deepUses

  /// Formats of more than 8 bits, and planar red, green and blue; each element in two of the four.
  private static let deepUses = ["I420_10LE", "P010_10LE", "v210", "GBR"].enumerated().flatMap {
    number, format in
    let (test, face) = (
      test.replacing("NV12", with: format), face.replacing("NV12", with: format)
    )
    let uses = [
      Use(source: face, element: "beautifymask even-skin=0.5"),
      Use(source: test, element: "chromakey"),
      Use(source: test, element: "chromakey background-color=0xff203040 soften=1 n-threads=2"),
      Use(source: test, element: "photoeffect look=chrome vignette=0.5 grain=0.5"),
      Use(source: test, element: "photoeffect look=noir n-threads=2"),
      Use(source: face, element: "facehide"),
      Use(source: face, element: "facereshape slim=1", objects: 2),
      Use(source: face, element: "sticker location=hat"),
      Use(
        source: person.replacing("NV12", with: format), element: "personkey blur=3 light-wrap=0.5"),
    ]
    return uses.indices.filter { ($0 + number / 2) % 2 == number % 2 }.map { uses[$0] }
  }

  @Test(arguments: uses)
  func aFrameAllocatesNothing(use: Use) throws {
    let reference = (use.reference ?? use.source) + use.way
    let without = try Self.references.withLock { known in
      if let count = known[reference] { return count }
      let count = try allocations(reference)
      known[reference] = count
      return count
    }
    let with = try allocations(use.source + " ! \(use.element)" + use.way)
    // Half a one a frame would be an element's; less is GStreamer's clocks and threads.
    let objects = GStreamerHabits.objectsAreCounted ? use.objects * Self.frames : 0
    let own = with - without - objects
    #expect(own < Self.frames / 2, "\(own) in \(Self.frames) frames")
  }

  /// What pipelines without the element took, each run once.
  private static let references = Mutex([String: Int]())

  /// Frames that are counted.
  private static let frames = 60
  /// By then pools are filled, the screen has settled, every picture was drawn once, and who
  /// misses faces has said so.
  private static let first = 110

  /// The metadata of one hand are nested structures: some twenty objects, of which nine are there without a hand too.
  ///
  /// The networks, which have hundreds of layers, add nothing.
  @Test func aHandAllocatesLittleMoreThanItsMetadata() throws {
    let scratch = ScratchFolder()
    let hand = DrawnHand(.open, wrist: Point(x: 256, y: 400), size: 230)
    let bytes = DrawnHand.picture([hand], width: 512, height: 512).tightBytes
    let path = scratch.write("hand.rgb", bytes)
    let source =
      "filesrc location=\(path) blocksize=\(bytes.count) ! rawvideoparse format=rgb width=512 height=512"
      + " ! imagefreeze num-buffers=N ! videoconvert ! video/x-raw,format=NV12 ! facedetect updates=none"
    let without = try allocations(source)
    let with = try allocations(source + " hands=always")
    let perFrame = Double(with - without) / Double(Self.frames)
    #expect(perFrame < 24, "\(perFrame)")
  }

  /// In the metadata the scores are a GBytes and its memory; computing them adds nothing.
  ///
  /// The detector's own allocations differ by up to one a frame from run to run.
  @Test func blendshapesAllocateOnlyTheirMetadata() throws {
    let source = "\(Self.person) ! facedetect max-faces=1 updates=none"
    let without = try allocations(source + " mesh=478")
    let with = try allocations(source + " blendshapes=true")
    let perFrame = Double(with - without) / Double(Self.frames)
    #expect(perFrame < 3.8, "\(perFrame)")
  }

  /// Allocations of `frames` frames in steady state, on all threads of gst-launch.
  private func allocations(_ pipeline: String) throws -> Int {
    let count = Self.first + Self.frames
    let text =
      pipeline.replacing("num-buffers=N", with: "num-buffers=\(count)")
      + " ! filesink location=/dev/null buffer-mode=unbuffered"
    let run = try Command(
      ["gst-launch-1.0", "-q"] + text.split(separator: " ").map(String.init),
      environment: Command.pluginEnvironment([
        "LD_PRELOAD": Photograph.root + "/.build/debug/liballocation-counter.so",
        "ALLOCATION_COUNTER_FIRST": "\(Self.first)",
      ]))
    #expect(run.status == 0, "\(run.errors)")
    let line = run.errors.split(separator: "\n").last { $0.hasPrefix("allocations: ") }
    let words = try #require(line, "\(run.errors)").split(separator: " ")
    try #require(words.count == 5 && Int(words[3]) == count, "\(run.errors)")
    return try #require(Int(words[1]))
  }
}
