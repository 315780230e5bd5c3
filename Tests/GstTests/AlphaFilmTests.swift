import CGStreamer
import Decoding
import Files
import Frames
import Pixels
import Support
import Testing

/// Films with alpha, whose colour and alpha are two streams that GStreamer decodes side by side.
@Suite(.timeLimit(.minutes(20))) struct AlphaFilmTests {
  private let scratch = ScratchFolder()

  init() { gst_init(nil, nil) }

  private static let codecs = ["libvpx-vp9 -cpu-used 8", "libvpx -auto-alt-ref 0"]

  /// A film of 40 frames, whose alpha rises from the left to the right.
  private func film(_ codec: String) throws -> String {
    let path = scratch.path + "/film.webm"
    let made = try Command([
      "bash", "-c",
      "ffmpeg -nostdin -v error -y -f lavfi -i testsrc2=s=160x120:r=20:d=2"
        + " -vf \"format=rgba,geq=r='r(X,Y)':g='g(X,Y)':b='b(X,Y)':a='X',format=yuva420p\""
        + " -c:v \(codec) \(path)",
    ])
    try #require(made.status == 0, "\(made.errors)")
    return path
  }

  @Test(arguments: codecs) func allFramesAreDecodedWithTheirAlpha(_ codec: String) throws {
    let frames = try PictureFile.decode(
      PictureFile.open(FilePath(film(codec))), limits: .init(frames: 100))
    #expect(frames.count == 40)
    frames.last?.picture.withPicture { picture in
      let row = picture.plane(0).row(60)
      let alpha = [10, 80, 150].map { Int(row[$0 * 4 + 3]) }
      #expect(zip(alpha, [10, 80, 150]).allSatisfy { abs($0 - $1) < 12 }, "\(alpha)")
    }
  }

  /// `alphacombine` waits for the frame that one of its decoders has lost.
  @Test(arguments: codecs) func damagedFilmsAreAnsweredWithinSeconds(_ codec: String) throws {
    let whole = try ScratchFolder.bytes(film(codec))
    var random = SplitMix(7)
    for damage in 0..<8 {
      var bytes = whole
      for _ in 0..<[3, 20, 60][damage % 3] {
        bytes[.random(in: 600..<bytes.count, using: &random)] = .random(in: 0...255, using: &random)
      }
      if damage % 3 == 0 { bytes.removeLast(.random(in: 0..<bytes.count / 2, using: &random)) }
      let path = scratch.write("damaged.webm", bytes)
      let start = ContinuousClock.now
      do {
        let file = try PictureFile.open(FilePath(path))
        #expect(try !PictureFile.decode(file, limits: .init(frames: 100)).isEmpty)
      } catch {
        #expect(error.message.hasPrefix("\(path) cannot be decoded: "), "\(error.message)")
      }
      // Given up after five; a busy machine is slower.
      #expect(ContinuousClock.now - start < .seconds(20), "damage \(damage)")
    }
  }
}
