import CGStreamer
import Client
import Pixels
import Support
import Testing

/// Changes of `mienlook` while its pipeline plays, is paused, seeks, or is stopped and started.
@Suite(.timeLimit(.minutes(20))) struct MienLookLiveTests {
  private static func photograph(count: Int) -> String {
    Registered.photograph(.i420, width: 320, height: 240, count: count)
  }

  /// Properties and their values, also ones that cannot be used.
  private static let changes: [(property: String, values: [String])] = [
    ("sticker", ["", "halo", "hat", "/nonexistent/pack"]), ("retouch", ["0", "0.5", "1"]),
    ("reshape", ["none", "doll", "twirl"]), ("look", ["none", "noir", "sepia", "cartoon"]),
    ("cube", ["", Photograph.root + "/Tests/Fuzz/corpus/cubes/warm.cube", "/nonexistent.cube"]),
    ("key", ["", "#00ff00", "alpha", Photograph.path, "#zz"]),
    ("person", ["", "blur", "blur=99", "alpha", Photograph.path, "/nonexistent.png"]),
    ("hide", ["none", "mosaic", "blur"]), ("n-threads", ["1", "2"]),
  ]

  private static func randomChange(_ random: inout SplitMix) -> (property: String, value: String) {
    let change = changes[random.below(changes.count)]
    return (change.property, change.values[random.below(change.values.count)])
  }

  @Test func effectsChangeWhilePlayingAndNoFrameIsLost() throws {
    #expect(Registered.now)
    let pipeline = try Pipeline(
      "\(Self.photograph(count: 80)) ! mienlook name=l ! fakesink name=sink")
    let steps: [(property: String, value: String, chain: String)] = [
      ("look", "noir", "photoeffect look=noir"),
      ("sticker", "hat", "facedetect ! photoeffect look=noir ! sticker location=hat"),
      ("look", "none", "facedetect ! sticker location=hat"),
      ("person", "blur", "facedetect ! personkey blur=4 ! sticker location=hat"),
      ("sticker", "", "facedetect ! personkey blur=4"),
      ("person", "", "identity"),
    ]
    var frames: [[UInt8]] = []
    try pipeline.watch("sink") { [unowned pipeline] buffer in
      frames.append(CapturedFrame(buffer).bytes)
      if frames.count % 10 == 0, frames.count / 10 <= steps.count {
        let step = steps[frames.count / 10 - 1]
        pipeline.set("l", step.property, step.value)
      }
    }
    try pipeline.run()
    #expect(frames.count == 80 && pipeline.warnings.isEmpty, "\(pipeline.warnings)")
    for (index, step) in steps.enumerated() {
      let number = 10 * (index + 1)
      #expect(frames[number] != frames[number - 1], "\(step.chain): the frame after the change")
      // Faces and masks of a still picture are refined over some frames.
      let plain = try Registered.frames(
        "\(Self.photograph(count: 10)) ! \(step.chain) ! fakesink name=sink")
      let bytes = zip(frames[number + 9], plain[9].bytes)
      let different = bytes.count { abs(Int($0) - Int($1)) > 16 }
      #expect(different < frames[number].count / 100, "\(step.chain): \(different) samples")
    }
  }

  @Test func whatCannotBeUsedIsAWarningWhilePlaying() throws {
    #expect(Registered.now)
    for (property, value, words) in [
      ("sticker", "/nonexistent/pack", "/nonexistent/pack"),
      ("cube", "/nonexistent.cube", "/nonexistent.cube"),
      ("person", "/nonexistent.png", "/nonexistent.png"), ("key", "#zz", "#zz"),
      ("person", "blur=99", "blur=99"),
    ] {
      let pipeline = try Pipeline(
        "\(Self.photograph(count: 20)) ! mienlook name=l look=noir ! fakesink name=sink")
      var count = 0
      try pipeline.watch("sink") { [unowned pipeline] _ in
        count += 1
        if count == 5 { pipeline.set("l", property, value) }
      }
      try pipeline.run()
      #expect(count == 20)
      #expect(
        pipeline.warnings.contains { $0.contains(words) }, "\(property): \(pipeline.warnings)")
    }
  }

  @Test func whatCannotBeUsedIsAnErrorAtTheStart() throws {
    #expect(Registered.now)
    for (properties, words) in [
      ("sticker=/nonexistent/pack", "/nonexistent/pack"),
      ("cube=/nonexistent.cube", "/nonexistent.cube"),
      ("person=/nonexistent.png", "/nonexistent.png"), ("key=#zz", "#zz"),
      ("person=blur=99", "blur=99"),
    ] {
      let failure = Pipeline.failure(
        of: "\(Self.photograph(count: 2)) ! mienlook \(properties) ! fakesink")
      #expect(failure?.description.contains(words) == true, "\(properties): \(failure as Any)")
    }
  }

  @Test func aMistakeIsMendedWithoutANewPipeline() throws {
    #expect(Registered.now)
    let pipeline = try Pipeline(
      "\(Self.photograph(count: 3)) ! mienlook name=l sticker=/nonexistent ! fakesink name=sink")
    #expect(throws: Pipeline.Failure.self) { try pipeline.run() }
    pipeline.set("l", "sticker", "halo")
    let plain = try Registered.frames(
      "\(Self.photograph(count: 3)) ! facedetect ! sticker location=halo ! fakesink name=sink")
    #expect(try pipeline.frames().map(\.bytes) == plain.map(\.bytes))
  }

  @Test func randomChangesFromAnotherThreadLoseNoFrame() throws {
    #expect(Registered.now)
    var random = SplitMix(11)
    let pipeline = try Pipeline(
      "\(Self.photograph(count: 300)),framerate=60/1 ! mienlook name=l ! fakesink name=sink sync=true"
    )
    var count = 0
    try pipeline.watch("sink") { _ in count += 1 }
    try pipeline.play(changing: "l", rounds: 120, pause: 20_000, &random) { _, random in
      [Self.randomChange(&random)]
    }
    #expect(count == 300)
  }

  @Test func seeksAndChangesAtOnceDoNotStopTheStream() throws {
    #expect(Registered.now)
    var random = SplitMix(12)
    let pipeline = try Pipeline(
      "videotestsrc pattern=ball ! video/x-raw,format=I420,width=160,height=120,framerate=30/1"
        + " ! mienlook name=l ! fakesink name=sink sync=true")
    pipeline.setState(GST_STATE_PLAYING)
    defer { pipeline.setState(GST_STATE_NULL) }
    for round in 0..<150 {
      let change = Self.randomChange(&random)
      pipeline.set("l", change.property, change.value)
      if round % 3 == 0 {
        let isFlushing = random.below(3) > 0
        // GStreamer's own pipelines stop for ever where a seek without a flush meets a change of state.
        if !isFlushing { gst_element_get_state(pipeline.raw, nil, nil, 20_000_000_000) }
        gst_element_seek(
          pipeline.raw, 1, GST_FORMAT_TIME, isFlushing ? GST_SEEK_FLAG_FLUSH : GST_SEEK_FLAG_NONE,
          GST_SEEK_TYPE_SET, gint64(random.below(18)) * 1_000_000_000, GST_SEEK_TYPE_SET,
          20_000_000_000)
      }
      g_usleep(5_000)
    }
    gst_element_seek(
      pipeline.raw, 1, GST_FORMAT_TIME, GST_SEEK_FLAG_FLUSH, GST_SEEK_TYPE_SET, 19_000_000_000,
      GST_SEEK_TYPE_SET, 20_000_000_000)
    try pipeline.wait()
  }

  @Test func changesWhilePausedShowInThePreroll() throws {
    #expect(Registered.now)
    let pipeline = try Pipeline(
      "\(Self.photograph(count: 9)) ! mienlook name=l ! fakesink name=sink")
    var frames: [[UInt8]] = []
    try pipeline.watch("sink") { frames.append(CapturedFrame($0).bytes) }
    pipeline.setState(GST_STATE_PAUSED)
    #expect(
      gst_element_get_state(pipeline.raw, nil, nil, 20_000_000_000) == GST_STATE_CHANGE_SUCCESS)
    pipeline.set("l", "look", "noir")
    gst_element_seek_simple(pipeline.raw, GST_FORMAT_TIME, GST_SEEK_FLAG_FLUSH, 0)
    #expect(
      gst_element_get_state(pipeline.raw, nil, nil, 20_000_000_000) == GST_STATE_CHANGE_SUCCESS)
    pipeline.setState(GST_STATE_PLAYING)
    defer { pipeline.setState(GST_STATE_NULL) }
    try pipeline.wait()
    let plain = try Registered.frames(
      "\(Self.photograph(count: 1)) ! photoeffect look=noir ! fakesink name=sink")
    let isLook = frames.map { $0 == plain[0].bytes }
    #expect(isLook == [false] + Array(repeating: true, count: 8), "\(isLook)")
  }

  @Test func statesChangeAgainAndAgain() throws {
    #expect(Registered.now)
    var random = SplitMix(13)
    let pipeline = try Pipeline(
      "\(Self.photograph(count: 100)) ! mienlook name=l look=noir sticker=halo ! fakesink sync=false"
    )
    let failures = pipeline.countFailedStateChanges(rounds: 12) { _ in
      let looks = ["none", "noir", "sepia"], stickers = ["", "halo", "hat"]
      pipeline.set("l", "look", looks[random.below(3)])
      pipeline.set("l", "sticker", stickers[random.below(3)])
    }
    #expect(failures == 0)
  }
}
