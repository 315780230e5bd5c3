import Files
import Programs
import Stickers

/// `mien check`: what is wrong with sticker packs, in words.
enum CheckCommand {
  static func run(_ arguments: [FilePath]) throws(Problem) -> Int32 {
    let options = try Options.read(
      arguments, [], usage: "PACK...",
      summary: "Says in words all that is wrong with sticker packs: folders with a meta.json.",
      text: "Exit code: 0 when all are right, 1 when one is not, 2 for wrong use.")
    guard !options.words.isEmpty else { throw .use("name a pack (see mien check --help)") }
    let areRight = options.words.map(check)
    return areRight.allSatisfy { $0 } ? Ending.done.rawValue : Ending.no.rawValue
  }

  private static func check(_ location: FilePath) -> Bool {
    let (source, problems, remarks) = PackReader.check(location)
    for problem in problems { Terminal.say("wrong: \(problem)") }
    for remark in remarks { Terminal.say("note: \(remark)") }
    var sizes = PictureSizes()
    switch source {
    case .pack(let pack)?:
      for file in pack.items.flatMap(\.files) { sizes.add(file, of: pack) }
      for problem in sizes.problems { Terminal.say("wrong: \(problem)") }
      guard sizes.problems.isEmpty else { return false }
      for file in PackLeftovers.unused(in: pack) {
        Terminal.say("note: \(Terminal.shown(file)) is a picture that no item shows")
      }
      let frames = pack.items.reduce(0) { $0 + $1.files.count }
      Terminal.say(
        "\(Terminal.shown(location)): right. \"\(Terminal.oneLine(pack.name))\":"
          + " \(pack.items.count) items, \(frames) pictures.")
      return true
    case .picture?:
      Terminal.say("\(Terminal.shown(location)): a picture that stands alone, not a pack.")
      return true
    case nil: return false
    }
  }
}
