import Support

/// A film of two seconds with motion everywhere and with sound, made with the installed encoders.
struct SmallFilm: Sendable {
  /// The file name; its extension selects the container.
  let name: String
  let muxer: String
  /// The elements between raw frames and the muxer.
  let picture: String
  let sound: String?
  var frames = 24
  var rate = "12/1"
  /// The length of the sound in tenths of a second.
  var soundLength = 20
  /// Nanoseconds by which the sound or the video starts late.
  var soundOffset = 0
  var pictureOffset = 0
  /// Dropped frames, or dropped tenths of a second of sound.
  var pictureHole: Range<Int>?
  var soundHole: Range<Int>?
  /// The probability that a frame other than the first is replaced by a gap.
  ///
  /// Since GStreamer 1.24 matroskamux writes H.264 films that begin with a gap without parameter
  /// sets, which no element reads.
  var loss = 0.0
  /// A second video or audio stream, up to its encoder.
  var extra = ""

  private static let queue = "queue max-size-time=0 max-size-buffers=0 max-size-bytes=0 ! m."
  static let frameSource = "videotestsrc pattern=zone-plate kx2=20 ky2=20 kt=1"

  func make(in folder: String) throws {
    var text =
      "\(muxer) name=m ! filesink location=\(folder)/\(name) \(Self.frameSource)"
      + " timestamp-offset=\(pictureOffset) num-buffers=\(frames)"
      + " ! video/x-raw,format=I420,width=128,height=96,framerate=\(rate)"
      + " ! valve name=frames ! identity name=loss ! \(picture) ! \(Self.queue) "
    if let sound {
      text +=
        "audiotestsrc samplesperbuffer=4410 num-buffers=\(soundLength)"
        + " timestamp-offset=\(soundOffset) ! audio/x-raw,rate=44100,channels=1"
        + " ! valve name=sounds ! audioconvert ! audioresample ! \(sound) ! \(Self.queue) "
    }
    if !extra.isEmpty { text += extra + " ! " + Self.queue }
    let pipeline = try Pipeline(text)
    for (valve, hole) in [("frames", pictureHole), ("sounds", soundHole)] {
      guard let hole else { continue }
      var passed = 0
      try pipeline.watch(valve) { _ in
        pipeline.set(valve, "drop", hole.contains(passed) ? "true" : "false")
        passed += 1
      }
    }
    var begun = false
    try pipeline.watch("loss") { _ in
      if begun { pipeline.set("loss", "drop-probability", "\(loss)") }
      begun = true
    }
    try pipeline.run()
  }
}

extension SmallFilm {
  private static let vp8 = "vp8enc deadline=1 cpu-used=8 keyframe-max-dist=12"
  private static let h264 = "openh264enc gop-size=12 ! h264parse"
  private static let aac = "voaacenc ! aacparse"
  private static let mp3 = "lamemp3enc ! mpegaudioparse"

  /// An intact film for each container and codec, which is then damaged.
  static let plain = [
    SmallFilm(name: "vp8.webm", muxer: "webmmux", picture: vp8, sound: "vorbisenc"),
    SmallFilm(name: "h264.mp4", muxer: "mp4mux", picture: h264, sound: aac),
    SmallFilm(name: "mpeg4.avi", muxer: "avimux", picture: "avenc_mpeg4", sound: mp3),
    // With fewer frames oggmux of GStreamer 1.22 drops the last one.
    SmallFilm(
      name: "theora.ogv", muxer: "oggmux", picture: "theoraenc", sound: "vorbisenc", frames: 40,
      rate: "20/1"),
    SmallFilm(name: "h264.ts", muxer: "mpegtsmux", picture: h264, sound: aac),
    SmallFilm(name: "h264.mkv", muxer: "matroskamux", picture: h264, sound: "opusenc"),
    SmallFilm(name: "h264.flv", muxer: "flvmux", picture: h264, sound: aac),
    SmallFilm(name: "mjpeg.avi", muxer: "avimux", picture: "jpegenc", sound: "audioconvert"),
  ]

  /// Intact films with features that resemble damage, the most important first.
  static let odd = [
    SmallFilm(
      name: "varying.webm", muxer: "webmmux",
      picture: "capssetter caps=video/x-raw,framerate=0/1 ! " + vp8, sound: "vorbisenc", frames: 40,
      rate: "20/1", loss: 0.4),
    SmallFilm(
      name: "varying.mp4", muxer: "mp4mux", picture: h264, sound: aac, frames: 40, rate: "20/1",
      loss: 0.4),
    SmallFilm(
      name: "varying.mkv", muxer: "matroskamux", picture: h264, sound: "opusenc", frames: 40,
      rate: "20/1", loss: 0.4),
    SmallFilm(
      name: "turned.mp4", muxer: "mp4mux",
      picture: h264 + " ! taginject tags=image-orientation=rotate-90", sound: aac),
    SmallFilm(
      name: "sound-late.mp4", muxer: "mp4mux", picture: h264, sound: aac, soundLength: 17,
      soundOffset: 300_000_000),
    SmallFilm(
      name: "picture-late.mkv", muxer: "matroskamux", picture: h264, sound: "vorbisenc",
      soundLength: 27, pictureOffset: 700_000_000),
    SmallFilm(
      name: "sound-longer.webm", muxer: "webmmux", picture: vp8, sound: "vorbisenc",
      soundLength: 23),
    SmallFilm(
      name: "live.mkv", muxer: "matroskamux streamable=true", picture: h264, sound: "opusenc"),
    SmallFilm(name: "one-frame.webm", muxer: "webmmux", picture: vp8, sound: nil, frames: 1),
    SmallFilm(
      name: "ahead.webm", muxer: "webmmux",
      picture: "vp8enc deadline=1000000 lag-in-frames=16 auto-alt-ref=true arnr-maxframes=5",
      sound: "vorbisenc"),
    SmallFilm(
      name: "sound-late.mkv", muxer: "matroskamux", picture: h264, sound: "opusenc",
      soundLength: 17, soundOffset: 300_000_000),
    SmallFilm(
      name: "sound-short.mp4", muxer: "mp4mux", picture: h264, sound: aac, soundLength: 10),
    SmallFilm(name: "silent.webm", muxer: "webmmux", picture: vp8, sound: nil),
    SmallFilm(
      name: "slow.mp4", muxer: "mp4mux", picture: h264, sound: aac, frames: 4, rate: "2/1"),
    SmallFilm(
      name: "pieces.mp4", muxer: "mp4mux fragment-duration=500", picture: h264, sound: aac),
    SmallFilm(
      name: "two-sounds.mkv", muxer: "matroskamux", picture: h264, sound: "opusenc",
      extra: "audiotestsrc num-buffers=80 ! vorbisenc"),
  ]

  /// Intact files with missing content.
  static let lacking = [
    SmallFilm(
      name: "picture-ends.mkv", muxer: "matroskamux", picture: h264, sound: "opusenc", frames: 12),
    SmallFilm(
      name: "picture-hole.mkv", muxer: "matroskamux", picture: h264, sound: "opusenc",
      pictureHole: 9..<17),
    SmallFilm(
      name: "sound-hole.webm", muxer: "webmmux", picture: vp8, sound: "vorbisenc",
      soundHole: 8..<11),
  ]

  static let twoPictures = SmallFilm(
    name: "two-pictures.mkv", muxer: "matroskamux", picture: h264, sound: "opusenc",
    extra: frameSource + " num-buffers=24 ! video/x-raw,framerate=12/1 ! " + vp8)
}
