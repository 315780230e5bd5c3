import CGStreamer
import Files
import Threads

/// Pipelines that decode one file, one after the other, on the thread that calls `run`.
struct PictureDecoding {
  private let file: HostileFile
  /// What is decoded in place of the file, where that had to be changed.
  private let text: [UInt8]?
  private let ceiling: PictureFile.Ceiling
  private let order: WorkOrder
  private let collector: FrameCollector

  init(
    _ file: HostileFile, text: [UInt8]? = nil, _ ceiling: PictureFile.Ceiling, _ order: WorkOrder,
    isCounted: Bool = false, receiver: FrameCollector.Receiver? = nil
  ) {
    self.file = file
    self.text = text
    self.ceiling = ceiling
    self.order = order
    collector = FrameCollector(
      ceiling, size: text?.count ?? file.size, isCounted: isCounted, receiver: receiver)
  }

  /// Decodes until the end, or until enough is collected; a decoder that cannot be interrupted
  /// holds this thread, and nobody else.
  func run() throws(ElementError) -> [PictureFile.DecodedFrame] {
    let problem = try decode()
    if let size = collector.drawing { return try draw(size) }
    if problem == nil, collector.mustKeep {
      return try PictureDecoding(file, text: text, ceiling, order, isCounted: true).run()
    }
    return try collector.finish(file.path, problem: problem)
  }

  /// Decodes until the end while frames go to the receiver; returns how many there were.
  func play() throws(ElementError) -> Int {
    let problem = try decode()
    return try collector.finishGiving(file.path, problem: problem)
  }

  /// Draws what the file describes, which says it is of the given size, at the size it is wanted.
  private func draw(
    _ size: (width: Int, height: Int)
  ) throws(ElementError) -> [PictureFile.DecodedFrame] {
    let scale = Double(ceiling.vectorSide ?? 1) / Double(max(size.width, size.height))
    func side(_ side: Int) -> Int { max(Int((Double(side) * scale).rounded()), 1) }
    var ceiling = ceiling
    ceiling.vectorSide = nil
    // One that cannot be told another size is drawn at its own, if that is not too large.
    let text = (try? file.bytes()).flatMap { SVGRoot($0) }?
      .resized(from: size, to: (side(size.width), side(size.height)))
    return try PictureDecoding(file, text: text, ceiling, order).run()
  }

  private var pipeline: OwnedPipeline? {
    func make(_ turn: String) -> OwnedPipeline? {
      OwnedPipeline(
        (text == nil ? "filesrc" : "dataurisrc") + " name=source ! decodebin name=decoder"
          + " ! videoconvert name=converter" + turn
          + " ! video/x-raw,format=RGBA ! fakesink name=sink sync=false")
    }
    // videoflip follows the orientation tag of photographs; without it they stay as stored.
    return make(" ! videoflip video-direction=auto ! videoconvert") ?? make("")
  }

  /// Has the collector see what comes out; returns what went wrong, as a sentence.
  private func decode() throws(ElementError) -> String? {
    guard !GIFHeader.isBroken(file) else {
      throw ElementError(
        .wrongContent, "\(file.path) cannot be decoded: it ends in its header, or has no area.")
    }
    guard let pipeline else {
      throw ElementError(
        .failed, "\(file.path) cannot be decoded: GStreamer's base plugins are missing.")
    }
    // The source opens it by its number.
    defer { extendLifetime(file) }
    guard watch(pipeline) else { throw ElementError(.failed, "\(file.path) cannot be decoded.") }
    _ = pipeline.play()
    let problem = try waitForEnd(of: pipeline)
    // Stops the streaming threads, so that nothing is collected any more.
    pipeline.stop()
    return problem
  }

  private func read(_ pipeline: OwnedPipeline) -> Bool {
    guard let text else { return pipeline.set("source", "location", file.location) }
    let coded = g_base64_encode(text, gsize(text.count))
    defer { g_free(coded) }
    guard let coded else { return false }
    return pipeline.set(
      "source", "uri", FilePath("data:image/svg+xml;base64," + String(cString: coded)))
  }

  /// Has the collector see all that passes; false when there is not what there should be.
  private func watch(_ pipeline: OwnedPipeline) -> Bool {
    let collector = collector
    pipeline.with("decoder") { judge($0) }
    return read(pipeline)
      && pipeline.watchBuffers("sink", "sink", collector.collect)
      // The size is known before any memory for it is asked for.
      && pipeline.watch(
        "sink", "sink", GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM, GST_PAD_PROBE_TYPE_BLOCK
      ) { _, info in collector.judge(info) }
      // What the converter does not take never gets as far as that.
      && pipeline.watch("converter", "sink", GST_PAD_PROBE_TYPE_QUERY_DOWNSTREAM) { _, info in
        collector.judgeQuestion(info)
        return GST_PAD_PROBE_OK
      }
      && pipeline.watch("source", "src", GST_PAD_PROBE_TYPE_PULL, GST_PAD_PROBE_TYPE_BLOCK) {
        _, info in
        collector.noteRead(at: UInt64(info.pointee.offset))
        return GST_PAD_PROBE_PASS
      }
  }

  /// Lets the decoder go on with what the collector allows only.
  private func judge(_ decoder: UnsafeMutablePointer<GstElement>) {
    let judge:
      @convention(c) (
        UnsafeMutableRawPointer?, UnsafeMutableRawPointer?, UnsafeMutablePointer<GstCaps>?,
        UnsafeMutableRawPointer?
      ) -> gboolean = { _, _, caps, user in
        Unmanaged<FrameCollector>.fromOpaque(user!).takeUnretainedValue().allows(caps!) ? 1 : 0
      }
    // What gives pictures is not asked about: it is part of the decoder before it has caps.
    let watch:
      @convention(c) (
        UnsafeMutableRawPointer?, UnsafeMutablePointer<GstElement>?, UnsafeMutableRawPointer?
      ) -> Void = { _, part, user in
        guard let pad = gst_element_get_static_pad(part, "src") else { return }
        defer { gst_object_unref(pad) }
        gst_pad_add_probe(
          pad,
          GstPadProbeType(
            rawValue: GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM.rawValue
              | GST_PAD_PROBE_TYPE_BLOCK.rawValue),
          { _, info, user in
            Unmanaged<FrameCollector>.fromOpaque(user!).takeUnretainedValue().judge(info!)
          }, user, nil)
      }
    // Disconnected with the decoder and its parts, before the collector goes.
    for (signal, callback) in [
      ("autoplug-continue", unsafeBitCast(judge, to: GCallback.self)),
      ("element-added", unsafeBitCast(watch, to: GCallback.self)),
    ] {
      g_signal_connect_data(
        decoder, signal, callback, Unmanaged.passUnretained(collector).toOpaque(), nil,
        GConnectFlags(rawValue: 0))
    }
  }

  /// How long nothing may move before it never will.
  private static let patience = Duration.seconds(1)

  /// Waits until the stream ends or enough is collected; returns what went wrong, as a sentence.
  private func waitForEnd(
    of pipeline: OwnedPipeline
  ) throws(ElementError) -> String? {
    let (path, order, collector) = (file.path, order, collector)
    return try order.waking(pipeline.wake) { () throws(ElementError) in
      var missing: String?
      var last = collector.progress
      var moved = Moment.now
      while true {
        try order.check(path)
        switch pipeline.listen(20) {
        case .end: return nil
        case .error(let reason): return missing.map(Self.advice) ?? reason
        case .missing(let decoder): missing = missing ?? decoder
        case .other: break
        case nil:
          if collector.isDone { return nil }
          let now = collector.progress
          // gst-libav's reader of GIF does not notice the end, and asks on for ever. What it has
          // read may still be on its way, on a busy machine for long.
          let moves =
            now.frames != last.frames || now.isHeld || (now.reads != last.reads && !now.readsOn)
          last = now
          if moves { moved = .now }
          let idle = Moment.now - moved
          if now.readsOn, idle > (now.frames > 0 ? .milliseconds(200) : .seconds(2)) {
            return now.frames > 0 ? nil : "it ends in the middle."
          }
          // A broken film can have all of decodebin's threads rest, and say nothing.
          if idle > Self.patience, !pipeline.isAtWork {
            return "nothing more comes out of its decoder."
          }
        }
      }
    }
  }

  private static func advice(_ missing: String) -> String {
    "GStreamer has no \(missing) here. Most decoders are in Debian's packages "
      + "gstreamer1.0-plugins-good, gstreamer1.0-plugins-bad and gstreamer1.0-libav."
  }
}
