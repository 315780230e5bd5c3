import CGStreamer
import Programs

/// What looks for faces in the frames of a file and does nothing else with them.
struct FrameLook {
  /// Called with each frame, on a streaming thread.
  let see: (FrameRecord) -> Void

  /// Connects the streams of a file: its first picture is looked at, its sounds are listened to only
  /// because a film that breaks off is known by them.
  func connect(_ reading: Reading, _ streams: Reading.Streams) throws(Problem) {
    let bin = try Element.bin(
      "queue ! videoconvert ! videoflip name=turn video-direction=auto ! videoconvert"
        + " ! mienfacedetect name=faces updates=none n-threads=0 ! fakesink sync=false")
    let isJPEG = reading.type == "image/jpeg"
    if isJPEG {
      bin["turn"]?.set("video-direction", try JPEGMetadata(reading.source).direction)
    }
    bin["faces"]?.pad("src")?.buffers { [unowned reading] buffer in
      reading.count()
      // What stands behind a JPEG picture is a preview of it, or a map of its brightness.
      guard !isJPEG || reading.frameCount == 1, var frame = FrameRecord(buffer) else { return }
      if !reading.isFilm { frame.time = nil }
      see(frame)
    }
    reading.pipeline.add(bin)
    guard streams.picture.link(bin.pad("sink")) else {
      throw .failure("its \(streams.picture.mediaType ?? "picture") cannot be used")
    }
    for sound in streams.sounds {
      let sink = try Element.bin("queue ! fakesink sync=false")
      reading.pipeline.add(sink)
      guard sound.link(sink.pad("sink")) else { throw .failure("its sound cannot be used") }
    }
  }
}
