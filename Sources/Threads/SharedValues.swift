/// Values that several threads want and one of them makes.
///
/// Whoever asks for a value first makes it; whoever asks meanwhile waits for that, and may leave at
/// any time. When the one who makes it leaves, the next one begins anew. Values live as long as
/// somebody holds them.
package final class SharedValues<Key: Hashable & Sendable, Value: AnyObject & Sendable>: Sendable {
  private struct Entry {
    weak var value: Value?
    var isBeingMade = true
  }

  private enum Turn { case here(Value), toMake, gone }

  private let entries = Monitor<[Key: Entry]>([:])

  package init() {}

  /// The value for `key`: one that somebody holds, or what `make` returns.
  ///
  /// Nil when it was waited for and `order` was cancelled or ran out of time. No lock is held while
  /// `make` runs.
  package func value<E>(
    for key: Key, _ order: WorkOrder, make: () throws(E) -> Value
  ) throws(E) -> Value? {
    let entries = entries
    let turn = order.waking({ entries.change { _ in } }) {
      entries.wait { entries -> Monitor<[Key: Entry]>.Finding<Turn> in
        if let value = entries[key]?.value { return .done(.here(value)) }
        if order.isCancelled || Moment.now >= order.deadline { return .done(.gone) }
        if entries[key]?.isBeingMade == true { return .wait(until: order.deadline) }
        entries[key] = Entry()
        return .done(.toMake)
      }
    }
    switch turn {
    case .here(let value): return value
    case .gone: return nil
    case .toMake: break
    }
    var made: Value?
    defer {
      entries.change { entries in
        entries[key] = Entry(value: made, isBeingMade: false)
        // What nobody holds any more.
        entries = entries.filter { $1.isBeingMade || $1.value != nil }
      }
    }
    made = try make()
    return made
  }
}
