import CGStreamer
import Harness
import Support

/// Pictures and films, as `location` of `sticker` or `background` of `chromakey`.
final class PictureTarget: Target {
  private let path: String
  private let kinds: [SeedFiles.Kind]
  private let harnesses: [(harness: ElementHarness, properties: RandomProperties, name: String)]

  init(_ kinds: [SeedFiles.Kind], in scratch: ScratchFolder) throws {
    self.kinds = kinds
    path = scratch.path + "/picture"
    harnesses = [("sticker", "location"), ("chromakey", "background")].compactMap { factory, name in
      ElementHarness(factory).map { ($0, RandomProperties(of: $0.element), name) }
    }
  }

  let maximumLength = 1 << 16
  let prefersFixedLength = true

  var summary: String { SeedFiles.stopSummary(harnesses.map(\.harness)) }

  func seeds() -> [[UInt8]] { SeedFiles.make(kinds) }

  func run(_ input: [UInt8]) -> Outcome {
    Corpus.write(input, to: path)
    // The input alone decides which element gets it, so that a failure repeats.
    let (harness, properties, name) = harnesses[(input.first.map(Int.init) ?? 0) % harnesses.count]
    properties.set(name, path)
    return playAndStop(2, in: harness)
  }
}
