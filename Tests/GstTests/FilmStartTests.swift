import CGStreamer
import Decoding
import Files
import Frames
import Support
import Synchronization
import Testing
import Threads

/// Films with sound, of which pictures alone are wanted.
@Suite(.timeLimit(.minutes(20))) struct FilmStartTests {
  /// Two seconds of a film.
  struct Kind: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let muxer: String
    let video: String
    /// Of each sound track its encoder, and how many seconds it lasts.
    let sounds: [(encoder: String, seconds: Int)]
    /// Whether the file names its sound first.
    var beginsWithSound = false

    func make(at path: String) throws {
      let pictures =
        " videotestsrc num-buffers=60 ! video/x-raw,width=320,height=180,framerate=30/1"
        + " ! videoconvert ! \(video) ! queue ! mux."
      let sound = sounds.map { sound in
        " audiotestsrc samplesperbuffer=4410 num-buffers=\(10 * sound.seconds) ! audio/x-raw,rate=44100"
          + " ! audioconvert ! audioresample ! \(sound.encoder) ! queue ! mux."
      }.joined()
      try Pipeline(
        "\(muxer) name=mux ! filesink location=\(path)"
          + (beginsWithSound ? sound + pictures : pictures + sound)
      ).run()
    }
  }

  static let kinds = [
    Kind(
      testDescription: "Ogg", muxer: "oggmux", video: "theoraenc", sounds: [("vorbisenc", 2)]),
    Kind(
      testDescription: "Ogg that begins with its sound", muxer: "oggmux", video: "theoraenc",
      sounds: [("opusenc", 2)], beginsWithSound: true),
    Kind(
      testDescription: "MP4 with two sound tracks", muxer: "mp4mux",
      video: "openh264enc ! h264parse", sounds: [("avenc_aac", 2), ("avenc_aac", 2)]),
    Kind(
      testDescription: "MOV with sound that lasts longer", muxer: "qtmux", video: "jpegenc",
      // qtdemux leaves out a track that is shorter than a fifth of the film.
      sounds: [("avenc_aac", 8)], beginsWithSound: true),
    Kind(
      testDescription: "WebM", muxer: "webmmux", video: "vp8enc deadline=1 cpu-used=8",
      sounds: [("opusenc", 2)]),
    Kind(
      testDescription: "AVI", muxer: "avimux", video: "jpegenc",
      sounds: [("audioconvert", 2)]),
    Kind(
      testDescription: "MPEG-TS", muxer: "mpegtsmux", video: "openh264enc ! h264parse",
      sounds: [("avenc_aac ! aacparse", 2)]),
    Kind(testDescription: "a silent film", muxer: "matroskamux", video: "jpegenc", sounds: []),
  ]

  /// Keeps a processor busy until it goes.
  private final class BusyThread {
    private let worker = BackgroundWorker<Bool>(unavailable: false)

    init() {
      worker.request { order in
        while !order.isCancelled {}
        return true
      }
    }

    deinit { worker.stop() }
  }

  /// Sound that nobody decodes fills a queue; a decoder that waits for it waits for ever.
  @Test(arguments: kinds) func aFilmBeginsAndEndsWhateverSoundItHas(kind: Kind) throws {
    let folder = ScratchFolder()
    let path = folder.path + "/film"
    try kind.make(at: path)
    let busy = [BusyThread(), BusyThread()]
    defer { extendLifetime(busy) }
    for _ in 0..<3 {
      let file = try PictureFile.open(FilePath(path))
      // A busy machine is slower; those that waited in vain did so for a minute.
      func order() -> CancellationToken { CancellationToken(limit: .seconds(20)) }
      #expect(try PictureFile.decode(file, order: order()).count == 1)
      let count = Mutex(0)
      _ = try PictureFile.play(file, order: order()) { _ in
        count.withLock { $0 += 1 }
        return true
      }
      // Encoders leave out or repeat pictures at the ends.
      #expect(abs(count.withLock { $0 } - 60) <= 2)
    }
  }

  @Test func soundAloneIsRefusedInOneSentence() throws {
    let folder = ScratchFolder()
    for (name, elements) in [
      ("a.wav", "wavenc"), ("a.ogg", "vorbisenc ! oggmux"), ("a.m4a", "avenc_aac ! mp4mux"),
    ] {
      let path = folder.path + "/" + name
      try Pipeline(
        "audiotestsrc num-buffers=20 ! audioconvert ! \(elements) ! filesink location=\(path)"
      ).run()
      let error = #expect(throws: ElementError.self) {
        _ = try PictureFile.decode(
          PictureFile.open(FilePath(path)), order: CancellationToken(limit: .seconds(20)))
      }
      #expect(error?.message == "\(path) cannot be decoded: it has no pictures.")
    }
  }

  /// Of 60 frames of 1.2 MB the first 55 are kept at first, and the 59th cannot be decoded.
  @Test func anErrorBehindWhatIsEnoughChangesNothing() throws {
    let folder = ScratchFolder()
    let path = folder.path + "/film.mov"
    try Pipeline(
      "videotestsrc num-buffers=60 ! video/x-raw,width=640,height=480 ! pngenc ! qtmux"
        + " ! filesink location=\(path)"
    ).run()
    var bytes = ScratchFolder.bytes(path)
    let starts = bytes.indices.filter { bytes[$0...].starts(with: [137, 80, 78, 71]) }
    try #require(starts.count == 60)
    for at in starts[58]..<starts[58] + 60 { bytes[at] = 0xFF }
    let file = try PictureFile.open(FilePath(folder.write("broken.mov", bytes)))
    #expect(try PictureFile.decode(file, limits: .init(frames: 57)).count == 57)
  }
}
