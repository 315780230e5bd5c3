import CGStreamer
import Client
import Programs
import Studio

/// The audio branch of a film's pipeline.
///
/// It ends in a fakesink that keeps the times until a loudspeaker is connected.
final class Sound {
  /// The caps of recorded audio.
  static let caps =
    "audio/x-raw,format=S16LE,layout=interleaved,rate=\(SoundTrack.rate),channels=2"
  /// Bytes of both channels.
  static let bytesPerSample = 4

  let bin: Element
  /// Called on a streaming thread with each buffer and its running time in nanoseconds.
  var onBuffer: (UnsafeMutablePointer<GstBuffer>, Int) -> Void = { _, _ in }

  private let lock = RecursiveLock()
  private var isConnected = false

  init(isMuted: Bool) throws(ProgramError) {
    bin = try Element.bin(
      "queue ! audioconvert ! audioresample ! \(Self.caps) ! identity name=heard"
        + " ! volume name=volume mute=\(isMuted) ! fakesink name=placeholder sync=true")
    bin["heard"]?.pad("src")?.addProbe(GST_PAD_PROBE_TYPE_BUFFER) { [weak self] pad, info in
      if let self, let buffer = info.buffer,
        let time = pad.runningTime(of: buffer)
      {
        onBuffer(buffer, time)
      }
      return GST_PAD_PROBE_OK
    }
  }

  /// Whether the loudspeaker is muted; recordings are not.
  var isMuted: Bool {
    get { bin["volume"]?.text("mute") == "true" }
    set { bin["volume"]?.set("mute", "\(newValue)") }
  }

  /// Whether a loudspeaker is connected.
  var hasSpeaker: Bool { lock { isConnected } }

  /// An open audio sink; it is closed with the sound, or where it is never connected.
  final class Speaker {
    fileprivate let element: Element
    fileprivate var isUsed = false

    /// Opens the first sink that works; nil where there is none.
    ///
    /// It blocks for many seconds where a sound server does not answer: for a thread of its own.
    init?() {
      guard let element = try? Element.make("autoaudiosink") else { return nil }
      self.element = element
      // autoaudiosink uses a sink of this name where no other works.
      guard element.setState(GST_STATE_READY), element["fake-audio-sink"] == nil else { return nil }
    }

    deinit { if !isUsed { element.setState(GST_STATE_NULL) } }
  }

  /// Connects a loudspeaker before the next buffer; `done` is called then, on any thread.
  func connect(_ speaker: Speaker, _ done: @escaping () -> Void) {
    guard let pad = bin["volume"]?.pad("src") else { return }
    pad.beforeNextBuffer { [weak self] in self?.replacePlaceholder(speaker, done) ?? true }
  }

  /// False at the end of a film, where the sink is kept until the film restarts.
  private func replacePlaceholder(_ speaker: Speaker, _ done: () -> Void) -> Bool {
    guard let volume = bin["volume"], let placeholder = bin["placeholder"] else { return true }
    let isAtEnd = volume.pad("src")?.withStickyEvent(GST_EVENT_EOS) { _ in } != nil
    if isAtEnd { return false }
    volume.unlink(placeholder)
    placeholder.setState(GST_STATE_NULL)
    bin.remove(placeholder)
    speaker.isUsed = true
    bin.add(speaker.element)
    volume.link(speaker.element)
    lock { isConnected = true }
    done()
    return true
  }
}
