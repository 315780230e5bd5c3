import Inference
import Threads

/// A region network and clones of it, so that several regions are looked at at the same time; not for
/// two threads at once.
final class RegionCrew {
  /// What looks at a single region, with all threads.
  let first: RegionNetwork
  /// For the others of the threads, made when there is more than one region for the first time.
  private lazy var clones: [RegionNetwork] = (1..<(first.threads?.threadCount ?? 1)).compactMap {
    _ in
    first.clone()
  }

  init(_ first: RegionNetwork) { self.first = first }

  /// What `look` makes of each number in `0..<count`, with a network that it has for itself; nil for
  /// what was left out once `interruption` was set.
  func map<Seen>(
    _ count: Int, unless interruption: Interruption,
    _ look: (Int, RegionNetwork) throws(ModelError) -> Seen
  ) throws(ModelError) -> [Seen?] {
    func looks(_ range: Range<Int>, _ network: RegionNetwork) throws(ModelError) -> [Seen?] {
      var seen: [Seen?] = []
      for number in range { seen.append(interruption.isSet ? nil : try look(number, network)) }
      return seen
    }
    guard count > 1, let threads = first.threads, !clones.isEmpty else {
      return try looks(0..<count, first)
    }
    let networks = ([first] + clones).prefix(count)
    let pieces = networks.count
    first.isSingleThreaded = true
    defer { first.isSingleThreaded = false }
    let found = Monitor([Result<[Seen?], ModelError>?](repeating: nil, count: pieces))
    threads.run(pieces) { piece in
      let range = count * piece / pieces..<count * (piece + 1) / pieces
      let own: Result<[Seen?], ModelError> = Result { () throws(ModelError) in
        try looks(range, networks[piece])
      }
      found.withLock { $0[piece] = own }
    }
    var seen: [Seen?] = []
    for own in found.withLock({ $0 }) { if let own { seen += try own.get() } }
    return seen
  }
}
