import CGStreamer
import Harness
import Support

#if canImport(Glibc)
  import Glibc
#endif

/// Sticker packs, loaded by `sticker`.
///
/// An input is the manifest. The folder already holds what its paths may lead to: pictures, folders, links, a pipe.
final class PackTarget: Target {
  private let folder: String
  private let harness: ElementHarness
  private let properties: RandomProperties

  init(in scratch: ScratchFolder) throws {
    folder = scratch.path + "/pack"
    guard let harness = ElementHarness("sticker") else {
      throw Unavailable(what: "the element sticker")
    }
    self.harness = harness
    properties = RandomProperties(of: harness.element)
    mkdir(folder, 0o777)
    mkdir(folder + "/frames", 0o777)
    let picture = try SeedFiles.encode("pngenc")
    for name in ["a.png", "frames/1.png", "frames/2.png", "frames/10.png"] {
      Corpus.write(picture, to: folder + "/" + name)
    }
    Corpus.write([], to: folder + "/empty.png")
    Corpus.write(Array("<svg/>".utf8), to: folder + "/a.svg")
    symlink("a.png", folder + "/inside.png")
    symlink(Photograph.path, folder + "/outside.png")
    symlink("/", folder + "/top")
    symlink("loop", folder + "/loop")
    mkfifo(folder + "/pipe.png", 0o666)
  }

  let maximumLength = 8192
  let dictionary = [
    "\"type\": 0", "\"type\": 1", "\"folder\": \"frames\"", "\"file\": \"a.png\"", "\"frames\": 3",
    "\"inside.png\"", "\"outside.png\"", "\"loop\"", "\"pipe.png\"", "\"top/etc\"", "\"..\"",
    "\"/\"",
    "\"empty.png\"", "\"a.svg\"", "\"version\": 1", "\"trigger\": \"smile\"", "\"loop\": 2",
    "\"anchor\": \"eyes\"", "\"alignIndexes\": [0, 1, 2]", "\"blend\": \"screen\"", "\"z\": -1",
    "\"type\": 2", "\"version\": 3", "\"region\": \"lips\"", "\"color\": \"#c03040\"",
    "\"soft\": 0.1",
    "\"spare\": [\"eyes\"]", "\"shade\": 1", "\"space\": \"head\"", "\"from\": [-1, 0, 0]",
    "\"to\": [1, 0, -1]", "\"down\": [0, 0, 1]", "\"round\": true", "\"hidden\": false",
    "\"body\": \"lathe\"", "\"profile\": [[0, 1], [1, 0]]", "\"body\": \"torus\"",
    "\"thickness\": 0.2", "\"body\": \"sheet\"", "\"bend\": [0.5, 0.1]", "\"depth\": 1.2",
    "\"blend\": \"color\"", "\"blend\": \"soft-light\"",
    "null", "true", "[", "]", "{", "}", "\\u0000", "\"\\ud800\"", "\u{e9}",
  ].map { Array($0.utf8) }

  var summary: String { SeedFiles.stopSummary([harness]) }

  func seeds() -> [[UInt8]] {
    let item =
      "\"anchor\": \"eyes\", \"scaleWidth\": 1.2, \"offsetX\": 0, \"offsetY\": 0.5, \"width\": 8, "
      + "\"height\": 8"
    return [
      "{\"version\": 2, \"name\": \"n\", \"items\": [{\"type\": 0, \(item), \"file\": \"a.png\"}]}",
      "{\"version\": 2, \"name\": \"n\", \"preview\": \"a.png\", \"audio\": \"a.png\", \"items\": ["
        + "{\"type\": 0, \(item), \"folder\": \"frames\", \"frames\": 3, \"frameDuration\": 40, "
        + "\"trigger\": \"smile\", \"loop\": 1, \"alpha\": 0.5, \"blend\": \"add\", \"z\": 2}, "
        + "{\"type\": 1, \"anchor\": \"top\", \"scaleWidth\": 1, \"width\": 8, \"height\": 8, \"file\": \"inside.png\"}]}",
      "{\"version\": 1, \"name\": \"n\", \"items\": [{\"type\": 0, \"alignIndexes\": [1, 2, 3], "
        + "\"scaleWidth\": 1, \"width\": 8, \"height\": 8, \"offsetX\": 0, "
        + "\"offsetY\": 0, \"folder\": \"frames\", \"frames\": 3, "
        + "\"frameDuration\": 100, \"triggerType\": 0}]}",
      "{\"version\": 3, \"name\": \"n\", \"items\": [{\"type\": 2, \"region\": \"lips\", \"color\": \"#c03040\", "
        + "\"soft\": 0.01, \"shade\": 0.5, \"blend\": \"color\"}, {\"type\": 2, \"file\": \"a.png\", "
        + "\"spare\": [\"eyes\"], \"blend\": \"soft-light\"}, {\"type\": 0, \"space\": \"head\", "
        + "\"from\": [-1, 0, 0], \"to\": [1, 0, -1], \"down\": [0, 0, 1], \"round\": true, "
        + "\"hidden\": true, \"width\": 8, \"height\": 8, \"file\": \"a.png\"}]}",
      "{\"version\": 3, \"name\": \"n\", \"items\": [{\"type\": 0, \"space\": \"head\", "
        + "\"body\": \"lathe\", \"from\": [-1, 1, 0], \"to\": [1, 1, 0], \"down\": [0, -1, 0.1], "
        + "\"profile\": [[0, 1], [1, 0.5], [1, 0]], \"depth\": 1.2, \"width\": 8, \"height\": 8, "
        + "\"file\": \"a.png\"}, {\"type\": 0, \"space\": \"head\", \"body\": \"torus\", "
        + "\"from\": [-1, 1, 0], \"to\": [1, 1, 0], \"thickness\": 0.2, \"shade\": 0.5, "
        + "\"width\": 8, \"height\": 8, \"file\": \"a.png\"}, {\"type\": 0, \"space\": \"head\", "
        + "\"body\": \"sheet\", \"anchor\": \"nose\", \"from\": [-1, 0, 0], \"to\": [1, 0, 0], "
        + "\"bend\": [0.5, 0.1], \"width\": 8, \"height\": 8, \"file\": \"a.png\"}]}",
    ].map { Array($0.utf8) }
  }

  func run(_ input: [UInt8]) -> Outcome {
    Corpus.write(input, to: folder + "/meta.json")
    properties.set("location", folder)
    return playAndStop(3, in: harness)
  }
}
