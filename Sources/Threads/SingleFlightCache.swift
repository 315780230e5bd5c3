/// A cache whose values are made once, however many threads request them concurrently.
///
/// The first request for a key makes the value; concurrent ones wait for it and may give up at any
/// time. If the request that makes the value is cancelled, the next one starts again. The cache
/// holds its values weakly.
package final class SingleFlightCache<Key: Hashable & Sendable, Value: AnyObject & Sendable>:
  Sendable
{
  private struct Entry {
    weak var value: Value?
    var isBeingMade = true
  }

  private enum Outcome { case cached(Value), mustMake, cancelled }

  private let entries = Monitor<[Key: Entry]>([:])

  package init() {}

  /// The value for `key`: the cached one, or the result of `make`.
  ///
  /// Nil if `token` was cancelled or expired during the wait. No lock is held while `make` runs.
  package func value<E>(
    for key: Key, _ token: CancellationToken, make: () throws(E) -> Value
  ) throws(E) -> Value? {
    let entries = entries
    let turn = token.withCancellationHandler({ entries.updateAndNotify { _ in } }) {
      entries.wait { entries -> Monitor<[Key: Entry]>.WaitResult<Outcome> in
        if let value = entries[key]?.value { return .done(.cached(value)) }
        if token.isCancelled || Moment.now >= token.deadline { return .done(.cancelled) }
        if entries[key]?.isBeingMade == true { return .wait(until: token.deadline) }
        entries[key] = Entry()
        return .done(.mustMake)
      }
    }
    switch turn {
    case .cached(let value): return value
    case .cancelled: return nil
    case .mustMake: break
    }
    var made: Value?
    defer {
      entries.updateAndNotify { entries in
        entries[key] = Entry(value: made, isBeingMade: false)
        // Drops entries whose values were freed.
        entries = entries.filter { $1.isBeingMade || $1.value != nil }
      }
    }
    made = try make()
    return made
  }
}
