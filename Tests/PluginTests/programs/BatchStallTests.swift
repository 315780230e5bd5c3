import CGStreamer
import Support
import Testing

/// pipelines/stall.py: what has stopped for good is given up, what is slow is not.
@Suite struct BatchStallTests {
  private let scratch = ScratchFolder()
  private var film: String { scratch.path + "/film.webm" }

  /// Decorates a film in Python, after `trouble` has been done to `made`, the
  /// decoration, and prints the failure or "whole".
  private func decorate(_ trouble: String) throws -> (said: String, seconds: Double) {
    let plain = SmallFilm.plain[0]
    try plain.make(in: scratch.path)
    try #require(try Command(["mv", scratch.path + "/" + plain.name, film]).status == 0)
    let program = """
      import os, sys, threading, time
      import gi
      gi.require_version("Gst", "1.0")
      from gi.repository import Gst
      Gst.init(None)
      from decoration import Decoration, Failure

      def on_every_picture(act):
          def added(_decoder, pad):
              if pad.get_current_caps().get_structure(0).get_name() == "video/x-raw":
                  pad.add_probe(*act)
          made.decoder.connect("pad-added", added)

      made = Decoration(sys.argv[1], sys.argv[1], "halo",
                        last_words=lambda reason: print("abandoned:", reason, flush=True))
      \(trouble)
      try:
          made.run()
          print("whole")
      except Failure as failure:
          print(failure)
      """
    let started = g_get_monotonic_time()
    let run = try Command(
      ["pipelines/env.sh", "/usr/bin/python3", "-c", program, film],
      environment: ["PYTHONPATH": "pipelines"])
    let seconds = Double(g_get_monotonic_time() - started) / 1e6
    return (run.output + run.errors, seconds)
  }

  @Test func aPipelineThatStandsIsGivenUpWithAReasonAndLeavesNothing() throws {
    let run = try decorate(
      """
      on_every_picture((Gst.PadProbeType.BLOCK_DOWNSTREAM, lambda *_: Gst.PadProbeReturn.OK))
      """)
    #expect(run.said.hasPrefix("nothing has moved for 2 s: "), "\(run.said)")
    #expect(run.seconds < 30)
    #expect(try Command(["ls", "-A", scratch.path]).output == "film.webm\n")
  }

  @Test func aChangeOfStateThatDoesNotReturnEndsTheProcess() throws {
    let run = try decorate(
      """
      on_every_picture((Gst.PadProbeType.BUFFER, lambda *_: threading.Event().wait()))
      """)
    #expect(run.said.hasPrefix("abandoned: nothing has moved for 2 s: "), "\(run.said)")
    #expect(run.seconds < 30)
    #expect(try Command(["ls", "-A", scratch.path]).output == "film.webm\n")
  }

  @Test func whatIsSlowOrHeldUpFromOutsideIsNot() throws {
    let run = try decorate(
      """
      held = []
      def burn(*_):
          if not held:
              held.append(True)
              threading.Thread(target=os.system, args=(
                  f"kill -STOP {os.getpid()}; sleep 3; kill -CONT {os.getpid()}",)).start()
              end = time.thread_time() + 2.5
              while time.thread_time() < end:
                  pass
          return Gst.PadProbeReturn.OK
      on_every_picture((Gst.PadProbeType.BUFFER, burn))
      """)
    #expect(run.said == "whole\n", "\(run.said)")
    #expect(run.seconds > 5)
  }
}
