import CGStreamer
import Files
import Programs
import Stickers

/// `mien check`: prints what is wrong with sticker packs.
enum CheckCommand {
  static func run(_ arguments: [FilePath]) throws(ProgramError) -> Int32 {
    let options = try Options.parse(
      arguments,
      [
        .init(
          "show", "s", .required("PICTURE"),
          "Draw how the pack's textures lie on a face, red where they leave it, as a PNG file"),
        .init("force", "f", "Replace PICTURE where it is there already"),
      ],
      usage: "PACK...",
      summary: "Says in words all that is wrong with sticker packs: folders with a meta.json.",
      text: "Exit code: 0 when all are right, 1 when one is not, 2 for wrong use, 3 for failures.")
    guard !options.positional.isEmpty else { throw .usage("name a pack (see mien check --help)") }
    let picture = options.value("show")
    if let picture {
      guard options.positional.count == 1 else { throw .usage("--show is for one pack at a time") }
      guard picture.hasSuffix(".png") else {
        throw .usage("\(Terminal.printable(picture)): name a PICTURE that ends with .png")
      }
      guard FileKind(picture) == .nothing || options.has("force") else {
        throw .usage(
          "\(Terminal.printable(picture)) is there already; name another, or say --force to replace it"
        )
      }
    }
    gst_init(nil, nil)
    var areRight = true
    for location in options.positional { areRight = try checkPack(location, picture) && areRight }
    return areRight ? ExitCode.success.rawValue : ExitCode.negative.rawValue
  }

  private static func checkPack(_ location: FilePath, _ shown: FilePath?) throws(ProgramError)
    -> Bool
  {
    let (source, problems, warnings) = PackReader.check(location)
    for problem in problems { Terminal.printLine("wrong: \(problem)") }
    for warning in warnings { Terminal.printLine("note: \(warning)") }
    var sizes = PictureSizes()
    switch source {
    case .pack(let pack)?:
      for file in pack.items.flatMap(\.files) { sizes.addPicture(file, of: pack) }
      for problem in sizes.problems { Terminal.printLine("wrong: \(problem)") }
      guard sizes.problems.isEmpty else { return false }
      for file in UnusedPictures.find(in: pack) {
        Terminal.printLine("note: \(Terminal.printable(file)) is a picture that no item shows")
      }
      var textures = TextureCheck(pack)
      do throws(ProgramError) {
        for note in try textures.spillNotes() { Terminal.printLine("note: \(note)") }
      } catch {
        Terminal.printLine("wrong: \(error.text)")
        return false
      }
      if let shown, try !textures.writePNG(to: shown) {
        Terminal.printLine("note: it has no textures to show in \(Terminal.printable(shown))")
      }
      let frames = pack.items.reduce(0) { $0 + $1.files.count }
      Terminal.printLine(
        "\(Terminal.printable(location)): right. \"\(Terminal.singleLine(pack.name))\":"
          + " \(pack.items.count) items, \(frames) pictures.")
      return true
    case .picture?:
      Terminal.printLine(
        "\(Terminal.printable(location)): a picture that stands alone, not a pack.")
      return true
    case nil: return false
    }
  }
}
