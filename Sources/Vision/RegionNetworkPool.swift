import Inference
import Threads

/// A region network and clones of it, which process several regions in parallel.
///
/// One thread at a time may use it.
final class RegionNetworkPool {
  /// The network for a single region, which uses all threads.
  let first: RegionNetwork
  /// The networks of the other threads, made when there are several regions for the first time.
  private lazy var clones: [RegionNetwork] = (1..<(first.threads?.threadCount ?? 1)).compactMap {
    _ in
    first.clone()
  }

  init(_ first: RegionNetwork) { self.first = first }

  /// The results of `body` for each number in `0..<count`, each with a network of its own; nil for
  /// those that were not begun before `cancellation` was set.
  func map<Output>(
    _ count: Int, unless cancellation: CancellationFlag,
    _ body: (Int, RegionNetwork) throws(ModelError) -> Output
  ) throws(ModelError) -> [Output?] {
    func run(_ range: Range<Int>, _ network: RegionNetwork) throws(ModelError) -> [Output?] {
      var outputs: [Output?] = []
      for number in range { outputs.append(cancellation.isSet ? nil : try body(number, network)) }
      return outputs
    }
    guard count > 1, let threads = first.threads, !clones.isEmpty else {
      return try run(0..<count, first)
    }
    let networks = ([first] + clones).prefix(count)
    let slices = networks.count
    first.isSingleThreaded = true
    defer { first.isSingleThreaded = false }
    let results = Monitor([Result<[Output?], ModelError>?](repeating: nil, count: slices))
    threads.run(slices) { slice in
      let range = count * slice / slices..<count * (slice + 1) / slices
      let own: Result<[Output?], ModelError> = Result { () throws(ModelError) in
        try run(range, networks[slice])
      }
      results.withLock { $0[slice] = own }
    }
    var outputs: [Output?] = []
    for own in results.withLock({ $0 }) { if let own { outputs += try own.get() } }
    return outputs
  }
}
