import Support
import Testing

/// Properties that a controller sets follow the time of the frame that leaves.
@Suite(.timeLimit(.minutes(20))) struct FaceHideControlTests {
  /// Frame k is hidden in a grey of 20 k, whatever comes after it before it leaves.
  @Test(arguments: [0, 1, 4])
  func aControlledPropertyFollowsTheFrameThatLeaves(lookahead: Int) throws {
    let program = """
      import gi
      gi.require_version("Gst", "1.0")
      gi.require_version("GstController", "1.0")
      from gi.repository import Gst, GstController
      Gst.init(None)
      pipeline = Gst.parse_launch(
          "videotestsrc num-buffers=10 ! video/x-raw,format=GRAY8,width=16,height=16,framerate=10/1"
          " ! facehide name=h mode=color lookahead=\(lookahead) ! appsink name=sink sync=false")
      source = GstController.InterpolationControlSource()
      source.set_property("mode", GstController.InterpolationMode.NONE)
      hide = pipeline.get_by_name("h")
      hide.add_control_binding(
          GstController.DirectControlBinding.new_absolute(hide, "color", source))
      for k in range(10):
          source.set(k * Gst.SECOND // 10, 0xff000000 + 20 * k * 0x010101)
      pipeline.set_state(Gst.State.PLAYING)
      while sample := pipeline.get_by_name("sink").emit("pull-sample"):
          print(sample.get_buffer().extract_dup(0, 1)[0])
      pipeline.set_state(Gst.State.NULL)
      """
    let run = try Command(
      ["/usr/bin/python3", "-c", program], environment: Command.pluginEnvironment())
    #expect(run.status == 0, "\(run.errors)")
    let grays = run.output.split(separator: "\n").compactMap { Int($0) }
    #expect(grays == (0..<10).map { 20 * $0 })
  }
}
