import Glibc
import Support
import Synchronization
import Testing

@testable import Threads

@Suite(.timeLimit(.minutes(10))) struct WorkerTests {
  private static func worker() -> Worker<Int> { Worker(unavailable: -1) }

  /// Never done by itself.
  private static let endless: @Sendable (WorkOrder) -> Int = { order in
    while !order.isCancelled { usleep(500) }
    return 0
  }

  /// Does not look at its order for so long.
  private static func deaf(_ milliseconds: UInt32) -> @Sendable (WorkOrder) -> Int {
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

  @Test func theNewestRequestCounts() {
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
    // What was not begun in time was dropped.
    #expect(begun.count == 2)
    #expect(worker.take() == nil)
  }

  @Test func whatIsBeingWorkedOnIsToldOfTheNextRequest() {
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

  @Test func nobodyWaitsWithoutARequest() {
    let worker = Self.worker()
    #expect(worker.wait() == nil)
    worker.request { _ in 3 }
    #expect(worker.wait() == 3)
    // Its value was taken: there is nothing left to wait for.
    #expect(worker.wait() == nil)
    worker.request(Self.endless)
    worker.stop()
    #expect(worker.wait() == nil && worker.take() == nil)
  }

  @Test func aWaitHasAnEnd() {
    let worker = Self.worker()
    worker.request(Self.endless)
    let time = Self.time { #expect(worker.wait(atMost: .milliseconds(30)) == nil) }
    #expect(time >= .milliseconds(30))
  }

  @Test func anInterruptionEndsTheWaitAndLetsTheWorkGoOn() {
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

  /// A worker that another one's work may hold: its own never would.
  private struct Interrupter: Sendable {
    let worker: Worker<Int>
    init(_ worker: Worker<Int>) { self.worker = worker }
    func interrupt() { worker.interrupt() }
  }

  // Those that count the process's threads run in one of their own.

  @Test func stopLeavesBehindWhatDoesNotLetGo() async {
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
        #expect(!hasEnded && Worker<Int>.leftBehind == round)
      }
      // The machine may be busy.
      #expect(times.sorted()[1] < .milliseconds(100), "\(times)")
      // The next one goes on with another thread.
      let worker = Self.worker()
      worker.request { _ in 4 }
      #expect(worker.wait() == 4)
      // A machine that has no time for the thread leaves it behind too, until it runs and ends.
      let end = Moment.now + .seconds(5)
      worker.stop()
      while Worker<Int>.leftBehind != 3, Moment.now < end { usleep(1000) }
      #expect(Worker<Int>.leftBehind == 3)
    }
  }

  @Test func noMoreThanAHandfulIsLeftBehindByRequests() async {
    await #expect(processExitsWith: .success) {
      let threads = Open.threads
      let workers = (0..<12).map { _ in Self.worker() }
      for worker in workers { worker.request(Self.deaf(700)) }
      usleep(20_000)
      for (number, worker) in workers.enumerated() { worker.request { _ in number } }
      for (number, worker) in workers.enumerated() {
        #expect(worker.wait() == number)
        #expect(Worker<Int>.leftBehind <= 4)
      }
      #expect(Open.threads <= threads + 16)
      for worker in workers { worker.stop() }
      while Worker<Int>.leftBehind > 0 { usleep(1000) }
      usleep(50_000)
      #expect(Open.threads == threads)
    }
  }

  @Test func valuesAndWorkAreFreed() {
    final class Counted: Sendable {
      static let alive = Atomic(0)
      init() { Self.alive.add(1, ordering: .relaxed) }
      deinit { Self.alive.subtract(1, ordering: .relaxed) }
    }
    do {
      let worker = Worker<Counted?>(unavailable: nil)
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

  @Test func tenThousandRoundsLeaveNothingBehind() async {
    await #expect(processExitsWith: .success) {
      let (threads, files) = (Open.threads, Open.files)
      for round in 0..<10_000 {
        let worker = Self.worker()
        if round % 5 == 0 { worker.request(Self.endless) }
        worker.request { _ in round }
        if round % 3 == 0 { #expect(worker.wait() == round) }
        if round % 2 == 0 { worker.stop() }
      }
      // On a busy machine some may have missed their time to end.
      while Worker<Int>.leftBehind > 0 { usleep(1000) }
      usleep(50_000)
      let after = (Open.threads, Open.files)
      // The test runner opens and closes some of its own meanwhile.
      #expect(after.0 <= threads && after.1 < files + 5, "\(after), before \((threads, files))")
    }
  }
}

@Suite(.timeLimit(.minutes(10))) struct SharedValuesTests {
  private final class Made: Sendable {
    let number: Int
    init(_ number: Int) { self.number = number }
  }

  @Test func oneMakesWhatManyWant() {
    let values = SharedValues<String, Made>()
    let count = Atomic(0)
    let workers = (0..<8).map { _ in Worker<Made?>(unavailable: nil) }
    for worker in workers {
      worker.request { order in
        values.value(for: "a", order) {
          usleep(20_000)
          return Made(count.add(1, ordering: .relaxed).newValue)
        }
      }
    }
    let made = workers.map { $0.wait() ?? nil }
    #expect(made.allSatisfy { $0?.number == 1 && $0 === made[0] })
    let order = WorkOrder()
    #expect(values.value(for: "b", order) { Made(2) }?.number == 2)
  }

  @Test func whoeverWaitsMayLeaveAndTheNextOneTakesOver() {
    let values = SharedValues<Int, Made>()
    let workers = (0..<3).map { _ in Worker<Made?>(unavailable: nil) }
    let isAllowed = Atomic(false)
    for (number, worker) in workers.enumerated() {
      worker.request { order in
        try? values.value(for: 0, order) { () throws(Left) in
          while !isAllowed.load(ordering: .relaxed) {
            if order.isCancelled { throw Left() }
            usleep(500)
          }
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

  @Test func whatNobodyHoldsIsMadeAnewAndAFailureIsNobodyElses() {
    let values = SharedValues<Int, Made>()
    let order = WorkOrder()
    #expect(values.value(for: 0, order) { Made(1) }?.number == 1)
    #expect(values.value(for: 0, order) { Made(2) }?.number == 2)
    #expect(throws: Left.self) {
      try values.value(for: 0, order) { () throws(Left) in throw Left() }
    }
    #expect(values.value(for: 0, order) { Made(3) }?.number == 3)
  }

  private struct Left: Error {}
}

/// What this process has open.
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
