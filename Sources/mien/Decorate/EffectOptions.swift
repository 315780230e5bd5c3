import CGStreamer
import Client
import Files
import Programs

/// The effects of the command line, as a chain of elements.
struct EffectOptions {
  /// An element with its properties.
  struct ElementSetup {
    enum Value {
      /// In gst-launch syntax.
      case text(String)
      /// A file's name.
      case path(FilePath)
    }

    let factory: String
    var properties: [(name: String, value: Value)] = []
    /// Properties that are set for films alone.
    var filmProperties: [(name: String, value: Value)] = []
    var preset: String?
  }

  private var elements: [ElementSetup] = []
  /// Whether an element needs face metadata.
  private var needsFaces = false
  /// Whether faces are made unrecognisable.
  private(set) var hidesFaces = false
  /// Whether tags with texts are kept where faces are hidden.
  private(set) var keepsText = false
  /// Whether the output has alpha, whatever the input has.
  private(set) var makesAlpha = false
  /// Whether the output is opaque, whatever the input is.
  private(set) var replacesBackground = false
  /// Files that the elements read, which must not be overwritten.
  private(set) var files: [FilePath] = []

  static let options: [Options.Option] = [
    .init(
      "sticker", "s", .required("PACK"), "Wear a sticker: a pack's name or folder, or any picture"),
    .init(
      "retouch", "r", .optional("HOW"),
      "Smooth the skin: 0 to 1, or a preset (natural, soft, strong, bright)"),
    .init(
      "reshape", "R", .required("HOW"),
      "Change the shape of faces: a preset (natural, doll, funny, bulge, pinch, stretch, twirl)"),
    .init(
      "look", "l", .required("LOOK"), "Give the picture a look: a name as noir, or a .cube file"),
    .init(
      "key", "k", .required("BEHIND"), "Take out a green or other screen; see below for BEHIND"),
    .init(
      "person", "p", .required("BEHIND"), "Take out the room behind people; see below for BEHIND"),
    .init(
      "hide", "H", .optional("HOW"), "Make faces unrecognisable: mosaic, blur or color (mosaic)"),
    .init("keep-words", "w", "With --hide: titles, names and comments come along"),
    .init("boxes", "b", "Draw in the faces that were found"),
  ]

  static let help = """
    BEHIND is a picture or film, a colour as #20a0ff, "alpha" for nothing: PNG pictures and films that
    end with .mov or .mkv have it; or for --person "blur", or "blur=5": percent of the height. Without
    an option that says what is done, faces are retouched and wear the pack dog.
    """

  /// The order of the elements does not depend on that of the options.
  init(_ options: Options) throws(ProgramError) {
    if options.has("boxes") { needsFaces = true }
    if options.has("hide") { try addHiding(options.value("hide")) }
    keepsText = options.has("keep-words")
    if keepsText, !hidesFaces { throw .usage("--keep-words goes with --hide") }
    if let behind = options.value("key") { try addKeyer("chromakey", behind) }
    if let behind = options.value("person") {
      needsFaces = true
      try addKeyer("personkey", behind)
    }
    let isPlain = !Self.options.contains { options.has($0.name) }
    if options.has("retouch") || isPlain { try addRetouching(options.value("retouch")) }
    if let how = options.value("reshape") {
      needsFaces = true
      elements.append(ElementSetup(factory: "facereshape", preset: how.description))
    }
    if let look = options.value("look") { try addLook(look) }
    let stickers = options.given.filter { $0.name == "sticker" }.compactMap(\.value)
    for sticker in isPlain ? ["dog"] : stickers {
      needsFaces = true
      files.append(sticker)
      elements.append(ElementSetup(factory: "sticker", properties: [("location", .path(sticker))]))
    }
    if options.has("boxes") {
      elements.append(
        ElementSetup(factory: "mienfacedetect", properties: [("display", .text("true"))]))
    }
    // The detector comes first, because all others may need its metadata.
    if needsFaces {
      var detector = ElementSetup(factory: "mienfacedetect")
      if hidesFaces {
        // As the preset "Hide everyone" of facedetect.
        let properties = [
          ("min-confidence", "0.4"), ("max-faces", "64"), ("detect-interval", "1"),
          ("tiles", "3x3"), ("smoothing", "0"),
        ]
        detector.properties = properties.map { ($0.0, .text($0.1)) }
      }
      elements.insert(detector, at: 0)
    }
  }

  /// The arguments that give another process the same effects, in any working directory.
  func childArguments(_ options: Options) -> [FilePath] {
    options.given.filter { given in Self.options.contains { $0.name == given.name } }.map {
      let name = FilePath("--" + $0.name)
      guard let value = $0.value else { return name }
      return name.appendingText("=").appendingText(
        (files.contains(value) ? value.realPath : nil) ?? value)
    }
  }

  private mutating func addKeyer(_ factory: String, _ behind: FilePath) throws(ProgramError) {
    var effect = ElementSetup(factory: factory)
    let text = behind.description
    // The last keyer decides.
    makesAlpha = text == "alpha"
    replacesBackground = !makesAlpha
    if text.hasPrefix("#") {
      guard text.utf8.count == 7, let colour = UInt32(text.dropFirst(), radix: 16) else {
        throw .usage("\(text) is no colour; write it as #20a0ff")
      }
      effect.properties = [("background-color", .text("\(0xFF00_0000 | colour)"))]
    } else if factory == "personkey", text == "blur" || text.hasPrefix("blur=") {
      let amount = text == "blur" ? 4 : Double(text.dropFirst("blur=".count)) ?? -1
      guard (0...20).contains(amount) else {
        throw .usage("\(text) is no blur; write it as blur=5, in percent of the height, up to 20")
      }
      effect.properties = [("blur", .text("\(amount)"))]
    } else if !makesAlpha {
      guard case .file = FileKind(behind) else {
        throw .usage("there is no picture or film \(Terminal.printable(behind)) to put behind")
      }
      files.append(behind)
      effect.properties = [("background", .path(behind))]
    }
    elements.append(effect)
  }

  private mutating func addHiding(_ how: FilePath?) throws(ProgramError) {
    needsFaces = true
    hidesFaces = true
    let modes = try Element.make("facehide").choices("mode").map(\.nick)
    let mode = how?.description ?? modes[0]
    guard modes.contains(mode) else {
      throw .usage("--hide=\(mode) is none of " + modes.joined(separator: ", "))
    }
    // With lookahead the frames before a detection are hidden too. A picture has no other frames.
    elements.append(
      ElementSetup(
        factory: "facehide", properties: [("mode", .text(mode))],
        filmProperties: [("lookahead", .text("15"))]))
  }

  private mutating func addRetouching(_ how: FilePath?) throws(ProgramError) {
    needsFaces = true
    var effect = ElementSetup(factory: "beautifymask")
    if let text = how?.description {
      if let intensity = Double(text) {
        guard (0...1).contains(intensity) else {
          throw .usage("--retouch=\(text) is not between 0 and 1")
        }
        effect.properties = [("intensity", .text("\(intensity)"))]
      } else {
        effect.preset = text
      }
    }
    elements.append(effect)
  }

  private mutating func addLook(_ look: FilePath) throws(ProgramError) {
    var effect = ElementSetup(factory: "photoeffect")
    if look.hasSuffix(".cube") || look.bytes.contains(UInt8(ascii: "/")) {
      files.append(look)
      effect.properties = [("cube", .path(look))]
    } else {
      let names = try Element.make("photoeffect").choices("look").map(\.nick)
      let name = look.description
      guard names.contains(name) else {
        throw .usage("there is no look \(name); there are " + names.joined(separator: ", "))
      }
      effect.properties = [("look", .text(name))]
    }
    elements.append(effect)
  }

  /// The chain in gst-launch syntax, with " ! " before each element and names for `setProperties`.
  var description: String {
    elements.enumerated().map { " ! \($1.factory) name=effect\($0)" }.joined()
  }

  /// The name of the face detector; nil without one.
  var faceDetector: String? { needsFaces ? "effect0" : nil }

  /// Sets the properties of the elements in `bin`, which was made of `description`.
  ///
  /// `threads`: 0 for all cores.
  func setProperties(in bin: Element, threads: Int, isFilm: Bool) throws(ProgramError) {
    for (index, setup) in elements.enumerated() {
      guard let element = bin["effect\(index)"] else { continue }
      if element.has("n-threads") { element.set("n-threads", "\(threads)") }
      if let preset = setup.preset, !element.loadPreset(preset) {
        throw .usage(
          "there is no preset \(preset) of \(setup.factory); there are "
            + element.presets.joined(separator: ", "))
      }
      for (name, value) in setup.properties + (isFilm ? setup.filmProperties : []) {
        switch value {
        case .text(let text): element.set(name, text)
        case .path(let path): element.set(name, string: path)
        }
      }
    }
  }

  /// Throws where the elements fail on a test picture, before any file does.
  func runOnTestPicture() throws(ProgramError) {
    let pipeline = try Element.pipeline()
    let bin = try Element.bin(
      "videotestsrc num-buffers=1 ! video/x-raw,width=64,height=64\(description) ! videoconvert"
        + " ! fakesink")
    try setProperties(in: bin, threads: 1, isFilm: true)
    pipeline.add(bin)
    pipeline.setState(GST_STATE_PLAYING)
    defer { pipeline.setState(GST_STATE_NULL) }
    for _ in 0..<60 {
      switch pipeline.nextMessage(milliseconds: 1000) {
      case .endOfStream: return
      case .error(let report): throw .usage(report.text)
      default: continue
      }
    }
    throw .failure("a test picture is stuck")
  }
}

extension FilePath {
  func appendingText(_ more: FilePath) -> FilePath { FilePath(bytes: bytes + more.bytes) }
}
