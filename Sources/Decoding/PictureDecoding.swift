import CGStreamer
import Client
import Files
import Frames
import Threads

/// Decodes one file by one or more pipelines in turn, on the thread that calls `decodeFrames`.
struct PictureDecoding {
  private let file: UntrustedFile
  /// The modified SVG text to decode instead of the file.
  private let text: [UInt8]?
  private let limits: PictureFile.Limits
  private let order: CancellationToken
  private let receiver: FrameCollector.Receiver?
  private let collector: FrameCollector

  init(
    _ file: UntrustedFile, text: [UInt8]? = nil, _ limits: PictureFile.Limits,
    _ order: CancellationToken,
    isCounted: Bool = false, receiver: FrameCollector.Receiver? = nil
  ) {
    self.file = file
    self.text = text
    self.limits = limits
    self.order = order
    self.receiver = receiver
    collector = FrameCollector(
      limits, size: text?.count ?? file.size, isCounted: isCounted, receiver: receiver,
      drawingProblem: { Self.problem(ofEmbeddedPicturesIn: file, limits) })
  }

  /// Decodes until the end or until enough frames are collected.
  ///
  /// A decoder that cannot be interrupted blocks only the calling thread.
  func decodeFrames() throws(ElementError) -> [PictureFile.DecodedFrame] {
    if let size = try oversizedDrawing() { return try scaledDrawing(size).decodeFrames() }
    let problem = try runPipeline()
    if let size = collector.pendingDrawingSize { return try scaledDrawing(size).decodeFrames() }
    if collector.needsSecondRun(problem) {
      return try PictureDecoding(file, text: text, limits, order, isCounted: true).decodeFrames()
    }
    return try collector.takeFrames(file.path, problem: problem)
  }

  /// Decodes to the end and passes frames to the receiver; returns the number of frames.
  func decodeToReceiver() throws(ElementError) -> Int {
    if let size = try oversizedDrawing() { return try scaledDrawing(size).decodeToReceiver() }
    let problem = try runPipeline()
    if let size = collector.pendingDrawingSize { return try scaledDrawing(size).decodeToReceiver() }
    return try collector.checkedFrameCount(file.path, problem: problem)
  }

  /// The size of an SVG document that is too large for the caps of GStreamer's decoder.
  ///
  /// Throws for one without an area: the decoder would log a warning, which is fatal with
  /// G_DEBUG=fatal-warnings.
  private func oversizedDrawing() throws(ElementError) -> (width: Int, height: Int)? {
    guard text == nil, limits.vectorSide != nil, let start = try? file.prefix(1 << 16),
      let size = SVGRoot(start)?.drawingSize
    else { return nil }
    guard size.width > 0, size.height > 0 else {
      throw ElementError(
        .wrongContent, "\(file.path) cannot be decoded: its width or height is 0.")
    }
    return max(size.width, size.height) > FrameCollector.longestSide / 2 ? size : nil
  }

  /// A decoding that renders an SVG document of the given size at `limits.vectorSide`.
  private func scaledDrawing(_ size: (width: Int, height: Int)) -> PictureDecoding {
    let scale = Double(limits.vectorSide ?? 1) / Double(max(size.width, size.height))
    func scaled(_ side: Int) -> Int { max(Int((Double(side) * scale).rounded()), 1) }
    var limits = limits
    limits.vectorSide = nil
    // A document that cannot be resized is rendered at its own size, within the limits.
    let text = (try? file.bytes()).flatMap { SVGRoot($0) }?
      .resized(from: size, to: (scaled(size.width), scaled(size.height)))
    return PictureDecoding(file, text: text, limits, order, receiver: receiver)
  }

  /// Why an SVG document must not be rendered: the renderer decodes embedded pictures in full size.
  private static func problem(
    ofEmbeddedPicturesIn file: UntrustedFile, _ limits: PictureFile.Limits
  ) -> String? {
    guard let bytes = try? file.bytes(), let pixels = SVGEmbeddedImages.pixelCount(bytes) else {
      return "it embeds a picture of unknown size"
    }
    guard pixels > limits.pixels else { return nil }
    return "it embeds pictures of \(pixels / 1_000_000) million pixels, at most "
      + "\(limits.pixels / 1_000_000) million"
  }

  private func makePipeline() -> OwnedPipeline? {
    func make(_ turn: String) -> OwnedPipeline? {
      OwnedPipeline(
        (text == nil ? "filesrc" : "dataurisrc") + " name=source ! decodebin name=decoder"
          + " videoconvert name=converter" + turn
          + " ! video/x-raw,format=RGBA ! fakesink name=sink sync=false")
    }
    // videoflip applies the orientation tag of photographs; without it they stay as stored.
    return make(" ! videoflip video-direction=auto ! videoconvert") ?? make("")
  }

  /// Runs the pipeline with the collector; returns the decoder's problem as a sentence.
  private func runPipeline() throws(ElementError) -> String? {
    guard !GIFHeader.isBroken(file) else {
      throw ElementError(
        .wrongContent, "\(file.path) cannot be decoded: its header is cut off, or it has no area.")
    }
    guard let pipeline = makePipeline() else {
      throw ElementError(
        .failed,
        "\(file.path) cannot be decoded: GStreamer's base plugins are missing. Install "
          + "gstreamer1.0-plugins-base.")
    }
    // The source opens the file by its descriptor number.
    defer { extendLifetime(file) }
    guard installProbes(in: pipeline) else {
      throw ElementError(
        .failed, "\(file.path) cannot be decoded: the decoder's pipeline cannot be set up.")
    }
    _ = pipeline.play()
    let problem = try waitForEnd(of: pipeline)
    // Stops the streaming threads, so that nothing is collected any more.
    pipeline.stop()
    return problem
  }

  private func setInput(of source: Element) {
    guard let text else { return source.set("location", string: file.reopenPath) }
    let coded = g_base64_encode(text, gsize(text.count))
    defer { g_free(coded) }
    let uri = "data:image/svg+xml;base64," + (coded.map { String(cString: $0) } ?? "")
    source.set("uri", string: FilePath(uri))
  }

  /// Installs the collector's probes; false if an element or pad is missing.
  private func installProbes(in pipeline: OwnedPipeline) -> Bool {
    let collector = collector
    guard let source = pipeline.element["source"], let start = source.pad("src"),
      let decoder = pipeline.element["decoder"],
      let input = pipeline.pad("converter", "sink"), let output = pipeline.pad("sink", "sink")
    else { return false }
    setInput(of: source)
    StreamSelection(collector, to: input).connectSignals(of: decoder)
    output.addRawProbe(GST_PAD_PROBE_TYPE_BUFFER) { pad, info in
      if let buffer = info.buffer { collector.collect(buffer, at: pad) }
      return GST_PAD_PROBE_OK
    }
    // Caps arrive before memory for their size is allocated.
    input.addRawProbe(GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM) { _, info in collector.filterCaps(info) }
    start.addRawProbe(GST_PAD_PROBE_TYPE_PULL, GST_PAD_PROBE_TYPE_BLOCK) { _, info in
      collector.countRead(at: UInt64(info.pointee.offset))
      return GST_PAD_PROBE_PASS
    }
    return true
  }

  /// The time without progress after which a decoder whose threads all pause counts as stalled.
  private static let idleLimit = Duration.seconds(1)

  /// The same for `alphacombine`, whose threads may run while it waits for a frame that was lost.
  private static let alphaIdleLimit = Duration.seconds(5)

  /// Waits until the stream ends or enough frames are collected; returns the problem as a sentence.
  private func waitForEnd(
    of pipeline: OwnedPipeline
  ) throws(ElementError) -> String? {
    let (path, order, collector) = (file.path, order, collector)
    return try order.withCancellationHandler(pipeline.wake) { () throws(ElementError) in
      var missing: String?
      var last = collector.progress
      var moved = Moment.now
      while true {
        try order.checkCancellation(path)
        switch pipeline.element.nextMessage(milliseconds: 20, withPosted: true) {
        case .endOfStream: return nil
        case .error(let report): return missing.map(Self.installAdvice) ?? report.text
        case .posted(let message):
          if message.name == "missing-plugin" { missing = missing ?? message.string("name") }
        case .warning, nil:
          if collector.isDone {
            return collector.hasNoPictures ? missing.map(Self.installAdvice) : nil
          }
          let now = collector.progress
          // gst-libav's GIF demuxer does not notice the end of the file and reads on for ever.
          // Frames that it has read may still be in flight, on a busy machine for long.
          let moves =
            now.frames != last.frames || now.isHeld || (now.reads != last.reads && !now.readsOn)
          last = now
          if moves { moved = .now }
          let idle = Moment.now - moved
          if now.readsOn, idle > (now.frames > 0 ? .milliseconds(200) : .seconds(2)) {
            return now.frames > 0 ? nil : "the file is truncated."
          }
          // With a broken film, all of decodebin's threads may pause without an error.
          if idle > Self.idleLimit && !pipeline.hasRunningTask
            || idle > Self.alphaIdleLimit && pipeline.contains(factory: "alphacombine")
          {
            return "its decoder has stalled."
          }
        }
      }
    }
  }

  private static func installAdvice(_ missing: String) -> String {
    "GStreamer's \(missing) is not installed. Most decoders are in Debian's packages "
      + "gstreamer1.0-plugins-good, gstreamer1.0-plugins-bad and gstreamer1.0-libav."
  }
}
