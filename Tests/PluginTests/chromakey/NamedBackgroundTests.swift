import Glibc
import Support
import Testing

/// The backgrounds that come with the plugin, by their names.
@Suite(.timeLimit(.minutes(20))) struct NamedBackgroundTests {
  private static let names = ["beach", "library", "mountains", "office", "room", "studio"]

  private func frames(_ background: String) throws -> [[UInt8]] {
    try Registered.frames(
      "videotestsrc pattern=green num-buffers=1 ! video/x-raw,format=I420,width=160,height=90"
        + " ! chromakey background=\(background) ! fakesink name=sink"
    ).map(\.bytes)
  }

  @Test func eachIsFoundByItsName() throws {
    let files = try Command.shell("cd \"$1\" && ls *.jpg", [Photograph.root + "/backgrounds"])
      .output
    #expect(files == Self.names.map { $0 + ".jpg\n" }.joined())
    var seen: Set<[UInt8]> = []
    for name in Self.names {
      let named = try frames(name)
      #expect(try named == frames("\(Photograph.root)/backgrounds/\(name).jpg"), "\(name)")
      seen.insert(named[0])
    }
    #expect(seen.count == Self.names.count)
  }

  @Test func ofAnUnknownNameTheErrorListsThem() throws {
    #expect(Registered.now)
    let failure = Pipeline.failure(
      of: "videotestsrc num-buffers=1 ! chromakey background=kitchen ! fakesink")
    let text = try #require(failure).description
    #expect(text.hasPrefix("kitchen.jpg was not found. "))
    #expect(Self.names.allSatisfy { text.contains($0) }, "\(text)")
  }

  @Test func anUnknownNameWhilePlayingIsAWarning() throws {
    #expect(Registered.now)
    let pipeline = try Pipeline(
      "videotestsrc pattern=green num-buffers=30 ! video/x-raw,width=64,height=48"
        + " ! chromakey name=k background=office ! fakesink name=sink")
    var count = 0
    try pipeline.watch("sink") { [unowned pipeline] _ in
      count += 1
      if count == 5 { pipeline.set("k", "background", "kitchen") }
      if count > 5 { usleep(10_000) }
    }
    try pipeline.run()
    #expect(count == 30)
    #expect(pipeline.warnings.contains { $0.contains("kitchen") }, "\(pipeline.warnings)")
  }

  @Test func theCommandTakesThem() throws {
    let scratch = ScratchFolder()
    for (option, file) in [("--background", "a.png"), ("--person", "b.png")] {
      let run = try Command.mien([
        "decorate", Photograph.path, "\(scratch.path)/\(file)", option, "office",
      ])
      #expect(run.status == 0, "\(run.errors)")
    }
    #expect(
      ScratchFolder.bytes(scratch.path + "/a.png") == ScratchFolder.bytes(scratch.path + "/b.png"))
    let wrong = try Command.mien([
      "decorate", Photograph.path, "\(scratch.path)/c.png", "--background", "kitchen",
    ])
    #expect(
      wrong.status != 0 && wrong.errors.contains("kitchen.jpg was not found"), "\(wrong.errors)")
  }
}
