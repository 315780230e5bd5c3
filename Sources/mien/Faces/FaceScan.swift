import CGStreamer
import Client
import Programs

/// Finds the faces in the frames of a file or camera.
struct FaceScan {
  /// Gets the faces of each frame when it is due; nil if frames need not be read at their pace.
  var puppet: Puppet?
  /// Whether the blendshapes are measured.
  var hasBlendshapes = false
  /// Whether hands are searched for.
  var hasHands = false
  /// Called with each frame on a streaming thread.
  let onFrame: (FrameRecord) -> Void

  /// The part of a pipeline that finds the faces.
  var description: String {
    "mienfacedetect name=faces updates=none n-threads=0 ! fakesink name=end sync=\(puppet != nil)"
      + " signal-handoffs=\(puppet != nil)"
  }

  /// Sets the properties of the elements of `description`, and has the puppet get the faces.
  func prepare(_ bin: Element) throws(ProgramError) {
    if hasBlendshapes || puppet != nil, let detector = bin["faces"] {
      if detector.has("blendshapes") {
        detector.set("blendshapes", "true")
      } else if hasBlendshapes {
        throw .failure("this plugin measures no blendshapes; it is older than the command")
      }
    }
    if hasHands, let detector = bin["faces"] {
      guard detector.has("hands") else {
        throw .failure("this plugin finds no hands; it is older than the command")
      }
      detector.set("hands", "always")
      detector.set("max-hands", "4")
    }
    if let puppet { bin["end"]?.onHandoff { puppet.send($0) } }
  }

  /// Connects the streams of a file: faces are found in the video; the audio is decoded only because it
  /// shows whether the film is complete.
  func connect(_ reader: MediaReader, _ streams: MediaReader.Streams) throws(ProgramError) {
    let bin = try Element.bin(
      "queue ! videoconvert ! videoflip name=turn video-direction=auto ! videoconvert"
        + " ! " + description)
    try prepare(bin)
    if puppet != nil { watchTime(of: bin, for: reader) }
    let isJPEG = reader.type == "image/jpeg"
    if isJPEG {
      bin["turn"]?.set("video-direction", try JPEGMetadata(reader.source).videoDirection)
    }
    bin["faces"]?.pad("src")?.onBuffer { [unowned reader] buffer in
      reader.countFrame()
      // Further pictures in a JPEG file are previews or gain maps.
      guard !isJPEG || reader.frameCount == 1, var frame = FrameRecord(buffer) else { return }
      if !reader.isFilm { frame.time = nil }
      onFrame(frame)
    }
    reader.pipeline.add(bin)
    guard streams.picture.link(bin.pad("sink")) else {
      throw .failure("its \(streams.picture.mediaType ?? "picture") cannot be used")
    }
    for sound in streams.sounds {
      let sink = try Element.bin("queue ! fakesink sync=false")
      reader.pipeline.add(sink)
      guard sound.link(sink.pad("sink")) else { throw .failure("its sound cannot be used") }
    }
  }

  /// Has the reader know when a frame waits for its time.
  private func watchTime(of bin: Element, for reader: MediaReader) {
    let (lock, waiting) = (RecursiveLock(), Waiting())
    bin["end"]?.pad("sink")?.onBuffer { _ in lock { waiting.frames += 1 } }
    bin["end"]?.onHandoff { _ in lock { waiting.frames -= 1 } }
    reader.waitsForTime = { lock { waiting.frames > 0 } }
  }

  private final class Waiting {
    var frames = 0
  }
}
