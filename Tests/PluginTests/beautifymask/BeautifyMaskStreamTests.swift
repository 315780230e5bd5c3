import CGStreamer
import Pixels
import Support
import Testing
import Threads

@Suite(.timeLimit(.minutes(20))) struct BeautifyMaskStreamTests {
  private static let face = AttachedFace(x: 0.3, y: 0.2, width: 0.4, height: 0.6)

  private static func noise(_ count: Int) -> String {
    Retouched.noise(.gray8, width: 160, height: 120, count: count)
  }

  @Test func aFaceThatLeavesFadesOutAndThenFramesPassWithTheirMemory() throws {
    let run = try Retouched(Self.noise(14), "skin-adapt=0") { buffer, index in
      AttachedFace.attach(index < 4 ? [Self.face] : [], to: buffer)
    }
    let changes = (0..<14).map(run.change)
    #expect(changes[0] * 10 > changes[3] * 9)
    for index in 4..<9 { #expect(changes[index] < changes[index - 1] && changes[index] > 0) }
    for index in 10..<14 {
      #expect(run.before[index].address == run.after[index].address && changes[index] == 0)
    }
  }

  @Test func aFaceThatComesFadesIn() throws {
    let run = try Retouched(Self.noise(14), "skin-adapt=0") { buffer, index in
      AttachedFace.attach(index < 4 ? [] : [Self.face], to: buffer)
    }
    let changes = (0..<14).map(run.change)
    #expect(changes[0..<4].allSatisfy { $0 == 0 })
    #expect(changes[4] > 0 && changes[4] * 3 < changes[12])
    for index in 5..<9 { #expect(changes[index] > changes[index - 1]) }
  }

  @Test func whereAFaceWasBeforeAPauseOfTheEffectNothingFadesOut() throws {
    #expect(Registered.now)
    let pipeline = try Pipeline(
      "\(Self.noise(12)) ! identity name=before ! beautifymask name=b ! fakesink name=sink")
    var before: [CapturedFrame] = []
    var after: [CapturedFrame] = []
    try pipeline.watch("before", pad: "src") { [unowned pipeline] buffer in
      let index = before.count
      AttachedFace.attach(index < 4 ? [Self.face] : [], to: buffer)
      let amount = index == 4 ? "0" : "0.6"
      pipeline.set("b", "intensity", amount)
      pipeline.set("b", "brightness", amount)
      before.append(CapturedFrame(buffer))
    }
    try pipeline.watch("sink") { after.append(CapturedFrame($0)) }
    try pipeline.run()
    #expect(before[3].bytes != after[3].bytes)
    for index in 4..<12 { #expect(before[index].bytes == after[index].bytes) }
  }

  @Test func silenceAboutFacesIsWarnedOfOnceByNamingFacedetect() throws {
    let run = try Retouched(Self.noise(230))
    #expect(run.warnings.count == 1)
    #expect(run.warnings.first?.contains("facedetect") == true)
    #expect(zip(run.before, run.after).allSatisfy { $0.address == $1.address })
    // A detector that finds nobody is not silent, and the whole frame needs none.
    let told = try Retouched(Self.noise(120)) { buffer, _ in AttachedFace.attach([], to: buffer) }
    #expect(told.warnings.isEmpty)
    #expect(try Retouched(Self.noise(120), "mask=full").warnings.isEmpty)
  }

  @Test func capsThatChangeInMidStreamAreFollowed() throws {
    let run = try Retouched(
      "concat name=c"
        + " \(Retouched.noise(.i420, width: 320, height: 240, count: 3)) ! c."
        + " \(Retouched.noise(.rgb, width: 64, height: 48, count: 3)) ! c."
        + " \(Retouched.noise(.gray8, width: 641, height: 3, count: 3)) ! c."
        + " \(Retouched.noise(.ayuv, width: 99, height: 201, count: 3)) ! c. c.",
      "intensity=1"
    ) { buffer, _ in AttachedFace.attach([Self.face], to: buffer) }
    #expect(run.after.count == 12)
    for index in [0, 2, 3, 5, 9, 11] { #expect(run.change(index) > 0) }
  }

  @Test func aSeekForgetsTheFacesOfBefore() throws {
    #expect(Registered.now)
    let pipeline = try Pipeline(
      Registered.photograph(.i420, width: 160, height: 160, count: 30)
        + " ! identity name=before ! beautifymask ! fakesink name=sink sync=true")
    var frames: [CapturedFrame] = []
    var attached = 0
    try pipeline.watch("before", pad: "src") { buffer in
      attached += 1
      // After the seek there is nobody: what is left of the face would fade out.
      AttachedFace.attach(frames.isEmpty ? [Self.face] : [], to: buffer)
    }
    try pipeline.watch("sink") { frames.append(CapturedFrame($0)) }
    pipeline.setState(GST_STATE_PAUSED)
    #expect(
      gst_element_get_state(pipeline.raw, nil, nil, 20_000_000_000) == GST_STATE_CHANGE_SUCCESS)
    #expect(frames.count == 1)
    let flags = GstSeekFlags(rawValue: GST_SEEK_FLAG_FLUSH.rawValue)
    #expect(gst_element_seek_simple(pipeline.raw, GST_FORMAT_TIME, flags, 0) != 0)
    #expect(
      gst_element_get_state(pipeline.raw, nil, nil, 20_000_000_000) == GST_STATE_CHANGE_SUCCESS)
    pipeline.setState(GST_STATE_NULL)
    #expect(frames.count >= 2)
    let plain = try Registered.frames(
      Registered.photograph(.i420, width: 160, height: 160) + " ! fakesink name=sink")
    #expect(frames[0].bytes != plain[0].bytes)
    #expect(frames.last?.bytes == plain[0].bytes)
  }

  @Test func propertiesMayChangeWhileFramesPass() throws {
    #expect(Registered.now)
    let pipeline = try Pipeline(
      "\(Retouched.noise(.nv12, width: 161, height: 121, count: 200)) ! identity name=before"
        + " ! beautifymask name=b n-threads=2 ! fakesink")
    try pipeline.watch("before", pad: "src") { buffer in
      AttachedFace.attach([Self.face], to: buffer)
    }
    var random = SplitMix(5)
    try pipeline.play(changing: "b", rounds: 600, &random) { round, random in
      func share() -> String { "\(random.uniform())" }
      return [
        ("intensity", share()), ("detail", share()), ("brightness", share()),
        ("even-skin", share()), ("skin-adapt", share()), ("feather", "0.0\(round % 10)"),
        ("radius", "\(round % 33)"), ("show-mask", "\(round % 5 == 0)"),
        ("mask", ["face", "ellipse", "rectangle", "full"][round % 4]),
      ]
    }
  }

  @Test func aHundredRoundsThroughTheStatesEndWhereTheyBegan() throws {
    #expect(Registered.now)
    let pipeline = try Pipeline(
      "videotestsrc ! video/x-raw,width=64,height=64 ! beautifymask mask=full n-threads=3"
        + " ! fakesink")
    #expect(pipeline.countFailedStateChanges(rounds: 25) == 0)
  }
}
