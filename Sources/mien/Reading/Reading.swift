import CGStreamer
import Files
import Glibc
import Programs

/// One picture or film on its way from its file to whoever looks at its frames, decoded, with its
/// sounds, and watched: whether it is whole, and whether it still moves.
final class Reading {
  /// The streams that came out of the file.
  struct Streams {
    let picture: Pad
    /// Picture tracks beyond the first.
    let morePictures: Int
    let sounds: [Pad]
  }

  let source: FilePath
  let pipeline: Element
  private let decoder: Element
  let evidence: Evidence
  /// The type of the file, as "image/jpeg", once it is known.
  private(set) var type = ""
  /// What the container says.
  private var contents = Container.Contents()
  /// Nanoseconds, as the file says; 0 where it does not.
  private(set) var length = 0
  private(set) var picture: Track?
  private var sounds: [Track] = []
  /// Frames that have passed the user of this; for the streaming thread.
  private let lock = Lock()
  private var frames = 0
  private var failure: Problem?
  private var reads = EndOfReads()
  private let movieHeader = MovieHeader()
  /// Whether frames that have passed are still on their way.
  var isHeld: () -> Bool = { false }
  /// Called on a streaming thread once all streams are known; what it throws ends the reading.
  var connect: (Streams) throws(Problem) -> Void = { _ in }

  init(_ source: FilePath) throws(Problem) {
    self.source = source
    guard !GIFHeader.isBroken(source) else {
      throw .failure("it ends in its header, or has no area")
    }
    if let reason = PictureHeader.refusal(source) { throw .failure(reason) }
    if let picture = try? JPEGMetadata(source), picture.isCoarseGrey {
      for kind in ["jpegparse", "avdec_mjpeg"] { Element.prefer(kind) }
    }
    pipeline = try Element.pipeline()
    decoder = try Element.make("uridecodebin")
    evidence = Evidence(decoder)
    evidence.report = { [unowned self] in stop(.failure($0)) }
    decoder.set("uri", text: try Self.uri(source))
    decoder.onElement("source-setup") { [unowned self] in
      reads.watch($0, size: Self.size(source))
      movieHeader.watch($0)
    }
    decoder.onType("autoplug-continue") { [unowned self] in typeSeen($0) }
    decoder.onType("unknown-type") { [unowned self] in typeUnknown($0) }
    decoder.on("no-more-pads") { [unowned self] in streamsKnown() }
    pipeline.add(decoder)
  }

  /// A picture's file is an "image/" of some kind.
  var isFilm: Bool { !type.hasPrefix("image/") }

  /// To be called for each frame that has passed.
  func count() { lock { frames += 1 } }

  var frameCount: Int { lock { frames } }

  /// How far the film is, nanoseconds.
  var end: Int { picture.map { evidence.end($0) } ?? 0 }

  /// Ends `play` with a failure; from any thread, and the first reason stands.
  func stop(_ why: Problem) { lock { failure = failure ?? why } }

  /// Plays to the end; `tick` is called some times a second, `abandon` before the process is ended
  /// because the pipeline does not stop.
  ///
  /// Throws why the file is not whole.
  func play(tick: () -> Void, abandon: @escaping (Problem) -> Void) throws(Problem) {
    var watch = StallWatch()
    if !pipeline.setState(GST_STATE_PLAYING) {
      if case .error(let text, let detail, _)? = pipeline.listen(milliseconds: 0) {
        fail(text, detail)
      }
      stop(.failure("GStreamer cannot play it"))
    }
    play: while lock({ failure == nil }) {
      switch pipeline.listen(milliseconds: 40) {
      case .end: break play
      case .error(let text, let detail, _): fail(text, detail)
      case .warning(let text, let element):
        if element.isInside(decoder) { stop(.failure(text)) }
      case nil: break
      }
      if let signal = Interruption.signal { stop(.interrupted(signal)) }
      if reads.areOver(frames: isHeld() ? 0 : frameCount) { break }
      if let reason = watch.look(moved) { stop(.failure(reason)) }
      tick()
    }
    stopPipeline(&watch, abandon)
    if let failure = lock({ failure }) { throw failure }
    if frameCount == 0 { throw .failure("no frame came out of it") }
    if isFilm, let picture,
      let reason = evidence.verdict(
        picture: picture, sounds: sounds, length: length, contents: contents)
    {
      throw .failure(reason)
    }
  }

  private func moved() -> Int { evidence.passed + frameCount }

  private func fail(_ text: String, _ detail: String) {
    if detail.contains("not-negotiated"), let reason = evidence.unknownFormat {
      stop(.failure(reason))
    }
    stop(.failure(detail.isEmpty ? text : "\(text) (\(detail))"))
  }

  /// Ends all threads of the pipeline; where one does not end, the process.
  private func stopPipeline(_ watch: inout StallWatch, _ abandon: (Problem) -> Void) {
    let ended = Lock.Flag()
    let pipeline = pipeline
    Worker.run {
      pipeline.setState(GST_STATE_NULL)
      ended.raise()
    }
    while !ended.wait(milliseconds: 50) {
      guard let reason = watch.look(moved) else { continue }
      stop(.failure(reason))
      abandon(lock { failure! })
      _exit(lock { failure! }.code)
    }
  }

  private func typeSeen(_ type: String) {
    // The first type is that of the file; frame rates do not tell, for films may have none.
    guard self.type.isEmpty else { return }
    self.type = type
    do throws(Problem) {
      contents = try Container.check(source, type)
      movieHeader.correct(contents.corrections)
    } catch { stop(error) }
  }

  private func typeUnknown(_ type: String) {
    guard ["video/", "audio/", "image/"].contains(where: type.hasPrefix) else { return }
    stop(
      .failure(
        "there is no decoder for \(type); most are in gstreamer1.0-libav and -plugins-bad"))
  }

  private func streamsKnown() {
    var (pictures, sounds): ([Pad], [Pad]) = ([], [])
    for pad in decoder.sourcePads {
      // None where not a frame could be decoded.
      let kind = pad.mediaType ?? ""
      if kind.hasPrefix("video/") { pictures.append(pad) }
      if kind.hasPrefix("audio/") { sounds.append(pad) }
    }
    guard let first = pictures.first else { return stop(.failure("there is no picture in it")) }
    let size = first.size
    if let reason = FrameSizes.reason(width: size.width, height: size.height) {
      return stop(.failure(reason))
    }
    if isFilm {
      picture = evidence.watchPicture(first)
      self.sounds = sounds.map { evidence.watchSound($0) }
      length = contents.length > 0 ? contents.length : first.length
    }
    do throws(Problem) {
      try connect(Streams(picture: first, morePictures: pictures.count - 1, sounds: sounds))
    } catch { stop(error) }
  }

  private static func size(_ path: FilePath) -> Int {
    if case .file(let size) = FileKind(path) { return size }
    return 0
  }

  /// A file's name is bytes, which need not be text; GLib makes a URI of it all the same.
  private static func uri(_ path: FilePath) throws(Problem) -> FilePath {
    var full = path
    if !path.isAbsolute, let folder = g_get_current_dir() {
      full = FilePath(UnsafePointer(folder)).appending(path)
      g_free(folder)
    }
    guard let uri = full.withCString({ g_filename_to_uri($0, nil, nil) }) else {
      throw .failure("\(Terminal.shown(path)) cannot be named to GStreamer")
    }
    defer { g_free(uri) }
    return FilePath(UnsafePointer(uri))
  }
}
