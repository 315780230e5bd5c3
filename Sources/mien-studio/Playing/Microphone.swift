import CGStreamer
import Client
import Programs

/// Captures the microphone.
final class Microphone {
  private let pipeline: Element

  /// Opens the microphone, which may take a while; throws where there is none.
  ///
  /// `body` is called on a streaming thread with each buffer and its time by the system's clock.
  init(_ body: @escaping (UnsafeMutablePointer<GstBuffer>, Int) -> Void) throws(ProgramError) {
    pipeline = try Element.pipeline()
    pipeline.useSystemClock()
    let bin = try Element.bin(
      "autoaudiosrc name=microphone ! queue ! audioconvert ! audioresample ! \(Sound.caps)"
        + " ! appsink name=out sync=true")
    guard let out = bin["out"], let source = bin["microphone"] else {
      throw .failure("GStreamer's own elements are missing")
    }
    out.onSample { [unowned pipeline] sample, isPreroll in
      guard !isPreroll else { return }
      guard let buffer = sample.buffer, let time = sample.runningTime else { return }
      body(buffer, time + pipeline.baseTime)
    }
    pipeline.add(bin)
    // autoaudiosrc uses a silent source of this name where no other works.
    guard pipeline.setState(GST_STATE_PLAYING), source["fake-audio-src"] == nil else {
      pipeline.setState(GST_STATE_NULL)
      throw .failure(tr("there is none"))
    }
  }

  deinit { stop() }

  func stop() { pipeline.setState(GST_STATE_NULL) }

  /// The error that ended it; nil while it runs.
  var problem: String? {
    while let message = pipeline.nextMessage(milliseconds: 0) {
      if case .error(let report) = message { return report.text }
    }
    return nil
  }
}
