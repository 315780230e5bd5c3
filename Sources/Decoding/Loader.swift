package import Files
package import Frames
package import Threads

#if canImport(Glibc)
  import Glibc
#endif

/// Loads things from files for an element, so that no frame and no state change waits for one.
package typealias Loader<Loaded: Sendable> = BackgroundWorker<Result<Loaded, ElementError>>

extension BackgroundWorker {
  package convenience init<Loaded>() where Value == Result<Loaded, ElementError> {
    self.init(
      unavailable: .failure(
        ElementError(.failed, "Nothing can be loaded: the system has no thread left.")))
  }

  /// Loads something in place of what was asked for before; `make` must not hold the element.
  package func load<Loaded>(
    limit: Duration = .seconds(60),
    _ make: @escaping @Sendable (CancellationToken) throws(ElementError) -> Loaded
  ) where Value == Result<Loaded, ElementError> {
    request(limit: limit) { order in
      let result = Result { () throws(ElementError) in try make(order) }
      returnMemory()
      return result
    }
  }
}

extension CancellationToken {
  /// Throws once the work is not wanted any more, or took too long; `path` is what is being read.
  package func check(_ path: FilePath) throws(ElementError) {
    if isCancelled {
      throw ElementError(.failed, "\(path) was not read to its end: it is not wanted any more.")
    }
    if Moment.now > deadline {
      throw ElementError(
        .wrongContent,
        "\(path) cannot be decoded: it took longer than \(limit.components.seconds) seconds.")
    }
  }
}

/// Gives freed memory back to the system.
///
/// Each thread's allocations come from an arena of its own, and what decoders leave behind in
/// them would add up: over 400 changes of packs it was 60 MB.
private func returnMemory() {
  // glibc's own, and in none of its headers that Swift imports.
  guard let trim = dlsym(nil, "malloc_trim") else { return }
  _ = unsafeBitCast(trim, to: (@convention(c) (Int) -> CInt).self)(0)
}
