import CGStreamer
import CGstApp
import Programs
import Studio

/// The microphone, as long as the user wants it.
final class Microphone {
  private let pipeline: Element
  private let pieces: Pieces

  /// Who gets its sound, from a streaming thread.
  private final class Pieces {
    let body: (UnsafeMutablePointer<GstBuffer>, Int) -> Void
    unowned let pipeline: Element

    init(
      _ pipeline: Element, _ body: @escaping (UnsafeMutablePointer<GstBuffer>, Int) -> Void
    ) {
      (self.pipeline, self.body) = (pipeline, body)
    }

    func take(_ sample: OpaquePointer) {
      guard let buffer = gst_sample_get_buffer(sample) else { return }
      let time = gst_segment_to_running_time(
        gst_sample_get_segment(sample), GST_FORMAT_TIME, buffer.pointee.pts)
      if time != cgst_clock_time_none { body(buffer, Int(time) + pipeline.baseTime) }
    }
  }

  /// Opens it, which may take a while; throws where there is none.
  ///
  /// `body` gets each piece and its time by the system's clock, on a streaming thread.
  init(_ body: @escaping (UnsafeMutablePointer<GstBuffer>, Int) -> Void) throws(Problem) {
    pipeline = try Element.pipeline()
    pipeline.useSystemClock()
    pieces = Pieces(pipeline, body)
    let bin = try Element.bin(
      "autoaudiosrc name=microphone ! queue ! audioconvert ! audioresample ! \(Sound.shape)"
        + " ! appsink name=out sync=true")
    guard let out = bin["out"], let source = bin["microphone"] else {
      throw .failure("GStreamer's own elements are missing")
    }
    var callbacks = GstAppSinkCallbacks()
    callbacks.new_sample = { sink, user in
      guard let sample = gst_app_sink_pull_sample(sink) else { return GST_FLOW_OK }
      Unmanaged<Pieces>.fromOpaque(user!).takeUnretainedValue().take(sample)
      gst_mini_object_unref(cgst_mini_object(UnsafeMutableRawPointer(sample)))
      return GST_FLOW_OK
    }
    gst_app_sink_set_callbacks(
      UnsafeMutableRawPointer(out.raw).assumingMemoryBound(to: GstAppSink.self), &callbacks,
      Unmanaged.passRetained(pieces).toOpaque(),
      { Unmanaged<AnyObject>.fromOpaque($0!).release() })
    pipeline.add(bin)
    // The automatic choice puts one that is silent in where it finds none that works.
    guard pipeline.setState(GST_STATE_PLAYING), source["fake-audio-src"] == nil else {
      pipeline.setState(GST_STATE_NULL)
      throw .failure(tr("there is none"))
    }
  }

  deinit { stop() }

  func stop() { pipeline.setState(GST_STATE_NULL) }

  /// Why it ended, if it did.
  var problem: String? {
    while let word = pipeline.listen(milliseconds: 0) {
      if case .error(let text, _, _) = word { return text }
    }
    return nil
  }
}
