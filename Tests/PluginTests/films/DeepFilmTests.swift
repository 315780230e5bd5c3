import Support
import Testing

/// `mien decorate` on films of more than 8 bits.
@Suite(.timeLimit(.minutes(20))) struct DeepFilmTests {
  private let scene = MienScene()
  private static let without = [
    "LD_PRELOAD": Photograph.root + "/.build/debug/libfault-injection.so"
  ]

  /// A film of HDR10 as phones and discs have it.
  private func film(_ name: String, format: String = "I420_10LE") throws -> String {
    let path = scene.path(name)
    let muxer = name.hasSuffix(".mkv") ? "matroskamux" : "mp4mux"
    try Pipeline(
      "videotestsrc num-buffers=6 ! video/x-raw,format=\(format),width=128,height=96"
        + ",colorimetry=bt2100-pq,mastering-display-info=(string)"
        + "34000:16000:13250:34500:7500:3000:15635:16450:10000000:500"
        + ",content-light-level=(string)1000:400"
        + " ! x265enc speed-preset=ultrafast ! h265parse ! \(muxer) ! filesink location=\(path)"
    ).run()
    return path
  }

  @Test(arguments: ["mp4", "mkv"])
  func bitsAndColoursAreKept(ending: String) throws {
    let input = try film("film.\(ending)")
    let run = try Command.mien(
      ["decorate", input, scene.path("out.\(ending)"), "--look", "chrome", "--strict"])
    #expect(run.status == 0 && run.errors.isEmpty, "\(run.errors)")
    let described = try scene.described("out.\(ending)")
    #expect(described.contains("video/x-h265") && described.contains("main-10"), "\(described)")
    #expect(described.contains("bt2100-pq"), "\(described)")
    #expect(described.contains("1000:400"), "\(described)")
  }

  @Test func coloursOfFourTwoTwoAreKept() throws {
    let input = try film("film.mkv", format: "I422_10LE")
    let run = try Command.mien(
      ["decorate", input, scene.path("out.mkv"), "--look", "mono", "--strict"])
    #expect(run.status == 0 && run.errors.isEmpty, "\(run.errors)")
    #expect(try scene.described("out.mkv").contains("main-422-10"))
  }

  @Test func whatNoEncoderKeepsIsSaidAndStrictRefusesIt() throws {
    let input = try film("film.mp4")
    let environment = Self.without.merging(["MIEN_WITHOUT": "x265enc"]) { $1 }
    let run = try Command.mien(
      ["decorate", input, scene.path("out.mp4"), "--look", "mono"], environment)
    #expect(run.status == 0)
    #expect(run.errors.hasPrefix("mien: its 10 bits a sample became 8; x265enc"), "\(run.errors)")
    let strict = try Command.mien(
      ["decorate", input, scene.path("strict.mp4"), "--look", "mono", "--strict"], environment)
    #expect(strict.status == 3)
    #expect(strict.errors.contains("with --strict nothing is written"), "\(strict.errors)")
    #expect(try !scene.contents().contains("strict.mp4"))
  }
}
