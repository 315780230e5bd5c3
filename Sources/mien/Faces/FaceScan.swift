import CGStreamer
import Client
import Programs

/// Finds the faces in the frames of a file.
struct FaceScan {
  /// Whether blendshapes are measured.
  var blendshapes = false
  /// Called with each frame on a streaming thread.
  let onFrame: (FrameRecord) -> Void

  /// Connects the streams of a file: faces are found in the video; the audio is decoded only because it
  /// shows whether the film is complete.
  func connect(_ reader: MediaReader, _ streams: MediaReader.Streams) throws(ProgramError) {
    let bin = try Element.bin(
      "queue ! videoconvert ! videoflip name=turn video-direction=auto ! videoconvert"
        + " ! mienfacedetect name=faces updates=none n-threads=0 ! fakesink sync=false")
    let isJPEG = reader.type == "image/jpeg"
    if isJPEG {
      bin["turn"]?.set("video-direction", try JPEGMetadata(reader.source).videoDirection)
    }
    bin["faces"]?.set("blendshapes", blendshapes ? "true" : "false")
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
}
