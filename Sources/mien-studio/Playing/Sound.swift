import CGStreamer
import Programs
import Studio

/// What is heard of a film: where its sound goes, in the same pipeline as its pictures.
///
/// It goes nowhere, in its time, until a loudspeaker is there; where this machine has none that works it stays so.
final class Sound {
  /// As which it is handed on.
  static let shape =
    "audio/x-raw,format=S16LE,layout=interleaved,rate=\(SoundTrack.rate),channels=2"
  /// Of both channels together.
  static let bytesPerSample = 4

  let bin: Element
  /// A piece of it, and when it is heard, in nanoseconds of running time; on a streaming thread.
  var onPiece: (UnsafeMutablePointer<GstBuffer>, Int) -> Void = { _, _ in }

  private let lock = Lock()
  private var isSpeaking = false

  init(isMuted: Bool) throws(Problem) {
    bin = try Element.bin(
      "queue ! audioconvert ! audioresample ! \(Self.shape) ! identity name=heard"
        + " ! volume name=volume mute=\(isMuted) ! fakesink name=nowhere sync=true")
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

  /// Whether something speaks.
  var speaks: Bool { lock { isSpeaking } }

  /// A loudspeaker that is open; it is closed with the sound, or where nothing goes to it.
  final class Speaker {
    fileprivate let element: Element
    fileprivate var isUsed = false

    /// Looks for one that works; nil where there is none.
    ///
    /// A sound server that does not answer keeps it for many seconds: for a thread of its own.
    init?() {
      guard let element = try? Element.make("autoaudiosink") else { return nil }
      self.element = element
      // GStreamer's automatic choice puts a sink of this name in where it finds none that works.
      guard element.setState(GST_STATE_READY), element["fake-audio-sink"] == nil else { return nil }
    }

    deinit { if !isUsed { element.setState(GST_STATE_NULL) } }
  }

  /// Has sound go to a loudspeaker from its next piece on; `done` is called then, on any thread.
  func speak(through speaker: Speaker, _ done: @escaping () -> Void) {
    bin["volume"]?.pad("src")?.probe(GST_PAD_PROBE_TYPE_IDLE) { [weak self] pad, _ in
      guard let self, let volume = pad.element, let nowhere = bin["nowhere"] else {
        return GST_PAD_PROBE_REMOVE
      }
      // A film that is over ends where it went; it is heard when it begins again.
      if let end = gst_pad_get_sticky_event(pad.raw, GST_EVENT_EOS, 0) {
        gst_mini_object_unref(cgst_mini_object(UnsafeMutableRawPointer(end)))
        return GST_PAD_PROBE_PASS
      }
      volume.unlink(nowhere)
      nowhere.setState(GST_STATE_NULL)
      bin.remove(nowhere)
      speaker.isUsed = true
      bin.add(speaker.element)
      volume.link(speaker.element)
      lock { isSpeaking = true }
      done()
      return GST_PAD_PROBE_REMOVE
    }
  }
}
