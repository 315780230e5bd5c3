#if canImport(Glibc)
  import Glibc
#endif

/// Limits the memory of this process, for tests in a process of their own.
package enum MemoryLimit {
  /// Runs `body` while the address space has no room for the stack of a new thread.
  ///
  /// `body` may allocate less than a page; everything else must be allocated before.
  package static func withoutRoomForThreadStacks(_ body: () -> Void) {
    var limit = rlimit()
    // Swift imports the constant as a number or as an enumeration, depending on the C library's
    // version.
    let kind = __rlimit_resource_t(RLIMIT_AS.rawValue)
    getrlimit(kind, &limit)
    var low = limit
    low.rlim_cur = 1 << 20
    setrlimit(kind, &low)
    body()
    setrlimit(kind, &limit)
  }
}
