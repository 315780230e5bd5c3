import CGStreamer
import Support
import Testing

/// `mien batch` with damaged films: each is listed with a reason or its output has all frames, none
/// blocks the batch, and intact films never count as broken.
@Suite(.timeLimit(.minutes(20))) struct BatchDamageTests {
  private let scratch = ScratchFolder()
  private var folder: String { scratch.path + "/in" }
  private var outfolder: String { scratch.path + "/out" }

  private func make(_ films: [SmallFilm], in folder: String) throws {
    try #require(try Command(["mkdir", "-p", folder]).status == 0)
    for film in films { try film.make(in: folder) }
  }

  /// Runs the batch; assertions of GStreamer fail on some broken films and must not be fatal.
  private func batch() throws -> Command {
    try Command.mien(["batch", folder, outfolder, "--sticker", "halo"], ["G_DEBUG": ""])
  }

  private struct Length: Equatable {
    var frames = 0
    var sound = 0.0
  }

  /// The number of frames, and the seconds of sound, of an output.
  private func length(_ name: String) throws -> Length {
    let pipeline = try Pipeline(
      "filesrc location=\(try #require(try outcome(name))) ! decodebin name=d"
        + " d. ! queue ! video/x-raw(ANY) ! fakesink name=v d. ! queue ! audio/x-raw ! fakesink name=a"
    )
    var length = Length()
    try pipeline.watch("v") { _ in length.frames += 1 }
    try pipeline.watch("a") { buffer in
      let (time, lasting) = (buffer.pointee.pts, buffer.pointee.duration)
      guard time != cgst_clock_time_none else { return }
      length.sound = max(
        length.sound,
        Double(time + (lasting == cgst_clock_time_none ? 0 : lasting)) / 1e9)
    }
    try pipeline.run(seconds: 10)
    return length
  }

  /// The path of an output, whether its type was kept or not.
  private func outcome(_ name: String) throws -> String? {
    try [name, name + ".webm"].map { outfolder + "/" + $0 }.first {
      try Command(["test", "-e", $0]).status == 0
    }
  }

  /// The list at the end of the report: reasons by file name.
  private func listed(_ run: Command) -> [String: String] {
    var reasons: [String: String] = [:]
    for line in run.errors.split(separator: "\n") where line.hasPrefix("  ") {
      guard let colon = line.firstIndex(of: ":") else { continue }
      reasons[String(line[..<colon].dropFirst(2))] = String(line[colon...].dropFirst(2))
    }
    return reasons
  }

  @Test func completeFilmsAreNeverReportedAsDamaged() throws {
    let odd = SmallFilm.odd.prefix(rounds == nil ? 9 : .max)
    try make(SmallFilm.plain + odd, in: folder)
    let stills = [("jpegenc", "jpg"), ("pngenc", "png"), ("webpenc", "webp"), ("pnmenc", "ppm")]
    for (encoder, ending) in stills {
      try Pipeline(
        "videotestsrc num-buffers=1 ! videoconvert ! \(encoder)"
          + " ! filesink location=\(folder)/still.\(ending)"
      ).run()
    }
    let run = try batch()
    #expect(run.status == 0, "\(run.errors)")
    let count = SmallFilm.plain.count + odd.count + stills.count
    #expect(run.output.contains("\(count) of \(count) are done"))
    for film in SmallFilm.plain {
      let length = try length(film.name)
      #expect(
        length.frames == film.frames && abs(length.sound - 2) < 0.1, "\(film.name): \(length)")
    }
  }

  @Test func emptyBlocksOfMatroskaAreNotDamage() throws {
    try make([], in: folder)
    try MatroskaGaps.write("in/gaps.webm", in: scratch)
    let run = try batch()
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.output.contains("gaps.webm: \(MatroskaGaps.frames) frames"), "\(run.output)")
  }

  @Test func damageInsideAFilmIsReported() throws {
    try make(SmallFilm.lacking, in: folder)
    let run = try batch()
    #expect(run.status == 5)
    let reasons = listed(run)
    #expect(reasons["picture-ends.mkv"]?.hasPrefix("its picture ends after 1.00 s") == true)
    #expect(reasons["picture-hole.mkv"]?.hasPrefix("its picture has a hole of 0.7") == true)
    #expect(reasons["sound-hole.webm"]?.hasPrefix("its sound has a hole of 0.") == true)
    #expect(run.output.contains("0 of 3 are done"), "\(run.output)")
  }

  /// The number of rounds, with seeds from MIEN_DAMAGE_SEED on; each round applies every kind of
  /// damage to every film.
  ///
  /// By default there is one short round: each kind of damage is applied to one film, and fewer
  /// intact films are processed.
  private let rounds = g_getenv("MIEN_DAMAGE_ROUNDS").flatMap { UInt64(String(cString: $0)) }

  @Test func allDamageIsReportedAndNeverBlocksTheBatch() throws {
    let first = g_getenv("MIEN_DAMAGE_SEED").flatMap { UInt64(String(cString: $0)) } ?? 1
    let whole = scratch.path + "/whole"
    try make(SmallFilm.plain, in: whole)
    for seed in first..<first + (rounds ?? 1) {
      try damageAndCheck(whole, seed: seed, isShort: rounds == nil)
    }
  }

  private func damageAndCheck(_ whole: String, seed: UInt64, isShort: Bool) throws {
    try #require(
      try Command(["sh", "-c", "rm -rf \(folder) \(outfolder); mkdir \(folder)"]).status == 0)
    var made: [String: (damage: Damage, film: SmallFilm)] = [:]
    for (index, film) in SmallFilm.plain.enumerated() {
      let bytes = ScratchFolder.bytes(whole + "/" + film.name)
      for (number, damage) in Damage.allCases.enumerated() {
        if isShort && number % SmallFilm.plain.count != index { continue }
        let name = "\(damage.rawValue)-\(film.name)"
        scratch.write("in/" + name, damage.done(to: bytes, seed: seed &* 1000 &+ UInt64(index)))
        made[name] = (damage, film)
      }
    }
    let run = try batch()
    // A stalled decoder is no proof of damage.
    #expect([1, 5].contains(run.status))
    let reasons = listed(run)
    for (name, done) in made.sorted(by: { $0.key < $1.key }) {
      guard try outcome(name) != nil else {
        #expect(reasons[name]?.isEmpty == false, "seed \(seed): \(name) was lost quietly")
        #expect(
          reasons[name]?.contains("gave no reason") != true, "seed \(seed): \(name) ended its job")
        continue
      }
      #expect(reasons[name] == nil, "seed \(seed): \(name) came out and is listed")
      #expect(!done.damage.mustBeFound, "seed \(seed): \(name) came out")
      let length = try length(name)
      #expect(
        length.frames == done.film.frames && length.sound > 1.9,
        "seed \(seed): \(name) came out with \(length)")
    }
    if !isShort { print(summary(run, seed)) }
  }

  /// A summary of a round: the number of outputs, and the count of each reason.
  private func summary(_ run: Command, _ seed: UInt64) -> String {
    var counts: [String: Int] = [:]
    for reason in listed(run).values {
      counts[reason.filter { !$0.isNumber && $0 != "." }, default: 0] += 1
    }
    let lines = counts.sorted { $0.value > $1.value }.map { "\($0.value) \($0.key.prefix(60))" }
    return "seed \(seed): \(run.output.split(separator: "\n").last ?? "")\n  "
      + lines.joined(separator: "\n  ")
  }
}
