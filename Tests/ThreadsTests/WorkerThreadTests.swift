import Support
import Testing

@testable import Threads

@Suite(.timeLimit(.minutes(20))) struct WorkerThreadTests {
  @Test func aRequestWithoutAThreadIsUnavailable() async {
    await #expect(processExitsWith: .success) {
      let worker = BackgroundWorker<Int>(unavailable: -1)
      var values: [Int?] = []
      values.reserveCapacity(3)
      MemoryLimit.withoutRoomForThreadStacks {
        for _ in 0..<3 {
          worker.request { _ in 7 }
          values.append(worker.wait())
        }
      }
      #expect(values == [-1, -1, -1])
      #expect(worker.stop() && BackgroundWorker<Int>.abandonedCount == 0)
    }
  }
}
