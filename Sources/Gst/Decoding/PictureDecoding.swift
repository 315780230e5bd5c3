import CGStreamer
import Files
import Threads

/// One pipeline that decodes one file, on the thread that calls `run`.
struct PictureDecoding {
  /// What the user calls the file.
  private let path: String
  private let file: HostileFile
  private let order: WorkOrder
  private let collector: FrameCollector

  init(
    _ path: String, _ file: HostileFile, _ ceiling: PictureFile.Ceiling,
    _ order: WorkOrder
  ) {
    self.path = path
    self.order = order
    collector = FrameCollector(ceiling, size: file.size)
    self.file = file
  }

  /// Decodes until the end, or until enough is collected; a decoder that cannot be interrupted
  /// holds this thread, and nobody else.
  func run() throws(ElementError) -> [PictureFile.DecodedFrame] {
    guard let pipeline = Self.pipeline() else {
      throw ElementError(
        .failed, "\(path) cannot be decoded: GStreamer's base plugins are missing.")
    }
    // The source opens it by its number.
    defer { extendLifetime(file) }
    guard watch(pipeline) else { throw ElementError(.failed, "\(path) cannot be decoded.") }
    _ = pipeline.play()
    let problem = try waitForEnd(of: pipeline)
    // Stops the streaming threads, so that nothing is collected any more.
    pipeline.stop()
    return try collector.finish(path, problem: problem)
  }

  private static func pipeline() -> OwnedPipeline? {
    func make(_ turn: String) -> OwnedPipeline? {
      OwnedPipeline(
        "filesrc name=source ! decodebin name=decoder ! videoconvert name=converter" + turn
          + " ! video/x-raw,format=RGBA ! fakesink name=sink sync=false")
    }
    // videoflip follows the orientation tag of photographs; without it they stay as stored.
    return make(" ! videoflip video-direction=auto ! videoconvert") ?? make("")
  }

  /// Has the collector see all that passes; false when there is not what there should be.
  private func watch(_ pipeline: OwnedPipeline) -> Bool {
    let collector = collector
    let isJudged: Void? = pipeline.with("decoder") { refuseForeign($0) }
    return isJudged != nil && pipeline.set("source", "location", file.location)
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
  private func refuseForeign(_ decoder: UnsafeMutablePointer<GstElement>) {
    let judge:
      @convention(c) (
        UnsafeMutableRawPointer?, UnsafeMutablePointer<GstPad>?, UnsafeMutablePointer<GstCaps>?,
        UnsafeMutableRawPointer?
      ) -> gboolean = { _, _, caps, user in
        Unmanaged<FrameCollector>.fromOpaque(user!).takeUnretainedValue().allows(caps!) ? 1 : 0
      }
    // Disconnected with the decoder, before the collector goes.
    g_signal_connect_data(
      decoder, "autoplug-continue", unsafeBitCast(judge, to: GCallback.self),
      Unmanaged.passUnretained(collector).toOpaque(), nil, GConnectFlags(rawValue: 0))
  }

  /// Waits until the stream ends or enough is collected; returns what went wrong, as a sentence.
  private func waitForEnd(
    of pipeline: OwnedPipeline
  ) throws(ElementError) -> String? {
    let (path, order, collector) = (path, order, collector)
    return try order.waking(pipeline.wake) { () throws(ElementError) in
      var missing: String?
      var (frames, idle) = (0, 0)
      while true {
        try order.check(path)
        switch pipeline.listen(50) {
        case .end: return nil
        case .error(let reason): return missing.map(Self.advice) ?? reason
        case .missing(let decoder): missing = missing ?? decoder
        case .other: break
        case nil:
          if collector.isDone { return nil }
          // gst-libav's reader of GIF does not notice the end, and asks on for ever. What it has
          // read may still be on its way.
          let progress = collector.progress
          idle = progress.frames == frames && progress.readsOn ? idle + 1 : 0
          frames = progress.frames
          if idle > 4 { return frames > 0 ? nil : "it ends in the middle." }
        }
      }
    }
  }

  private static func advice(_ missing: String) -> String {
    "GStreamer has no \(missing) here. Most decoders are in Debian's packages "
      + "gstreamer1.0-plugins-good, gstreamer1.0-plugins-bad and gstreamer1.0-libav."
  }
}
