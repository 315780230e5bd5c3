import CGStreamer
import Harness
import Support

/// Pictures and films, which `sticker` and `chromakey` are given in turn.
final class PictureTarget: Target {
  private let path: String
  private let kinds: [SmallFiles.Kind]
  private let rigs: [(rig: ElementRig, properties: Properties, name: String)]
  private var turn = 0

  init(_ kinds: [SmallFiles.Kind], in scratch: ScratchFolder) throws {
    self.kinds = kinds
    path = scratch.path + "/picture"
    rigs = [("sticker", "location"), ("chromakey", "background")].compactMap { factory, name in
      ElementRig(factory).map { ($0, Properties(of: $0.element), name) }
    }
  }

  let longest = 1 << 16
  let isRigid = true

  var remarks: String {
    var stops = Times(bar: 100)
    for (rig, _, _) in rigs { stops.take(rig.stops) }
    return SmallFiles.remark(stops)
  }

  func seeds() -> [[UInt8]] {
    kinds.compactMap { kind in
      do { return try kind.make() } catch {
        say("a seed cannot be made: \(error)")
        return nil
      }
    }
  }

  func run(_ input: [UInt8]) -> Outcome {
    Corpus.write(input, to: path)
    turn += 1
    // The same one for the same input, whatever came before.
    let (rig, properties, name) = rigs[(input.first.map(Int.init) ?? 0) % rigs.count]
    properties.set(name, path)
    return play(2, in: rig)
  }
}
