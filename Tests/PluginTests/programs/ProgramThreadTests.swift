import Glibc
import Programs
import Support
import Testing

/// The threads of `mien` and the window, and what waits for them.
@Suite(.timeLimit(.minutes(10))) struct ProgramThreadTests {
  @Test func workIsDoneWhereTheSystemHasNoThreadLeft() async {
    await #expect(processExitsWith: .success) {
      let done = Lock.Flag()
      MemoryLimit.withoutStacks { Worker.run { done.raise() } }
      #expect(done.wait(milliseconds: 0))
    }
  }

  /// Signals interrupt calls that wait, as those do of which the command takes note.
  @Test func aWaitIsCutShortByNoSignal() async {
    await #expect(processExitsWith: .success) {
      var action = sigaction()
      action.__sigaction_handler.sa_handler = { _ in }
      sigaction(SIGUSR1, &action, nil)
      let waiting = pthread_self()
      Worker.run {
        for _ in 0..<10 {
          usleep(10_000)
          pthread_kill(waiting, SIGUSR1)
        }
      }
      let never = Lock.Flag()
      let start = ContinuousClock.now
      #expect(!never.wait(milliseconds: 300))
      #expect(ContinuousClock.now - start >= .milliseconds(300))
      never.raise()
      #expect(never.wait(milliseconds: 0))
    }
  }
}
