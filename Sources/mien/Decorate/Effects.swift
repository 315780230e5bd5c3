import CGStreamer
import Files
import Programs

/// The elements that a picture goes through, as the words of the command line name them.
struct Effects {
  /// One element and what is set on it.
  struct Effect {
    enum Setting {
      /// What gst-launch would take the text for.
      case words(String)
      /// A file's name, as it is.
      case text(FilePath)
    }

    let kind: String
    var settings: [(property: String, value: Setting)] = []
    /// What is set for films alone.
    var filmSettings: [(property: String, value: Setting)] = []
    var preset: String?
  }

  private var effects: [Effect] = []
  /// Whether something needs to know of the faces.
  private var needsFaces = false
  /// Whether nobody is to be recognised in what comes out.
  private(set) var hidesFaces = false
  /// Whether titles and the like come along where faces are hidden.
  private(set) var keepsWords = false
  /// Whether the picture comes out with holes.
  private(set) var makesAlpha = false
  /// Files that are read beside the picture, and must not be written to.
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
    BEHIND is a picture or film, a colour as #20a0ff, "alpha" for holes in a PNG picture, or for
    --person "blur", or "blur=5": percent of the height. Without an option that says what is done,
    faces are retouched and wear the pack dog.
    """

  /// What the options ask for; the order of the elements is always the same.
  init(_ options: Options) throws(Problem) {
    if options.has("boxes") { needsFaces = true }
    if options.has("hide") { try addHiding(options.value("hide")) }
    keepsWords = options.has("keep-words")
    if keepsWords, !hidesFaces { throw .use("--keep-words goes with --hide") }
    if let behind = options.value("key") { try addKeyer("chromakey", behind) }
    if let behind = options.value("person") {
      needsFaces = true
      try addKeyer("personkey", behind)
    }
    let isPlain = !Self.options.contains { options.has($0.name) }
    if options.has("retouch") || isPlain { try addRetouching(options.value("retouch")) }
    if let how = options.value("reshape") {
      needsFaces = true
      var effect = Effect(kind: "facereshape")
      effect.preset = how.description
      effects.append(effect)
    }
    if let look = options.value("look") { try addLook(look) }
    let stickers = options.given.filter { $0.name == "sticker" }.compactMap(\.value)
    for sticker in isPlain ? ["dog"] : stickers {
      needsFaces = true
      files.append(sticker)
      effects.append(Effect(kind: "sticker", settings: [("location", .text(sticker))]))
    }
    if options.has("boxes") {
      effects.append(Effect(kind: "mienfacedetect", settings: [("display", .words("true"))]))
    }
    // The faces first: all else may want to know.
    if needsFaces {
      var detector = Effect(kind: "mienfacedetect")
      if hidesFaces {
        // As the preset "Hide everyone" of facedetect.
        let settings = [
          ("min-confidence", "0.4"), ("max-faces", "64"), ("detect-interval", "1"),
          ("tiles", "3x3"), ("smoothing", "0"),
        ]
        detector.settings = settings.map { ($0.0, .words($0.1)) }
      }
      effects.insert(detector, at: 0)
    }
  }

  /// The words by which another process comes to the same, from wherever it is started.
  func words(_ options: Options) -> [FilePath] {
    options.given.filter { given in Self.options.contains { $0.name == given.name } }.map {
      let name = FilePath("--" + $0.name)
      guard let value = $0.value else { return name }
      return name.adding("=").adding((files.contains(value) ? value.real : nil) ?? value)
    }
  }

  private mutating func addKeyer(_ kind: String, _ behind: FilePath) throws(Problem) {
    var effect = Effect(kind: kind)
    let text = behind.description
    if text == "alpha" {
      makesAlpha = true
    } else if text.hasPrefix("#") {
      guard text.utf8.count == 7, let colour = UInt32(text.dropFirst(), radix: 16) else {
        throw .use("\(text) is no colour; write it as #20a0ff")
      }
      effect.settings = [("background-color", .words("\(0xFF00_0000 | colour)"))]
    } else if kind == "personkey", text == "blur" || text.hasPrefix("blur=") {
      let amount = text == "blur" ? 4 : Double(text.dropFirst("blur=".count)) ?? -1
      guard (0...20).contains(amount) else {
        throw .use("\(text) is no blur; write it as blur=5, in percent of the height, up to 20")
      }
      effect.settings = [("blur", .words("\(amount)"))]
    } else {
      guard case .file = FileKind(behind) else {
        throw .use("there is no picture or film \(Terminal.shown(behind)) to put behind")
      }
      files.append(behind)
      effect.settings = [("background", .text(behind))]
    }
    effects.append(effect)
  }

  private mutating func addHiding(_ how: FilePath?) throws(Problem) {
    needsFaces = true
    hidesFaces = true
    let modes = try Element.make("facehide").choices("mode")
    let mode = how?.description ?? modes[0]
    guard modes.contains(mode) else {
      throw .use("--hide=\(mode) is none of " + modes.joined(separator: ", "))
    }
    // Frames before a face was found hide it too. A picture has none, and would wait for them.
    effects.append(
      Effect(
        kind: "facehide", settings: [("mode", .words(mode))],
        filmSettings: [("lookahead", .words("15"))]))
  }

  private mutating func addRetouching(_ how: FilePath?) throws(Problem) {
    needsFaces = true
    var effect = Effect(kind: "beautifymask")
    if let text = how?.description {
      if let intensity = Double(text) {
        guard (0...1).contains(intensity) else {
          throw .use("--retouch=\(text) is not between 0 and 1")
        }
        effect.settings = [("intensity", .words("\(intensity)"))]
      } else {
        effect.preset = text
      }
    }
    effects.append(effect)
  }

  private mutating func addLook(_ look: FilePath) throws(Problem) {
    var effect = Effect(kind: "photoeffect")
    if look.hasSuffix(".cube") || look.bytes.contains(UInt8(ascii: "/")) {
      files.append(look)
      effect.settings = [("cube", .text(look))]
    } else {
      let names = try Element.make("photoeffect").choices("look")
      let name = look.description
      guard names.contains(name) else {
        throw .use("there is no look \(name); there are " + names.joined(separator: ", "))
      }
      effect.settings = [("look", .words(name))]
    }
    effects.append(effect)
  }

  /// " ! " before each element, in the words of gst-launch, named for `set`.
  var description: String {
    effects.enumerated().map { " ! \($1.kind) name=effect\($0)" }.joined()
  }

  /// Whether faces are looked for, by the element of this name.
  var faceDetector: String? { needsFaces ? "effect0" : nil }

  /// Sets all properties on the elements of `bin`, which holds `description`.
  ///
  /// `threads`: 0 for all cores.
  func set(_ bin: Element, threads: Int, isFilm: Bool) throws(Problem) {
    for (index, effect) in effects.enumerated() {
      guard let element = bin["effect\(index)"] else { continue }
      if element.has("n-threads") { element.set("n-threads", "\(threads)") }
      if let preset = effect.preset, !element.loadPreset(preset) {
        throw .use(
          "there is no preset \(preset) of \(effect.kind); there are "
            + element.presets.joined(separator: ", "))
      }
      for (property, value) in effect.settings + (isFilm ? effect.filmSettings : []) {
        switch value {
        case .words(let words): element.set(property, words)
        case .text(let text): element.set(property, text: text)
        }
      }
    }
  }

  /// Throws why the elements cannot be used at all: before a file fails of it.
  func check() throws(Problem) {
    let pipeline = try Element.pipeline()
    let bin = try Element.bin(
      "videotestsrc num-buffers=1 ! video/x-raw,width=64,height=64\(description) ! videoconvert"
        + " ! fakesink")
    try set(bin, threads: 1, isFilm: true)
    pipeline.add(bin)
    pipeline.setState(GST_STATE_PLAYING)
    defer { pipeline.setState(GST_STATE_NULL) }
    for _ in 0..<60 {
      switch pipeline.listen(milliseconds: 1000) {
      case .end: return
      case .error(let text, _, _): throw .use(text)
      default: continue
      }
    }
    throw .failure("a test picture is stuck")
  }
}

extension FilePath {
  func adding(_ more: FilePath) -> FilePath { FilePath(bytes: bytes + more.bytes) }
}
