import Glibc
import Programs
import Support
import Testing

/// Threads and waiting in `mien` and the window.
@Suite(.timeLimit(.minutes(20))) struct ProgramThreadTests {
  @Test func workRunsOnTheCallerWhereTheSystemHasNoThreadLeft() async {
    await #expect(processExitsWith: .success) {
      let done = Latch()
      MemoryLimit.withoutRoomForThreadStacks { DetachedThread.run { done.open() } }
      #expect(done.wait(milliseconds: 0))
    }
  }

  /// Signal handlers interrupt calls that wait.
  @Test func signalsDoNotShortenAWait() async {
    await #expect(processExitsWith: .success) {
      var action = sigaction()
      action.__sigaction_handler.sa_handler = { _ in }
      sigaction(SIGUSR1, &action, nil)
      let waiting = pthread_self()
      DetachedThread.run {
        for _ in 0..<10 {
          usleep(10_000)
          pthread_kill(waiting, SIGUSR1)
        }
      }
      let never = Latch()
      let start = ContinuousClock.now
      #expect(!never.wait(milliseconds: 300))
      #expect(ContinuousClock.now - start >= .milliseconds(300))
      never.open()
      #expect(never.wait(milliseconds: 0))
    }
  }
}
