import CGStreamer
import Support
import Testing

/// The plugin in other people's programs, as docs/clients.md has them.
@Suite(.timeLimit(.minutes(20))) struct ClientTests {
  private let scratch = ScratchFolder()

  private func clip() throws -> String {
    let made = try Command(["pipelines/clips.sh", scratch.path, "1", "12"])
    try #require(made.status == 0, "\(made.errors)")
    return scratch.path + "/clip-1.webm"
  }

  /// A film's eighth frame, small and in RGB.
  private func frame(_ film: String) throws -> [UInt8] {
    let pipeline = try Pipeline(
      "filesrc location=\(film) ! decodebin ! videoconvert ! videoscale ! videoconvert"
        + " ! video/x-raw,format=RGBx,width=160,height=90 ! fakesink name=sink")
    let frames = try pipeline.collect { CapturedFrame($0).bytes }
    return try #require(frames.dropFirst(7).first)
  }

  @Test func playbinAcceptsTheElementsAsVideoFilter() throws {
    let clip = try clip()
    let run = try Command(
      [
        "gst-launch-1.0", "-m", "playbin", "uri=file://" + clip,
        "video-filter=mienfacedetect ! sticker location=halo", "video-sink=fakesink",
        "audio-sink=fakesink",
      ], environment: Command.pluginEnvironment())
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.output.split(separator: "\n").count { $0.contains("facedetect, timestamp") } == 12)
    #expect(run.output.contains("name=(string)Halo"))
  }

  @Test func anEditorRendersTheElementsAsAnEffect() throws {
    let clip = try clip()
    func render(_ effect: [String], _ name: String) throws -> String {
      let output = scratch.path + "/" + name
      let run = try Command(
        ["ges-launch-1.0", "+clip", clip] + effect + [
          "-o", output, "--format=video/webm:video/x-vp8:audio/x-vorbis",
        ], environment: Command.pluginEnvironment())
      #expect(run.status == 0, "\(run.errors)")
      return output
    }
    let plain = try render([], "plain.webm")
    let edited = try render(
      ["+effect", "mienfacedetect ! sticker location=glasses"], "edited.webm")
    let differences = zip(try frame(plain), try frame(edited)).map { abs(Int($0) - Int($1)) }
    // Dark glasses over a face.
    #expect(differences.count { $0 > 50 } > 20)
  }

  @Test func facesAreDetectedAgainBehindRTP() throws {
    let clip = try clip()
    let port = 20000 + Int(g_random_int_range(0, 10000))
    let run = try Command(
      ["pipelines/rtp.sh", clip, "\(port)"], environment: Command.pluginEnvironment())
    #expect(run.status == 0, "\(run.errors)")
    let lines = run.output.split(separator: "\n")
    #expect(lines.count == 3)
    #expect(lines.first == "sent: 12 frames, 12 with MienFaces")
    // A packet may be lost even here.
    #expect(lines.dropFirst().first?.hasSuffix(" frames, 0 with MienFaces") == true)
    #expect(!run.output.contains("received: 0 frames"))
    let counts = lines.last?.split(separator: " ").compactMap { Int($0) } ?? []
    #expect(counts.count == 2 && counts[0] > 0 && counts[0] == counts[1], "\(run.output)")
  }

  @Test func decoratedFilmsArriveOverRTSPAndWebRTC() throws {
    let clip = try clip()
    let port = 20000 + Int(g_random_int_range(0, 10000))
    let served = try Command(
      ["pipelines/rtsp.py", clip, "--count", "--port", "\(port)"],
      environment: Command.pluginEnvironment())
    #expect(
      served.output == "rtsp://127.0.0.1:\(port)/mien\nreceived: 12 frames\n", "\(served.errors)")
    let sent = try Command(
      ["pipelines/webrtc.py", clip], environment: Command.pluginEnvironment())
    #expect(sent.status == 0, "\(sent.errors)")
    // A packet may be lost even here.
    let count = sent.output.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
    #expect((6...12).contains(count), "\(sent.output)")
  }

  @Test func filmsThatCannotBeSentAreErrors() throws {
    try #require(Registered.now)
    for script in ["rtsp.py", "webrtc.py"] {
      let run = try Command(
        ["pipelines/\(script)", "Package.swift"] + (script == "rtsp.py" ? ["--count"] : []),
        environment: Command.pluginEnvironment())
      #expect(run.status == 1)
      #expect(run.errors.hasPrefix(script.dropLast(3) + ": "), "\(run.errors)")
    }
  }
}
