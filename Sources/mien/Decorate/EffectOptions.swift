import CGStreamer
import Client
import Effects
import Files
import Programs

/// The effects of the command line, as a chain of elements.
struct EffectOptions {
  private(set) var chain = EffectChain()
  /// Whether tags with texts are kept where faces are hidden.
  let keepsText: Bool

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
    .init("background", "g", .required("BEHIND"), "The same as --person, as --background office"),
    .init(
      "hide", "H", .optional("HOW"), "Make faces unrecognisable: mosaic, blur or color (mosaic)"),
    .init("keep-words", "w", "With --hide: titles, names and comments come along"),
    .init("boxes", "b", "Draw in the faces that were found"),
  ]

  static let help = """
    BEHIND is a picture or film, or one of beach, library, mountains, office, room and studio; a colour
    as #20a0ff, "alpha" for nothing: PNG pictures and films that end with .mov or .mkv have it; or for
    --person "blur", or "blur=5": percent of the height. Without an option that says what is done, faces
    are retouched and wear the pack dog.
    """

  /// The order of the elements does not depend on that of the options.
  init(_ options: Options) throws(ProgramError) {
    keepsText = options.has("keep-words")
    do throws(EffectError) {
      try add(options)
    } catch {
      throw .usage(Terminal.singleLine(error.text))
    }
    if keepsText, !chain.hidesFaces { throw .usage("--keep-words goes with --hide") }
  }

  private mutating func add(_ options: Options) throws(EffectError) {
    if options.has("hide") {
      // With lookahead the frames before a detection are hidden too. A picture has no other frames.
      let mode = options.value("hide")?.description
      chain.addHiding(mode: try Self.nick(mode, "--hide=", of: "facehide", "mode"), lookahead: 15)
    }
    if let behind = options.value("key") {
      chain.addKeyer(.screen, try KeyedBackground(behind, blurs: false))
    }
    if let behind = options.value("person") ?? options.value("background") {
      chain.addKeyer(.person, try KeyedBackground(behind, blurs: true))
    }
    let isPlain = !Self.options.contains { options.has($0.name) }
    if options.has("retouch") || isPlain {
      let how = options.value("retouch")?.description
      if let intensity = how.flatMap({ Double($0) }) {
        try chain.addRetouching(intensity: intensity)
      } else {
        chain.addRetouching(preset: how)
      }
    }
    if let how = options.value("reshape") { chain.addReshaping(preset: how.description) }
    if let look = options.value("look") {
      if look.hasSuffix(".cube") || look.bytes.contains(UInt8(ascii: "/")) {
        chain.addLook(cube: look)
      } else {
        chain.addLook(try Self.nick(look.description, "--look=", of: "photoeffect", "look"))
      }
    }
    let stickers = options.given.filter { $0.name == "sticker" }.compactMap(\.value)
    for sticker in isPlain ? ["dog"] : stickers { chain.addSticker(sticker) }
    if options.has("boxes") { chain.addBoxes() }
  }

  /// `text` where it is the nick of a value of an element's property; without `text` the first nick.
  private static func nick(
    _ text: String?, _ option: String, of factory: String, _ property: String
  ) throws(EffectError) -> String {
    guard let element = Element(factory: factory) else {
      throw EffectError("GStreamer has no element \(factory) here")
    }
    let nicks = element.choices(property).map(\.nick)
    let nick = text ?? nicks.first ?? ""
    guard nicks.contains(nick) else {
      throw EffectError("\(option)\(nick) is none of " + nicks.joined(separator: ", "))
    }
    return nick
  }

  /// The arguments that give another process the same effects, in any working directory.
  func childArguments(_ options: Options) -> [FilePath] {
    options.given.filter { given in Self.options.contains { $0.name == given.name } }.map {
      let name = FilePath("--" + $0.name)
      guard let value = $0.value else { return name }
      return name.appendingText("=").appendingText(
        (chain.files.contains(value) ? value.realPath : nil) ?? value)
    }
  }

  /// The chain in gst-launch syntax, with " ! " before each element and names for `setProperties`.
  var description: String {
    chain.elements.enumerated().map { " ! \($1.factory) name=effect\($0)" }.joined()
  }

  /// The name of the face detector; nil without one.
  var faceDetector: String? { chain.findsFaces ? "effect0" : nil }

  /// Sets the properties of the elements in `bin`, which was made of `description`.
  ///
  /// `threads`: 0 for all cores.
  func setProperties(in bin: Element, threads: Int, isFilm: Bool) throws(ProgramError) {
    for (index, setup) in chain.elements.enumerated() {
      guard let element = bin["effect\(index)"] else { continue }
      do throws(EffectError) {
        try setup.apply(to: element, threads: threads, isFilm: isFilm)
      } catch {
        throw .usage(error.text)
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
