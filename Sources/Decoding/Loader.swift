package import Files
package import Frames
package import Threads

#if canImport(Glibc)
  import Glibc
#endif

/// Loads files for an element on a background thread, so that frames and state changes do not wait.
package typealias Loader<Loaded: Sendable> = BackgroundWorker<Result<Loaded, ElementError>>

extension BackgroundWorker {
  package convenience init<Loaded>() where Value == Result<Loaded, ElementError> {
    self.init(
      unavailable: .failure(
        ElementError(.failed, "No file can be loaded: the system cannot create a thread.")))
  }

  /// Runs `make` on the loader's thread, replacing an earlier request.
  ///
  /// `make` must not hold a reference to the element.
  package func load<Loaded>(
    limit: Duration = .seconds(60),
    _ make: @escaping @Sendable (CancellationToken) throws(ElementError) -> Loaded
  ) where Value == Result<Loaded, ElementError> {
    request(limit: limit) { order in
      let result = Result { () throws(ElementError) in try make(order) }
      trimHeap()
      return result
    }
  }
}

extension CancellationToken {
  /// Throws if the work was cancelled or its deadline has passed; `path` is the file being read.
  package func checkCancellation(_ path: FilePath) throws(ElementError) {
    if isCancelled {
      throw ElementError(.failed, "Loading \(path) was cancelled.")
    }
    if Moment.now > deadline {
      throw ElementError(
        .wrongContent,
        "\(path) cannot be decoded: it took longer than \(limit.components.seconds) seconds.")
    }
  }
}

/// Returns freed memory to the system.
///
/// glibc keeps memory freed by decoders in one arena per thread: 60 MB after 400 changes of packs.
private func trimHeap() {
  // A glibc function in no header that Swift imports.
  guard let trim = dlsym(nil, "malloc_trim") else { return }
  _ = unsafeBitCast(trim, to: (@convention(c) (Int) -> CInt).self)(0)
}
