import Glibc
import Testing

@testable import Threads

@Suite struct ThreadPoolTests {
  @Test(arguments: 1...5)
  func everySliceRunsOnce(threads: Int) {
    let pool = ThreadPool(exactly: threads)
    #expect(pool.threadCount == threads)
    for count in [0, 1, 2, 7, 500] {
      let memory = OwnedCounters(count: count)
      pool.run(count) { slice in memory.counters[slice] += 1 }
      #expect(memory.counters.allSatisfy { $0 == 1 })
      for step in 0..<20 {
        pool.run(count, goesOn: step < 19) { slice in memory.counters[slice] += 1 }
      }
      #expect(memory.counters.allSatisfy { $0 == 21 })
    }
    pool.run(-1) { _ in Issue.record("there is no slice to run") }
  }

  @Test func oneMeansTheCallersOwnThread() {
    let caller = pthread_self()
    ThreadPool(threads: 1).run(8) { _ in #expect(pthread_equal(pthread_self(), caller) != 0) }
  }

  @Test func zeroMeansOneThreadPerCoreAndThereAreNeverMore() {
    let cores = ThreadPool(threads: 0).threadCount
    #expect((1...64).contains(cores))
    #expect(cores <= sysconf(Int32(_SC_NPROCESSORS_CONF)))
    #expect(ThreadPool(threads: 1000).threadCount == cores)
  }

  /// Counters in memory of their own, since slices write them at the same time.
  final class OwnedCounters {
    let counters: UnsafeMutableBufferPointer<Int>
    init(count: Int) {
      counters = .allocate(capacity: count)
      counters.initialize(repeating: 0)
    }
    deinit { counters.deallocate() }
  }
}
