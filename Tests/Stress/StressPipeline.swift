import CGStreamer
import Harness
import Support

/// A random pipeline of the elements, on a picture with or without a face.
final class StressPipeline {
  /// Formats that all elements support.
  ///
  /// Keyers give those of 12 bits no alpha, so a chain with one may refuse them.
  static let formats =
    ["I420", "NV12", "RGB", "BGRx", "YUY2", "AYUV", "Y444", "A420", "RGBA", "GBR"]
    + ["P010_10LE", "I420_10LE", "I422_10LE", "Y444_10LE", "v210", "Y210", "I420_12LE"]
  private static let sizes = [(64, 48), (160, 120), (161, 121), (320, 180), (17, 9), (1, 1)]
  static let kinds = [
    "facedetect", "beautifymask", "sticker", "chromakey", "personkey", "photoeffect", "facehide",
    "facereshape", "mienlook",
  ]

  let raw: UnsafeMutablePointer<GstElement>
  let isLive: Bool
  /// Number of elements under test; they are named e0, e1 and so on.
  let count: Int
  /// The element names to choose from.
  let kinds: [String]
  /// The launch line, for reports.
  let description: String

  /// Values of string properties: valid, invalid and empty.
  static let strings: [String: [String]] = [
    "location": [
      "", "halo", "hearts", "dog", "glasses", "facepaint", "hat", Photograph.path,
      "/nonexistent/pack",
      Photograph.root + "/Package.swift",
    ],
    "background": ["", Photograph.path, "/nonexistent.png", Photograph.root + "/Package.swift"],
    "sticker": ["", "halo", "hat", Photograph.path, "/nonexistent/pack"],
    "key": ["", "#20a0ff", "alpha", "#", Photograph.path, "/nonexistent.png"],
    "person": ["", "blur", "blur=30", "alpha", Photograph.path, "/nonexistent.png"],
    "cube": [
      "", Photograph.root + "/Tests/Fuzz/corpus/cubes/warm.cube", "/nonexistent.cube",
      Photograph.root + "/Package.swift",
    ],
    "model-dir": ["", Photograph.models, "/nonexistent", damagedModels],
  ]

  /// A folder of truncated models.
  private static let damagedModels = {
    let folder = Photograph.root + "/out/damaged-models"
    g_mkdir_with_parents(folder, 0o755)
    for (index, name) in models.enumerated() {
      let bytes = ScratchFolder.bytes(Photograph.models + "/" + name)
      _ = bytes.prefix(bytes.count * (index + 1) / 8).withUnsafeBytes {
        g_file_set_contents(folder + "/" + name, $0.baseAddress, gssize($0.count), nil)
      }
    }
    return folder
  }()

  private static let models = [
    "selfie_segmentation", "face_detection_short_range", "face_landmark",
    "selfie_segmentation_landscape", "iris_landmark",
  ].map { $0 + ".tflite" }

  /// A random pipeline of these elements.
  init?(_ random: inout SplitMix, kinds all: [String]) {
    kinds = all
    isLive = random.below(3) == 0
    // Not videotestsrc: it double-frees memory when it is stopped and its caps change.
    let picture = random.one(of: [Photograph.path, Photograph.root + "/stickers/halo/preview.png"])
    var text =
      "filesrc location=\(picture) ! pngdec ! videoconvert ! videoscale ! video/x-raw,width=320,"
      + "height=320 ! imagefreeze is-live=\(isLive) ! videoconvert ! videoscale"
    text += " ! capsfilter name=caps caps=\(Self.randomCaps(&random))"
    let isShared = random.below(4) == 0
    if isShared { text += " ! tee name=t ! queue max-size-buffers=2" }
    var chain = random.below(4) == 0 ? [] : [all[0]]
    for _ in 0...random.below(3) { chain.append(random.one(of: all)) }
    if all.contains("facehide"), random.below(2) == 0 {
      chain.insert("facehide", at: random.below(chain.count + 1))
    }
    for (index, kind) in chain.enumerated() {
      text += " ! \(kind) name=e\(index)"
      if random.below(4) == 0 { text += " ! queue max-size-buffers=2" }
    }
    text += " ! fakesink name=sink sync=\(random.below(3) > 0)"
    if isShared { text += " t. ! queue max-size-buffers=2 ! fakesink sync=true" }
    description = text
    count = chain.count
    guard let pipeline = gst_parse_launch(text, nil) else { return nil }
    raw = pipeline
    for index in 0..<count {
      withElement("e\(index)") { element in
        let properties = RandomProperties(of: element, strings: Self.strings)
        for _ in 0..<random.below(4) { properties.setRandom(&random) }
        Self.attachHidingOracle(to: element, seed: random.next())
      }
    }
    discardMessages()
  }

  deinit { gst_object_unref(raw) }

  /// Attaches the oracle to a `facehide`, and metadata of random faces to most of its frames.
  static func attachHidingOracle(to element: UnsafeMutablePointer<GstElement>, seed: UInt64) {
    var options = HidingOracle.Options()
    options.addMetadata = { buffer, random in
      guard random.below(4) > 0 else { return }
      let faces = (0...random.below(3)).map { _ in
        AttachedFields.face(
          id: .uint(UInt32(random.below(8))), x: Double(random.below(100)) / 100,
          y: Double(random.below(100)) / 100, width: Double(1 + random.below(60)) / 100,
          height: Double(1 + random.below(60)) / 100)
      }
      AttachedFields.attach(faces, to: buffer)
      if random.below(4) == 0 {
        AttachedFields.attachRegion(
          id: Int32(random.below(8)), x: UInt32(random.below(200)), y: UInt32(random.below(100)),
          width: UInt32(1 + random.below(80)), height: UInt32(1 + random.below(80)), to: buffer)
      }
    }
    HidingOracle.watch(element, options, seed: seed)
  }

  /// Random caps, as a string.
  static func randomCaps(_ random: inout SplitMix) -> String {
    let size = random.one(of: sizes)
    let format = random.below(8) == 0 ? "GRAY8" : random.one(of: formats)
    return "video/x-raw,format=\(format),width=\(size.0),height=\(size.1),framerate=30/1"
  }

  /// Drops all messages on the posting threads.
  private func discardMessages() {
    guard let bus = gst_element_get_bus(raw) else { return }
    gst_bus_set_sync_handler(
      bus,
      { _, message, _ in
        gst_mini_object_unref(
          UnsafeMutableRawPointer(message!).assumingMemoryBound(to: GstMiniObject.self))
        return GST_BUS_DROP
      }, nil, nil)
    gst_object_unref(bus)
  }

  /// Calls `body` with the element of this name, if there currently is one.
  @discardableResult
  func withElement<R>(_ name: String, _ body: (UnsafeMutablePointer<GstElement>) -> R) -> R? {
    let bin = UnsafeMutableRawPointer(raw).assumingMemoryBound(to: GstBin.self)
    guard let element = gst_bin_get_by_name(bin, name) else { return nil }
    defer { gst_object_unref(element) }
    return body(element)
  }

  /// If faces are hidden, plays for a moment after all actions, so that delayed frames leave.
  func playBriefly() {
    guard description.contains("facehide") else { return }
    for index in 0..<count {
      withElement("e\(index)") { element in
        let object = UnsafeMutableRawPointer(element).assumingMemoryBound(to: GObject.self)
        guard g_object_class_find_property(Self.objectClass(of: element), "lookahead") != nil else {
          return
        }
        withWatchdog("lookahead") { gst_util_set_object_arg(object, "lookahead", "2") }
      }
    }
    withWatchdog("to PLAYING") { _ = gst_element_set_state(raw, GST_STATE_PLAYING) }
    g_usleep(80_000)
  }

  private static func objectClass(
    of element: UnsafeMutablePointer<GstElement>
  ) -> UnsafeMutablePointer<GObjectClass> {
    element.withMemoryRebound(to: GTypeInstance.self, capacity: 1) {
      UnsafeMutableRawPointer($0.pointee.g_class).assumingMemoryBound(to: GObjectClass.self)
    }
  }

  /// Sets the pipeline to NULL; returns the duration in milliseconds.
  func stop() -> Double {
    milliseconds {
      withWatchdog("the last change to NULL") { _ = gst_element_set_state(raw, GST_STATE_NULL) }
    }
  }
}
