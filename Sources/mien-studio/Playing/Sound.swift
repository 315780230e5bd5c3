import CGStreamer
import Programs
import Studio

/// What is heard of a film: where its sound goes, in the same pipeline as its pictures.
///
/// Where this machine has no loudspeaker, or none that works, it goes nowhere, in the same time.
final class Sound {
  /// As which it is handed on.
  static let shape =
    "audio/x-raw,format=S16LE,layout=interleaved,rate=\(SoundTrack.rate),channels=2"
  /// Of both channels together.
  static let bytesPerSample = 4

  let bin: Element
  /// A piece of it, and when it is heard, in nanoseconds of running time; on a streaming thread.
  var onPiece: (UnsafeMutablePointer<GstBuffer>, Int) -> Void = { _, _ in }

  /// `speaks`: whether a loudspeaker is to be looked for.
  init(speaks: Bool, isMuted: Bool) throws(Problem) {
    let sink = speaks && Element.exists("autoaudiosink") ? "autoaudiosink" : "fakesink sync=true"
    bin = try Element.bin(
      "queue ! audioconvert ! audioresample ! \(Self.shape) ! identity name=heard"
        + " ! volume name=volume mute=\(isMuted) ! \(sink) name=speaker")
    bin["heard"]?.pad("src")?.probe(GST_PAD_PROBE_TYPE_BUFFER) { [weak self] pad, info in
      if let self, let buffer = gst_pad_probe_info_get_buffer(info),
        let time = pad.runningTime(of: buffer)
      {
        onPiece(buffer, time)
      }
      return GST_PAD_PROBE_OK
    }
  }

  /// What is recorded is heard all the same.
  var isMuted: Bool {
    get { bin["volume"]?.text("mute") == "true" }
    set { bin["volume"]?.set("mute", "\(newValue)") }
  }

  /// Whether something speaks; once it has started.
  var speaks: Bool {
    // GStreamer's automatic choice puts a sink of this name in where it finds none that works.
    guard let speaker = bin["speaker"], speaker.isBin else { return false }
    return speaker["fake-audio-sink"] == nil
  }
}
