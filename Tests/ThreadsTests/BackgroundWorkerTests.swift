import Glibc
import Support
import Synchronization
import Testing

@testable import Threads

@Suite(.timeLimit(.minutes(20))) struct BackgroundWorkerTests {
  private static func worker() -> BackgroundWorker<Int> { BackgroundWorker(unavailable: -1) }

  /// Runs until it is cancelled.
  private static let endless: @Sendable (CancellationToken) -> Int = { token in
    while !token.isCancelled { usleep(500) }
    return 0
  }

  /// Ignores its token for so long.
  private static func uninterruptible(_ milliseconds: UInt32)
    -> @Sendable (CancellationToken) -> Int
  {
    { _ in
      usleep(milliseconds * 1000)
      return 1
    }
  }

  private final class Counter: Sendable {
    private let number = Atomic(0)
    var count: Int { number.load(ordering: .relaxed) }
    func add() { number.add(1, ordering: .relaxed) }
  }

  private static func time(_ body: () -> Void) -> Duration {
    let start = Moment.now
    body()
    return Moment.now - start
  }

  @Test func onlyTheLatestRequestIsServed() {
    let worker = Self.worker()
    let (begun, isAllowed) = (Counter(), Counter())
    worker.request { _ in
      begun.add()
      while isAllowed.count == 0 { usleep(500) }
      return 0
    }
    while begun.count == 0 { usleep(500) }
    for number in 0..<200 {
      worker.request { _ in
        begun.add()
        return number
      }
    }
    isAllowed.add()
    #expect(worker.wait() == 199)
    // All pending requests but the last were dropped.
    #expect(begun.count == 2)
    #expect(worker.take() == nil)
  }

  @Test func aRunningTaskIsCancelledByTheNextRequest() {
    let worker = Self.worker()
    for _ in 0..<20 {
      worker.request(Self.endless)
      usleep(1000)
      worker.request { _ in 7 }
      #expect(worker.wait() == 7)
    }
    worker.request(Self.endless)
    worker.cancel()
    #expect(worker.wait() == nil)
    while worker.isBusy { usleep(100) }
  }

  @Test func waitingWithoutARequestReturnsAtOnce() {
    let worker = Self.worker()
    #expect(worker.wait() == nil)
    worker.request { _ in 3 }
    #expect(worker.wait() == 3)
    // The value was taken: there is nothing left to wait for.
    #expect(worker.wait() == nil)
    worker.request(Self.endless)
    worker.stop()
    #expect(worker.wait() == nil && worker.take() == nil)
  }

  @Test func aWaitEndsAtItsTimeLimit() {
    let worker = Self.worker()
    worker.request(Self.endless)
    let time = Self.time { #expect(worker.wait(atMost: .milliseconds(30)) == nil) }
    #expect(time >= .milliseconds(30))
  }

  @Test func anInterruptionEndsTheWaitButNotTheTask() {
    let worker = Self.worker()
    let isAllowed = Atomic(false)
    worker.request { _ in
      while !isAllowed.load(ordering: .relaxed) { usleep(500) }
      return 5
    }
    let other = Self.worker()
    other.request { [isWaiting = Interrupter(worker)] _ in
      usleep(20_000)
      isWaiting.interrupt()
      return 0
    }
    #expect(worker.wait() == nil)
    #expect(worker.wait() == nil)
    worker.resume()
    isAllowed.store(true, ordering: .relaxed)
    #expect(worker.wait() == 5)
  }

  /// A worker held by another worker's task; its own task never may.
  private struct Interrupter: Sendable {
    let worker: BackgroundWorker<Int>
    init(_ worker: BackgroundWorker<Int>) { self.worker = worker }
    func interrupt() { worker.interrupt() }
  }

  // Tests that count the process's threads run in a process of their own.

  @Test func stopAbandonsATaskThatIgnoresItsToken() async {
    await #expect(processExitsWith: .success) {
      var times: [Duration] = []
      for round in 1...3 {
        let worker = Self.worker()
        let hasBegun = Atomic(false)
        worker.request { _ in
          hasBegun.store(true, ordering: .relaxed)
          sleep(10)
          return 0
        }
        while !hasBegun.load(ordering: .relaxed) { usleep(500) }
        var hasEnded = true
        times.append(Self.time { hasEnded = worker.stop() })
        #expect(!hasEnded && BackgroundWorker<Int>.abandonedCount == round)
      }
      // The median, because the machine may be busy.
      #expect(times.sorted()[1] < .milliseconds(100), "\(times)")
      // The next worker gets another thread.
      let worker = Self.worker()
      worker.request { _ in 4 }
      #expect(worker.wait() == 4)
      // On a busy machine this thread may be abandoned too, until it runs and ends.
      let end = Moment.now + .seconds(5)
      worker.stop()
      while BackgroundWorker<Int>.abandonedCount != 3, Moment.now < end { usleep(1000) }
      #expect(BackgroundWorker<Int>.abandonedCount == 3)
    }
  }

  @Test func requestsAbandonAtMostFourThreads() async {
    await #expect(processExitsWith: .success) {
      let threads = Open.threads
      let workers = (0..<12).map { _ in Self.worker() }
      for worker in workers { worker.request(Self.uninterruptible(700)) }
      usleep(20_000)
      for (number, worker) in workers.enumerated() { worker.request { _ in number } }
      for (number, worker) in workers.enumerated() {
        #expect(worker.wait() == number)
        #expect(BackgroundWorker<Int>.abandonedCount <= 4)
      }
      #expect(Open.threads <= threads + 16)
      for worker in workers { worker.stop() }
      while BackgroundWorker<Int>.abandonedCount > 0 { usleep(1000) }
      usleep(50_000)
      #expect(Open.threads == threads)
    }
  }

  @Test func valuesAndTasksAreFreed() {
    final class Counted: Sendable {
      static let alive = Atomic(0)
      init() { Self.alive.add(1, ordering: .relaxed) }
      deinit { Self.alive.subtract(1, ordering: .relaxed) }
    }
    do {
      let worker = BackgroundWorker<Counted?>(unavailable: nil)
      for round in 0..<300 {
        let held = Counted()
        worker.request { _ in
          extendLifetime(held)
          return Counted()
        }
        if round % 3 == 0 { #expect(worker.wait() != nil) }
        if round % 7 == 0 { worker.cancel() }
        if round % 50 == 0 { worker.stop() }
      }
    }
    #expect(Counted.alive.load(ordering: .relaxed) == 0)
  }

  @Test func tenThousandRoundsLeakNeitherThreadsNorFiles() async {
    await #expect(processExitsWith: .success) {
      let (threads, files) = (Open.threads, Open.files)
      for round in 0..<10_000 {
        let worker = Self.worker()
        if round % 5 == 0 { worker.request(Self.endless) }
        worker.request { _ in round }
        if round % 3 == 0 { #expect(worker.wait() == round) }
        if round % 2 == 0 { worker.stop() }
      }
      // On a busy machine some may have exceeded the grace period.
      while BackgroundWorker<Int>.abandonedCount > 0 { usleep(1000) }
      usleep(50_000)
      let after = (Open.threads, Open.files)
      // The test runner opens and closes some of its own meanwhile.
      #expect(after.0 <= threads && after.1 < files + 5, "\(after), before \((threads, files))")
    }
  }
}

@Suite(.timeLimit(.minutes(20))) struct SingleFlightCacheTests {
  private final class Made: Sendable {
    let number: Int
    init(_ number: Int) { self.number = number }
  }

  @Test func concurrentRequestsShareOneValue() {
    let values = SingleFlightCache<String, Made>()
    let count = Atomic(0)
    let workers = (0..<8).map { _ in BackgroundWorker<Made?>(unavailable: nil) }
    for worker in workers {
      worker.request { token in
        values.value(for: "a", token) {
          usleep(20_000)
          return Made(count.add(1, ordering: .relaxed).newValue)
        }
      }
    }
    let made = workers.map { $0.wait() ?? nil }
    #expect(made.allSatisfy { $0?.number == 1 && $0 === made[0] })
    let token = CancellationToken()
    #expect(values.value(for: "b", token) { Made(2) }?.number == 2)
  }

  @Test func aCancelledMakerIsReplacedByTheNextRequest() {
    let values = SingleFlightCache<Int, Made>()
    let workers = (0..<3).map { _ in BackgroundWorker<Made?>(unavailable: nil) }
    let isAllowed = Atomic(false)
    @Sendable func wait(_ token: CancellationToken) throws(Left) {
      while !isAllowed.load(ordering: .relaxed) {
        if token.isCancelled { throw Left() }
        usleep(500)
      }
    }
    for (number, worker) in workers.enumerated() {
      worker.request { token in
        try? values.value(for: 0, token) { () throws(Left) in
          try wait(token)
          return Made(number)
        }
      }
      usleep(20_000)
    }
    // The second waits for the first, and then the first leaves the work to the third.
    for worker in workers.prefix(2).reversed() {
      let start = Moment.now
      #expect(worker.stop())
      #expect(Moment.now - start < .seconds(1))
    }
    isAllowed.store(true, ordering: .relaxed)
    #expect((workers[2].wait() ?? nil)?.number == 2)
  }

  @Test func freedValuesAreMadeAgainAndErrorsAreNotShared() {
    let values = SingleFlightCache<Int, Made>()
    let token = CancellationToken()
    #expect(values.value(for: 0, token) { Made(1) }?.number == 1)
    #expect(values.value(for: 0, token) { Made(2) }?.number == 2)
    #expect(throws: Left.self) {
      try values.value(for: 0, token) { () throws(Left) in throw Left() }
    }
    #expect(values.value(for: 0, token) { Made(3) }?.number == 3)
  }

  private struct Left: Error {}
}

/// Open threads and files of this process.
private enum Open {
  static var threads: Int { count("/proc/self/task") }
  static var files: Int { count("/proc/self/fd") }

  private static func count(_ folder: String) -> Int {
    guard let directory = opendir(folder) else { return 0 }
    defer { closedir(directory) }
    var count = 0
    while readdir(directory) != nil { count += 1 }
    return count
  }
}
