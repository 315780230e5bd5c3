#if canImport(Glibc)
  import Glibc
#endif

/// How much memory this process may have; for tests in a process of their own.
package enum MemoryLimit {
  /// Runs `body` while the system has no memory left for the stack of a new thread.
  ///
  /// What `body` allocates must be there already: less than a page.
  package static func withoutStacks(_ body: () -> Void) {
    var limit = rlimit()
    // A number or an enumeration, as the C library's headers are read.
    let kind = __rlimit_resource_t(RLIMIT_AS.rawValue)
    getrlimit(kind, &limit)
    var low = limit
    low.rlim_cur = 1 << 20
    setrlimit(kind, &low)
    body()
    setrlimit(kind, &limit)
  }
}
