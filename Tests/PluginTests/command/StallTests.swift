import CGStreamer
import Support
import Testing

/// Stalled processes are aborted; slow ones are not.
@Suite(.timeLimit(.minutes(20))) struct StallTests {
  private let scratch = ScratchFolder()

  /// Decorates a film, with a fault injected into its video decoder.
  private func decorate(_ fault: String) throws -> (run: Command, seconds: Double) {
    try SmallFilm.plain[0].make(in: scratch.path)
    let started = g_get_monotonic_time()
    let run = try Command.mien(
      ["decorate", scratch.path + "/vp8.webm", scratch.path + "/out.webm"],
      [
        "LD_PRELOAD": Photograph.root + "/.build/debug/libfault-injection.so",
        "MIEN_FAULT": fault,
      ])
    return (run, Double(g_get_monotonic_time() - started) / 1e6)
  }

  @Test func aStalledPipelineIsAbortedWithAReason() throws {
    let (run, seconds) = try decorate("blocks")
    #expect(run.status == 3)
    #expect(run.errors.hasPrefix("mien: \(scratch.path)/vp8.webm: nothing has moved for 2 s: "))
    #expect(seconds < 30)
    #expect(try Command(["ls", "-A", scratch.path]).output == "vp8.webm\n")
  }

  @Test func aBlockedStateChangeEndsTheProcess() throws {
    let (run, seconds) = try decorate("hangs")
    #expect(run.status == 3)
    #expect(run.errors.contains(": nothing has moved for 2 s: "), "\(run.errors)")
    #expect(seconds < 30)
    #expect(try Command(["ls", "-A", scratch.path]).output == "vp8.webm\n")
  }

  @Test func slowOrSuspendedProcessesAreNotAborted() throws {
    let (run, seconds) = try decorate("is slow")
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.output == "wrote \(scratch.path)/out.webm\n")
    #expect(seconds > 5)
  }
}
