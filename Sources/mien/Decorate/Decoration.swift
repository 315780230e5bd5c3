import CGStreamer
import Files
import Programs

/// One picture or film on its way through the effects to a file of its own, a film with all its
/// sound.
///
/// The file appears under its name once it is whole and on the disk, or not at all.
final class Decoration {
  private let source: FilePath
  private let effects: Effects
  private let threads: Int
  /// Names what comes out, once the type of the file is known; on a streaming thread.
  private let name: (_ type: String, _ isFilm: Bool) throws(Problem) -> Target
  private let reading: Reading
  private var part: PartFile?
  private var target: Target?
  /// Why the process ends although the pipeline does not; for who listens to it.
  var lastWords: (String) -> Void = { _ in }
  /// Sees each frame that has been looked at, on a streaming thread.
  var onFrame: ((UnsafeMutablePointer<GstBuffer>) -> Void)?
  /// What did not come along, in words for the user.
  var leftOut: String? {
    var parts: [String] = []
    if tracksLeftOut > 0 {
      parts.append("\(tracksLeftOut) more picture track" + (tracksLeftOut > 1 ? "s" : ""))
    }
    if transparency.wasSeen {
      parts.append(
        "its transparency, which \(isFilm ? "films" : "JPEG pictures") written here do not have,")
    }
    return parts.isEmpty ? nil : parts.joined(separator: " and ")
  }
  private var tracksLeftOut = 0
  /// Of what comes in, where what comes out has none.
  private let transparency = Transparency()
  private var encoded: [UInt8] = []
  private var metadata: JPEGMetadata?
  private var written = 0
  private let lock = Lock()

  /// What comes out, and of which kind.
  struct Target {
    let path: FilePath
    let type: OutputType
    /// Worth knowing for the user.
    var remark: String?
  }

  /// `threads`: 0 for all cores.
  init(
    _ source: FilePath, _ effects: Effects, threads: Int,
    name: @escaping (_ type: String, _ isFilm: Bool) throws(Problem) -> Target
  ) throws(Problem) {
    self.source = source
    self.effects = effects
    self.threads = threads
    self.name = name
    reading = try Reading(source)
    reading.connect = { [unowned self] (streams) throws(Problem) in try connect(streams) }
  }

  var isFilm: Bool { reading.isFilm }
  var frames: Int { reading.frameCount }
  /// How much of the film is done, 0 to 1; nil where nothing says how long it is.
  var share: Double? {
    reading.length > 0 ? min(1, Double(reading.end) / Double(reading.length)) : nil
  }

  /// Plays to the end, and returns what was written; throws, and writes nothing.
  func run(tick: () -> Void = {}) throws(Problem) -> Target {
    defer { part?.discard() }
    try reading.play(tick: tick) { [unowned self] problem in
      part?.discard()
      lastWords(problem.text)
    }
    guard let part, let target else { throw .failure("nothing came out of it") }
    if !isFilm {
      try writePicture(part)
    } else if lock({ written }) < frames {
      throw .failure("only \(written) of its \(frames) frames could be encoded")
    }
    try part.keep()
    return target
  }

  /// What the picture is, turned as it was taken, and with the words to reach its parts.
  private func connect(_ streams: Reading.Streams) throws(Problem) {
    tracksLeftOut = streams.morePictures
    let target = try name(reading.type, isFilm)
    self.target = target
    part = try PartFile(for: target.path)
    if reading.type == "image/jpeg" { metadata = try JPEGMetadata(source) }
    if target.type != .png { transparency.watch(streams.picture) }
    if target.type.isFilm {
      try connectFilm(streams, target.type)
    } else {
      try connectPicture(streams.picture, target.type)
    }
  }

  private func connectPicture(_ pad: Pad, _ type: OutputType) throws(Problem) {
    let encoder = type == .jpeg ? "jpegenc quality=92 snapshot=true" : "pngenc snapshot=true"
    let video = try decorating("videoconvert ! \(encoder) ! fakesink name=out sync=false")
    reading.isHeld = { [unowned self] in lock { encoded.isEmpty } }
    video["out"]?.pad("sink")?.buffers { [unowned self] buffer in
      var map = GstMapInfo()
      guard gst_buffer_map(buffer, &map, GST_MAP_READ) != 0 else { return }
      defer { gst_buffer_unmap(buffer, &map) }
      lock {
        if encoded.isEmpty {
          encoded = Array(UnsafeBufferPointer(start: map.data, count: Int(map.size)))
        }
      }
    }
    try link(pad, video)
  }

  private func writePicture(_ part: PartFile) throws(Problem) {
    var bytes = lock { encoded }
    guard !bytes.isEmpty else { throw .failure("no picture came out of it") }
    if target?.type == .jpeg, let metadata, let size = JPEGFrame.size(bytes) {
      bytes = metadata.added(
        to: bytes, width: size.width, height: size.height, keepsRecord: !effects.hidesFaces)
    }
    guard Terminal.writeAll(bytes, to: part.descriptor) else {
      throw .failure("\(Terminal.shown(part.path)): \(Terminal.reason)")
    }
  }

  private func connectFilm(_ streams: Reading.Streams, _ type: OutputType) throws(Problem) {
    let size = streams.picture.size
    let encoding = Encoding(
      type, width: size.width, height: size.height, rate: streams.picture.frameRate,
      threads: threads)
    if encoding.picture.contains("openh264enc") { Terminal.silenceLibraries() }
    let muxer = try Element.make(encoding.muxer)
    let sink = try Element.make("fdsink")
    sink.set("fd", "\(part!.descriptor)")
    reading.pipeline.add(muxer)
    reading.pipeline.add(sink)
    muxer.link(sink)
    let video = try decorating(encoding.picture)
    video.pad("src")?.buffers { [unowned self] _ in lock { written += 1 } }
    video.link(muxer)
    try link(streams.picture, video)
    for sound in streams.sounds {
      let bin = try Element.bin(encoding.sound)
      reading.pipeline.add(bin)
      bin.link(muxer)
      try link(sound, bin)
    }
  }

  /// What every frame goes through, then `tail`.
  private func decorating(_ tail: String) throws(Problem) -> Element {
    // A picture's file may hold another behind it, as phones leave a preview there. GStreamer 1.22's
    // queue never answers what the decoder asks for that one, once the encoder has had the first.
    let queue = isFilm ? "queue ! " : ""
    let video = try Element.bin(
      "\(queue)videoconvert ! videoflip name=turn video-direction=auto ! videoconvert name=seen"
        + "\(effects.description) ! \(tail)")
    if let metadata { video["turn"]?.set("video-direction", metadata.direction) }
    try effects.set(video, threads: threads, isFilm: isFilm)
    video["seen"]?.pad("src")?.buffers { [unowned self] _ in reading.count() }
    if let detector = effects.faceDetector {
      video[detector]?.pad("src")?.buffers { [unowned self] in onFrame?($0) }
    }
    reading.pipeline.add(video)
    return video
  }

  private func link(_ pad: Pad, _ element: Element) throws(Problem) {
    // Before the encoders: they write what they are told into their own headers.
    if effects.hidesFaces { MetadataFilter(keepsWords: effects.keepsWords).install(on: pad) }
    guard pad.link(element.pad("sink")) else {
      throw .failure("its \(pad.mediaType ?? "stream") cannot be used")
    }
  }
}
