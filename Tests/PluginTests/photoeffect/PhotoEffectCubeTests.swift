import CGStreamer
import Pixels
import Support
import Testing

/// .cube files in streams.
@Suite(.timeLimit(.minutes(20))) struct PhotoEffectCubeTests {
  private static let entries = (0..<8).map { "\($0 & 1) \($0 >> 1 & 1) \($0 >> 2)" }
  /// Red and blue change places.
  private static let swapped = Array(
    ("LUT_3D_SIZE 2\n" + (0..<8).map { "\($0 >> 2) \($0 >> 1 & 1) \($0 & 1)\n" }.joined()).utf8)

  @Test func aCubeIsTheLookAndItsIntensityIsOfIt() throws {
    let scratch = ScratchFolder()
    let cube = scratch.write("swap.cube", Self.swapped)
    let run = try Retouched(
      Registered.photograph(.rgb, width: 64, height: 48), "cube=\(cube)", by: "photoeffect")
    let (before, after) = (run.before[0].bytes, run.after[0].bytes)
    for start in stride(from: 0, to: 64 * 48 * 3, by: 3) {
      #expect(after[start] == before[start + 2] && after[start + 2] == before[start])
    }
    let half = try Retouched(
      Registered.photograph(.rgb, width: 64, height: 48), "cube=\(cube) intensity=0.5",
      by: "photoeffect")
    for start in stride(from: 0, to: 64 * 48 * 3, by: 3) {
      let mean = (Int(before[start]) + Int(before[start + 2])) / 2
      #expect(abs(Int(half.after[0].bytes[start]) - mean) <= 1)
    }
  }

  struct Wrong: Sendable {
    let contents: String?
    let says: [String]
  }

  static let wrong = [
    Wrong(contents: nil, says: ["nothing.cube", "No such file"]),
    Wrong(
      contents: "# two nodes a side, of them the second is wrong\nLUT_3D_SIZE 2\n0 0 0\n1 x 1\n",
      says: ["line 4", "\"x\" is not a valid number"]),
    Wrong(contents: "LUT_3D_SIZE 300\n", says: ["line 1", "2 to 256"]),
  ]

  @Test(arguments: wrong)
  func aStreamDoesNotBeginWithAFileThatIsWrong(file: Wrong) throws {
    let scratch = ScratchFolder()
    #expect(Registered.now)
    let path =
      file.contents.map { scratch.write("bad.cube", Array($0.utf8)) }
      ?? scratch.path + "/nothing.cube"
    let failure = try #require(
      Pipeline.failure(
        of: "videotestsrc num-buffers=2 ! photoeffect cube=\(path) ! fakesink"))
    for text in file.says { #expect(failure.description.contains(text), "\(failure)") }
  }

  @Test func aFileThatIsWrongWhilePlayingIsWarnedOfAndTheLastLookStays() throws {
    let scratch = ScratchFolder()
    #expect(Registered.now)
    let good = scratch.write("swap.cube", Self.swapped)
    let bad = scratch.write("bad.cube", Array("LUT_3D_SIZE 2\n".utf8))
    let pipeline = try Pipeline(
      "videotestsrc num-buffers=120 is-live=true ! video/x-raw,format=RGB,width=64,height=48,"
        + "framerate=100/1 ! identity name=before ! photoeffect name=p cube=\(good)"
        + " ! fakesink name=sink")
    var (count, unlike) = (0, 0)
    var first: UInt8 = 0
    try pipeline.watch("before", pad: "src") { [unowned pipeline] buffer in
      count += 1
      if count == 10 { pipeline.set("p", "cube", bad) }
      first = CapturedFrame(buffer).bytes[64 * 3 * 10 + 45]
    }
    try pipeline.watch("sink") { buffer in
      if CapturedFrame(buffer).bytes[64 * 3 * 10 + 47] != first { unlike += 1 }
    }
    try pipeline.run()
    #expect(count == 120 && unlike == 0)
    #expect(pipeline.warnings.count == 1)
    #expect(pipeline.warnings.first?.contains("line 1") == true, "\(pipeline.warnings)")
  }
}
