import CGStreamer
import Client
import Effects
import Files
import Programs

/// Decodes a picture or film, applies the effects, and encodes the result with all audio streams.
///
/// The output appears under its name once it is complete and on the disk, or not at all.
final class Decoration {
  private let source: FilePath
  private let effects: EffectOptions
  private let threads: Int
  /// Chooses the output once the media type is known; called on a streaming thread.
  private let name: (_ type: String, _ isFilm: Bool) throws(ProgramError) -> Target
  private let reader: MediaReader
  private var part: AtomicFile?
  private var target: Target?
  /// Called with the reason before the process exits because the pipeline does not stop.
  var onAbort: (String) -> Void = { _ in }
  /// Called with each frame behind the face detector, on a streaming thread.
  var onFrame: ((UnsafeMutablePointer<GstBuffer>) -> Void)?
  /// Called with the temporary file once it is complete; where it throws nothing is written.
  var beforeCommit: (AtomicFile) throws(ProgramError) -> Void = { _ in }
  /// What the output lacks, for the user; nil where it lacks nothing.
  var leftOut: String? {
    var parts: [String] = []
    if tracksLeftOut > 0 {
      parts.append("\(tracksLeftOut) more picture track" + (tracksLeftOut > 1 ? "s" : ""))
    }
    if alpha.hasTransparency {
      parts.append(
        effects.chain.replacesBackground
          ? "its transparency, which is not kept before another background,"
          : "its transparency, which \(target?.type.name ?? "it") does not keep here"
            + (isFilm ? " (QuickTime and Matroska do)," : ","))
    }
    return parts.isEmpty ? nil : parts.joined(separator: " and ")
  }
  private var tracksLeftOut = 0
  /// What the output's frames lack, for the user; nil where they lack nothing.
  private(set) var loss: String?
  /// Whether an output that lacks something is an error.
  var isStrict = false
  /// Whether an exclusive output was there already, and was left as it was.
  private(set) var isTaken = false
  /// Of the input, where the output has no alpha.
  private let alpha = AlphaDetector()
  private var encoded: [UInt8] = []
  private var metadata: JPEGMetadata?
  /// Subtitles and chapters; nil of a picture, and where faces are hidden.
  private var extras: FilmExtras?
  private var written = 0
  private let lock = RecursiveLock()

  /// The output file and its format.
  struct Target {
    let path: FilePath
    let type: OutputType
    /// A note for the user.
    var remark: String?
    /// The tag of the temporary file.
    var tag = ""
    /// Whether an output that exists is not replaced.
    var isExclusive = false
    /// Where the output is written as it is made; nil for a file that appears when it is complete.
    var stream: Int32?
  }

  /// `threads`: 0 for all cores.
  init(
    _ source: FilePath, _ effects: EffectOptions, threads: Int,
    name: @escaping (_ type: String, _ isFilm: Bool) throws(ProgramError) -> Target
  ) throws(ProgramError) {
    self.source = source
    self.effects = effects
    self.threads = threads
    self.name = name
    reader = try MediaReader(source)
    reader.connect = { [unowned self] (streams) throws(ProgramError) in try connect(streams) }
  }

  var isFilm: Bool { reader.isFilm }
  var frames: Int { reader.frameCount }
  /// How much of the film is done, 0 to 1; nil where its duration is unknown.
  var progress: Double? {
    reader.length > 0 ? min(1, Double(reader.end) / Double(reader.length)) : nil
  }

  /// Runs to the end and returns what was written; nothing is written where it throws.
  func run(tick: () -> Void = {}) throws(ProgramError) -> Target {
    defer { part?.discard() }
    try reader.play(tick: tick) { [unowned self] problem in
      part?.discard()
      onAbort(problem.text)
    }
    guard let target else { throw .failure("nothing came out of it") }
    if !isFilm {
      try writePicture(target)
    } else if lock({ written }) < frames {
      throw .failure("only \(written) of its \(frames) frames could be encoded")
    }
    guard let part else { return target }
    if isStrict, alpha.hasTransparency, let leftOut {
      throw .failure("with --strict nothing is written: \(leftOut) would be left out")
    }
    try extras?.finish(part)
    try beforeCommit(part)
    if !target.isExclusive {
      try part.commit()
    } else if try !part.commitUnlessTaken() {
      isTaken = true
    }
    return target
  }

  private func connect(_ streams: MediaReader.Streams) throws(ProgramError) {
    tracksLeftOut = streams.morePictures
    if isStrict, tracksLeftOut > 0 {
      throw .failure("with --strict nothing is written: it has more than one picture track")
    }
    let target = try name(reader.type, isFilm)
    self.target = target
    if target.stream == nil { part = try AtomicFile(for: target.path, tag: target.tag) }
    if reader.type == "image/jpeg" { metadata = try JPEGMetadata(source) }
    let picture = streams.picture.videoInfo.map { FilmPicture($0) }
    let hasAlpha =
      effects.chain.makesAlpha || (picture?.hasAlpha ?? false && !effects.chain.replacesBackground)
    let keepsAlpha = hasAlpha && FilmEncoding.keepsAlpha(target.type)
    if target.type != .png, !keepsAlpha { alpha.watch(streams.picture) }
    if target.type.isFilm {
      try connectFilm(streams, target, picture, withAlpha: keepsAlpha)
    } else {
      try connectPicture(streams.picture, target.type)
    }
  }

  private func connectPicture(_ pad: Pad, _ type: OutputType) throws(ProgramError) {
    let encoder = type == .jpeg ? "jpegenc quality=92 snapshot=true" : "pngenc snapshot=true"
    let video = try makeEffectBin("videoconvert ! \(encoder) ! fakesink name=out sync=false")
    reader.holdsFrames = { [unowned self] in lock { encoded.isEmpty } }
    video["out"]?.pad("sink")?.onBuffer { [unowned self] buffer in
      var map = GstMapInfo()
      guard gst_buffer_map(buffer, &map, GST_MAP_READ) != 0 else { return }
      defer { gst_buffer_unmap(buffer, &map) }
      lock {
        if encoded.isEmpty {
          encoded = Array(UnsafeBufferPointer(start: map.data, count: Int(map.size)))
        }
      }
    }
    try linkFiltered(pad, video)
  }

  private func writePicture(_ target: Target) throws(ProgramError) {
    var bytes = lock { encoded }
    guard !bytes.isEmpty else { throw .failure("no picture came out of it") }
    if target.type == .jpeg, let metadata, let size = JPEGFrameHeader.size(bytes) {
      bytes = metadata.inserted(
        into: bytes, width: size.width, height: size.height, keepsRecord: !effects.chain.hidesFaces)
    }
    guard Terminal.writeAll(bytes, to: target.stream ?? part!.descriptor) else {
      throw .failure("\(Terminal.printable(target.path)): \(Terminal.errnoText)")
    }
  }

  private func connectFilm(
    _ streams: MediaReader.Streams, _ target: Target, _ picture: FilmPicture?, withAlpha: Bool
  ) throws(ProgramError) {
    let size = streams.picture.size
    let encoding = FilmEncoding(
      target.type, width: size.width, height: size.height, rate: streams.picture.frameRate,
      threads: threads, picture: picture, withAlpha: withAlpha)
    if !effects.chain.hidesFaces { extras = FilmExtras(streams, target, length: reader.length) }
    // videoflip and facehide have no format of more than 8 bits with alpha.
    let isDeepWithAlpha = picture.map { $0.hasAlpha && $0.depth > 8 } ?? false
    let flips = !isDeepWithAlpha || streams.isTurned
    let eightBits: String? =
      isDeepWithAlpha && (flips || effects.chain.hidesFaces)
      ? "its bits a sample became 8, since \(flips ? "turning" : "hiding faces") keeps no more with alpha"
      : nil
    let losses = [encoding.loss, eightBits].compactMap { $0 } + (extras?.losses ?? [])
    loss = losses.isEmpty ? nil : losses.joined(separator: "; ")
    if isStrict, let loss { throw .failure("with --strict nothing is written: \(loss)") }
    if encoding.video.contains("openh264enc") { Terminal.silenceLibraries() }
    let muxer = try Element.make(encoding.muxer)
    if target.stream != nil {
      for (name, value) in encoding.streamedMuxerProperties { muxer.set(name, value) }
    }
    let sink = try Element.make("fdsink")
    sink.set("fd", "\(target.stream ?? part!.descriptor)")
    reader.pipeline.add(muxer)
    reader.pipeline.add(sink)
    muxer.link(sink)
    if encoding.muxer == "matroskamux" || encoding.muxer == "webmmux" {
      MatroskaTagText.correct(behind: muxer)
    }
    let video = try makeEffectBin(encoding.video, flips: flips)
    if let encoder = video[FilmEncoding.fieldEncoder] { FieldOrder.complete(before: encoder) }
    video.pad("src")?.onBuffer { [unowned self] _ in lock { written += 1 } }
    video.link(muxer)
    try linkFiltered(streams.picture, video)
    for sound in streams.sounds {
      let bin = try Element.bin(encoding.audio)
      reader.pipeline.add(bin)
      bin.link(muxer)
      try linkFiltered(sound, bin)
    }
    try extras?.connect(to: muxer, in: reader.pipeline)
  }

  /// The elements of every frame, then `tail`; `flips`: whether a rotation may have to be applied.
  private func makeEffectBin(_ tail: String, flips: Bool = true) throws(ProgramError) -> Element {
    // A picture's file may hold a second picture, as the previews of phones. GStreamer 1.22's queue
    // never answers the decoder's query for it once the encoder has had the first.
    let queue = isFilm ? "queue ! " : ""
    let flip = flips ? "videoflip name=turn video-direction=auto ! videoconvert" : "identity"
    let video = try Element.bin(
      "\(queue)videoconvert ! \(flip) name=seen\(effects.description) ! \(tail)")
    if let metadata { video["turn"]?.set("video-direction", metadata.videoDirection) }
    try effects.setProperties(in: video, threads: threads, isFilm: isFilm)
    video["seen"]?.pad("src")?.onBuffer { [unowned self] _ in reader.countFrame() }
    if let detector = effects.faceDetector {
      video[detector]?.pad("src")?.onBuffer { [unowned self] in onFrame?($0) }
    }
    reader.pipeline.add(video)
    return video
  }

  private func linkFiltered(_ pad: Pad, _ element: Element) throws(ProgramError) {
    // The filter comes before the encoders, which write tags into their headers.
    if effects.chain.hidesFaces { MetadataFilter(keepsText: effects.keepsText).install(on: pad) }
    guard pad.link(element.pad("sink")) else {
      throw .failure("its \(pad.mediaType ?? "stream") cannot be used")
    }
  }
}
