import Glibc
import Synchronization
import Testing

@testable import Threads

@Suite(.timeLimit(.minutes(20))) struct ThreadPoolTests {
  @Test(arguments: 1...5)
  func everySliceRunsOnce(threads: Int) {
    let pool = ThreadPool(exactly: threads)
    #expect(pool.threadCount == threads)
    for count in [0, 1, 2, 7, 500] {
      let memory = OwnedCounters(count: count)
      pool.run(count) { slice in memory.counters[slice] += 1 }
      #expect(memory.counters.allSatisfy { $0 == 1 })
      for step in 0..<20 {
        pool.run(count, keepSpinning: step < 19) { slice in memory.counters[slice] += 1 }
      }
      #expect(memory.counters.allSatisfy { $0 == 21 })
    }
    pool.run(-1) { _ in Issue.record("there is no slice to run") }
  }

  @Test func aPoolOfOneRunsOnTheCallersThread() {
    let caller = pthread_self()
    ThreadPool(threads: 1).run(8) { _ in #expect(pthread_equal(pthread_self(), caller) != 0) }
  }

  @Test func zeroMeansOneThreadPerCoreWhichIsTheMaximum() {
    let cores = ThreadPool(threads: 0).threadCount
    #expect((1...64).contains(cores))
    #expect(cores <= sysconf(Int32(_SC_NPROCESSORS_CONF)))
    #expect(ThreadPool(threads: 1000).threadCount == cores)
  }

  @Test func concurrentRunsAreSerialized() {
    let pool = ThreadPool(exactly: 3)
    let callers = (0..<4).map { number in
      OwnThread {
        let memory = OwnedCounters(count: 9)
        for step in 1...400 {
          pool.run(9, keepSpinning: step & 7 != number) { slice in memory.counters[slice] += slice }
          #expect((0..<9).allSatisfy { memory.counters[$0] == step * $0 })
        }
      }
    }
    for caller in callers { caller.join() }
  }

  @Test func poolsEndWhetherTheirThreadsSleepOrSpin() {
    for round in 0..<300 {
      let pool = ThreadPool(exactly: 2 + round % 3)
      let memory = OwnedCounters(count: 5)
      for _ in 0..<round % 4 {
        pool.run(5, keepSpinning: round & 1 == 0) { slice in memory.counters[slice] += 1 }
      }
      #expect(memory.counters.allSatisfy { $0 == round % 4 })
    }
  }

  /// With pthreadpool, whose threads spin a million times for each other, twice as many runs took
  /// the caller 16 seconds.
  @Test func onBusyCoresTheCallerWaitsOnlyForActiveHelpers() {
    let isOver = Atomic(false)
    let others = (0..<2 * ThreadPool(threads: 0).threadCount).map { _ in
      OwnThread { while !isOver.load(ordering: .relaxed) {} }
    }
    let pool = ThreadPool(exactly: 2)
    let memory = OwnedCounters(count: 2)
    let steps = Atomic(0)
    let before = Self.threadTime
    for run in 1...2000 {
      pool.run(2, keepSpinning: run % 40 != 0) { slice in
        memory.counters[slice] += 1
        for _ in 0..<2000 { steps.add(1, ordering: .relaxed) }
      }
    }
    // The caller's own CPU time: at most 0.03 ms of spinning per run, and both slices.
    #expect(Self.threadTime - before < 2)
    isOver.store(true, ordering: .relaxed)
    for other in others { other.join() }
    #expect(memory.counters.allSatisfy { $0 == 2000 })
    #expect(steps.load(ordering: .relaxed) == 8_000_000)
  }

  /// CPU seconds of this thread.
  private static var threadTime: Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
  }

  /// A thread that runs a closure.
  private final class OwnThread {
    private var thread = pthread_t()

    init(_ body: @escaping @Sendable () -> Void) {
      let context = Unmanaged.passRetained(Body(run: body)).toOpaque()
      let status = pthread_create(
        &thread, nil,
        { context in
          Unmanaged<Body>.fromOpaque(context!).takeRetainedValue().run()
          return nil
        }, context)
      precondition(status == 0)
    }

    func join() { pthread_join(thread, nil) }

    private final class Body: Sendable {
      let run: @Sendable () -> Void
      init(run: @escaping @Sendable () -> Void) { self.run = run }
    }
  }

  /// Counters on the heap, because slices write them concurrently.
  final class OwnedCounters {
    let counters: UnsafeMutableBufferPointer<Int>
    init(count: Int) {
      counters = .allocate(capacity: count)
      counters.initialize(repeating: 0)
    }
    deinit { counters.deallocate() }
  }
}
