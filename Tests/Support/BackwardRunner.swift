import Threads

/// Reports several threads but runs the slices on the calling thread in reverse order, to show that
/// results do not depend on the order.
package final class BackwardRunner: SliceRunner {
  package let threadCount: Int

  package init(_ threadCount: Int) { self.threadCount = threadCount }

  package func run(_ count: Int, _ body: (Int) -> Void) {
    for slice in (0..<count).reversed() { body(slice) }
  }
}

/// Runs slices one after another on the calling thread.
package final class SerialRunner: SliceRunner {
  package init() {}
  package var threadCount: Int { 1 }
  package func run(_ count: Int, _ body: (Int) -> Void) {
    for slice in 0..<count { body(slice) }
  }
}
