import CGStreamer
import Client
import Files
import Glibc
import Programs

/// Decodes the video and audio of one picture or film, and checks that the file is complete and that
/// the pipeline makes progress.
final class MediaReader {
  /// The decoded streams of the file.
  struct Streams {
    let picture: Pad
    /// The number of video streams beyond the first.
    let morePictures: Int
    let sounds: [Pad]
    /// Subtitles as text.
    let subtitles: [Pad]
    /// The number of tracks of subtitles that are pictures or of an unknown kind.
    let pictureSubtitles: Int
    /// Whether subtitles of SubStation Alpha are among them.
    let hasStyledSubtitles: Bool
    /// Whether the pictures may have to be turned.
    let isTurned: Bool
    /// Chapters that are sent along with the streams.
    let sentChapters: ChapterList?
    /// Chapters in the headers of an MP4 file, and whether it has a track of them.
    let chapters: ChapterList?
    let hasChapterTrack: Bool
  }

  let source: FilePath
  let pipeline: Element
  private let decoder: Element
  let integrity: IntegrityMonitor
  /// The media type of the file, as "image/jpeg"; empty before it is known.
  private(set) var type = ""
  /// Guarded by `lock`, like the number of tracks of subtitles that nothing decodes.
  private var hasStyledSubtitles = false
  private var unreadSubtitles = 0
  /// What the container's headers say.
  private var contents = Container.Contents()
  /// The duration in nanoseconds that the file gives; 0 where it gives none.
  private(set) var length = 0
  private(set) var picture: StreamStatistics?
  private var sounds: [StreamStatistics] = []
  /// Guards `frames` and `failure`.
  private let lock = RecursiveLock()
  private var frames = 0
  private var failure: ProgramError?
  private let endOfFile = EndOfFileMonitor()
  private let movieHeaderPatch = MovieHeaderPatch()
  /// Whether counted frames are still in the pipeline.
  var holdsFrames: () -> Bool = { false }
  /// Whether a frame waits until it is due, so that nothing else moves.
  var waitsForTime: () -> Bool = { false }
  private var waits = 0
  /// Called on a streaming thread once all streams are known.
  ///
  /// Its error ends `play`.
  var connect: (Streams) throws(ProgramError) -> Void = { _ in }

  init(_ source: FilePath) throws(ProgramError) {
    self.source = source
    guard !GIFHeader.isBroken(source) else {
      throw .damaged("it ends in its header, or has no area")
    }
    if let reason = PictureHeader.rejectionReason(source) { throw .failure(reason) }
    if let picture = try? JPEGMetadata(source), picture.isCoarseGrey {
      for kind in ["jpegparse", "avdec_mjpeg"] { Element.rankFirst(kind) }
    }
    pipeline = try Element.pipeline()
    decoder = try Element.make("uridecodebin")
    integrity = IntegrityMonitor(decoder)
    integrity.onDamage = { [unowned self] in stop(.damaged($0)) }
    decoder.set("uri", string: try Self.fileURI(source))
    decoder.onElement("source-setup") { [unowned self] in
      endOfFile.watch($0, size: Self.fileSize(source))
      movieHeaderPatch.patchReads(of: $0)
    }
    decoder.onMediaType("autoplug-continue") { [unowned self] in setFileType($0) }
    decoder.onMediaType("unknown-type") { [unowned self] in stopForMissingDecoder($0) }
    decoder.on("no-more-pads") { [unowned self] in connectStreams() }
    pipeline.add(decoder)
  }

  /// Whether the media type is not "image/...".
  var isFilm: Bool { !type.hasPrefix("image/") }

  /// Counts a frame; call it for each that passes.
  func countFrame() { lock { frames += 1 } }

  var frameCount: Int { lock { frames } }

  /// The end of the last frame that passed, in nanoseconds.
  var end: Int { picture.map { integrity.latestEnd(of: $0) } ?? 0 }

  /// Ends `play` with an error; for any thread.
  ///
  /// The first call counts.
  func stop(_ why: ProgramError) { lock { failure = failure ?? why } }

  /// Plays to the end; throws an error, or what is missing from the file.
  ///
  /// `tick` is called several times a second; `abandon` is called before the process exits because the
  /// pipeline does not stop.
  func play(tick: () -> Void, abandon: @escaping (ProgramError) -> Void) throws(ProgramError) {
    var watchdog = Watchdog()
    if !pipeline.setState(GST_STATE_PLAYING) {
      if case .error(let report)? = pipeline.nextMessage(milliseconds: 0) {
        stopWithBusError(report)
      }
      stop(.failure("GStreamer cannot play it"))
    }
    play: while lock({ failure == nil }) {
      switch pipeline.nextMessage(milliseconds: 40) {
      case .endOfStream: break play
      case .error(let report): stopWithBusError(report)
      case .warning(let report) where !report.isMissingPlugin:
        if report.source?.isInside(decoder) == true { stop(.damaged(report.text)) }
      default: break
      }
      if let signal = TerminationSignal.received { stop(.interrupted(signal)) }
      if endOfFile.hasEnded(frames: holdsFrames() || waitsForTime() ? 0 : frameCount) { break }
      if let reason = watchdog.stallReason(progress) { stop(.failure(reason)) }
      tick()
    }
    stopPipeline(&watchdog, abandon)
    if let failure = lock({ failure }) { throw failure }
    if frameCount == 0 { throw .damaged("no frame came out of it") }
    if isFilm, let picture,
      let reason = integrity.defect(
        picture: picture, sounds: sounds, length: length, contents: contents)
    {
      throw .damaged(reason)
    }
  }

  private func progress() -> Int {
    if waitsForTime() { waits += 1 }
    return integrity.passedBufferCount + frameCount + waits
  }

  private func stopWithBusError(_ report: BusReport) {
    let (text, detail) = (report.text, report.shortDetail)
    if detail.contains("not-negotiated"), let reason = integrity.unknownFormatError {
      stop(.failure(reason))
    }
    let reason = detail.isEmpty ? text : "\(text) (\(detail))"
    let isDamage = report.source?.isInside(decoder) == true && !report.isMissingPlugin
    stop(isDamage ? .damaged(reason) : .failure(reason))
  }

  /// Stops the pipeline; where one of its threads does not end, exits the process.
  private func stopPipeline(_ watchdog: inout Watchdog, _ abandon: (ProgramError) -> Void) {
    let ended = Latch()
    let pipeline = pipeline
    DetachedThread.run {
      pipeline.setState(GST_STATE_NULL)
      ended.open()
    }
    while !ended.wait(milliseconds: 50) {
      guard let reason = watchdog.stallReason(progress) else { continue }
      stop(.failure(reason))
      abandon(lock { failure! })
      _exit(lock { failure! }.code)
    }
  }

  private static let subtitleKinds = [
    "subpicture/", "subtitle/", "application/x-ass", "application/x-ssa",
  ]

  private func setFileType(_ type: String) {
    if type == "application/x-ass" || type == "application/x-ssa" {
      lock { hasStyledSubtitles = true }
    }
    // The first type is that of the file.
    guard self.type.isEmpty else { return }
    self.type = type
    do throws(ProgramError) {
      contents = try Container.check(source, type)
      movieHeaderPatch.setPatches(contents.patches)
    } catch { stop(error) }
  }

  private func stopForMissingDecoder(_ type: String) {
    if Self.subtitleKinds.contains(where: type.hasPrefix) { lock { unreadSubtitles += 1 } }
    guard ["video/", "audio/", "image/"].contains(where: type.hasPrefix) else { return }
    stop(
      .failure(
        "there is no decoder for \(type); most are in gstreamer1.0-libav and -plugins-bad"))
  }

  private func connectStreams() {
    var (pictures, sounds, subtitles): ([Pad], [Pad], [Pad]) = ([], [], [])
    var pictureSubtitles = lock { unreadSubtitles }
    for pad in decoder.sourcePads {
      // nil where no frame could be decoded.
      let kind = pad.mediaType ?? ""
      if kind.hasPrefix("video/") { pictures.append(pad) }
      if kind.hasPrefix("audio/") { sounds.append(pad) }
      if kind.hasPrefix("text/") { subtitles.append(pad) }
      if Self.subtitleKinds.contains(where: kind.hasPrefix) { pictureSubtitles += 1 }
    }
    guard let first = pictures.first else { return stop(.damaged("there is no picture in it")) }
    let size = first.size
    if let reason = FrameSizeLimit.violation(width: size.width, height: size.height) {
      return stop(.failure(reason))
    }
    if isFilm {
      picture = integrity.watchPicture(first)
      self.sounds = sounds.map { integrity.watchSound($0) }
      length = contents.length > 0 ? contents.length : first.duration
    }
    do throws(ProgramError) {
      try connect(
        Streams(
          picture: first, morePictures: pictures.count - 1, sounds: sounds, subtitles: subtitles,
          pictureSubtitles: pictureSubtitles, hasStyledSubtitles: lock { hasStyledSubtitles },
          isTurned: integrity.isTurned, sentChapters: integrity.sentChapters,
          chapters: contents.chapters,
          hasChapterTrack: contents.hasChapterTrack))
    } catch { stop(error) }
  }

  private static func fileSize(_ path: FilePath) -> Int {
    if case .file(let size) = FileKind(path) { return size }
    return 0
  }

  /// The file as a URI.
  ///
  /// Names are bytes and need not be UTF-8, which GLib handles.
  private static func fileURI(_ path: FilePath) throws(ProgramError) -> FilePath {
    var full = path
    if !path.isAbsolute, let folder = g_get_current_dir() {
      full = FilePath(UnsafePointer(folder)).appending(path)
      g_free(folder)
    }
    guard let uri = full.withCString({ g_filename_to_uri($0, nil, nil) }) else {
      throw .failure("\(Terminal.printable(path)) cannot be named to GStreamer")
    }
    defer { g_free(uri) }
    return FilePath(UnsafePointer(uri))
  }
}
