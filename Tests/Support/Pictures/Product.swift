/// The pairs of an element of one sequence and one of another, in the order of nested loops; the
/// second is iterated again for each element of the first.
@usableFromInline
package struct Product<First: Sequence, Second: Sequence>: Sequence,
  IteratorProtocol
{
  @usableFromInline var outer: First.Iterator
  @usableFromInline var current: First.Element?
  @usableFromInline let second: Second
  @usableFromInline var inner: Second.Iterator

  @inlinable package init(_ first: First, _ second: Second) {
    outer = first.makeIterator()
    current = outer.next()
    self.second = second
    inner = second.makeIterator()
  }

  @inlinable package mutating func next() -> (First.Element, Second.Element)? {
    while let element = current {
      if let other = inner.next() { return (element, other) }
      current = outer.next()
      inner = second.makeIterator()
    }
    return nil
  }
}

/// All pairs, those of the first element of `first` first; of rows and columns, the places of a
/// picture as it is scanned.
@inlinable package func product<First: Sequence, Second: Sequence>(
  _ first: First, _ second: Second
) -> Product<First, Second> {
  Product(first, second)
}
