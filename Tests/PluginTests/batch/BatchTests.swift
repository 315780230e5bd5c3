import CGStreamer
import Support
import Testing

/// `mien batch`: outputs are complete or absent, even after interruptions.
@Suite(.timeLimit(.minutes(20))) struct BatchTests {
  private let scratch = ScratchFolder()
  private var folder: String { scratch.path + "/in" }
  private var outfolder: String { scratch.path + "/out" }

  /// A stub of ssh: runs the command on this machine and records the host name.
  static let sshStub = Array(
    """
    #!/bin/sh
    while :; do case $1 in -[lpioFS]) shift 2 ;; -*) shift ;; *) break ;; esac; done
    echo "$1" >>"${0%/*}/asked"
    shift
    [ "$1" != -- ] || shift
    # sshd sets it, and parallel asks for it there.
    export SHELL=/bin/sh
    exec sh -c "$*"

    """.utf8)

  private func makeClips(_ count: Int) throws {
    let made = try Command(["pipelines/clips.sh", folder, "\(count)", "10"])
    try #require(made.status == 0, "\(made.errors)")
  }

  private func batch(_ options: [String] = []) throws -> Command {
    try Command.mien(["batch", folder, outfolder, "--sticker", "halo"] + options)
  }

  private func shell(_ script: String, _ arguments: [String] = []) throws -> Command {
    try Command.shell(script, arguments)
  }

  /// Path, inode and time of each output.
  private func films() throws -> Set<Substring> {
    Set(
      try Command(["find", outfolder, "-name", "*.webm", "-printf", "%P %i %T@\n"]).output
        .split(separator: "\n"))
  }

  /// The numbers of decoded frames and audio buffers of a film.
  private func decoded(_ film: String) throws -> (frames: Int, sounds: Int) {
    let pipeline = try Pipeline(
      "filesrc location=\(film) ! matroskademux name=d d.video_0 ! queue ! vp8dec"
        + " ! fakesink name=v d.audio_0 ! queue ! vorbisdec ! fakesink name=a")
    var (frames, sounds) = (0, 0)
    try pipeline.watch("v") { _ in frames += 1 }
    try pipeline.watch("a") { _ in sounds += 1 }
    try pipeline.run()
    return (frames, sounds)
  }

  @Test func aKilledBatchResumesWithCompleteFilmsProcessedOnce() throws {
    try makeClips(20)
    // Seconds after the first output; the files in progress at that time vary.
    let moment = 0.7
    let killed = try shell(
      """
      setsid $mien batch "$1" "$2" -s halo >/dev/null 2>&1 & group=$!
      until compgen -G "$2/*.webm" >/dev/null || ! kill -0 $group; do sleep 0.05; done
      sleep \(moment)
      kill -KILL -- -$group
      wait $group
      """, [folder, outfolder])
    #expect([-9, 137].contains(killed.status), "\(killed.errors)")
    let before = try films()
    #expect(!before.isEmpty)

    let again = try batch()
    #expect(again.status == 0, "after \(moment) s: \(again.output)\(again.errors)")
    let after = try films()
    #expect(after.count == 20)
    // A job may have completed its film while the batch was killed.
    #expect(after.isSuperset(of: before), "after \(moment) s")
    for number in 1...20 {
      let film = try decoded("\(outfolder)/clip-\(number).webm")
      #expect(film.frames == 10 && film.sounds > 0, "after \(moment) s: clip \(number)")
    }
    let parts = try Command(["find", outfolder, "-name", ".mien-part-*"]).output
    #expect(parts.isEmpty)
    let third = try batch()
    #expect(third.output.contains("20 films and pictures, 20 done already, 0 to do"))
    #expect(try films() == after)
  }

  @Test func anyFileNameWorksAndBrokenFilmsAreListed() throws {
    try makeClips(1)
    let made = try shell(
      """
      cd -- "$1" && mkdir 'sub folder' && cp clip-1.webm -- '-dash.webm' && cp clip-1.webm "it's.webm"
      cp clip-1.webm $'sub folder/new\\nline "quoted" $HOME.WEBM' && mv clip-1.webm $'d\\xe9j\\xc3\\xa0.webm'
      cp "$2" 'photo graph.PNG'
      head -c 9000 -- -dash.webm >'cut short.webm'
      echo nothing >broken.mp4 && echo nothing >notes.txt
      """, [folder, Photograph.path])
    try #require(made.status == 0, "\(made.errors)")
    let run = try batch(["--", "--jobs", "2"])
    #expect(run.status == 5)
    #expect(run.output.contains("7 films and pictures, 0 done already, 7 to do; 1 other"))
    #expect(run.output.contains("5 of 7 are done"))
    #expect(run.errors.contains("\n  cut short.webm: "))
    #expect(run.errors.contains("\n  broken.mp4: "))
    let found = try shell(
      """
      cd -- "$1" && for file in -dash.webm "it's.webm" 'photo graph.PNG' \
        $'sub folder/new\\nline "quoted" $HOME.WEBM' $'d\\xe9j\\xc3\\xa0.webm'; do
        test -s "./$file" || printf '%q ' "$file"
      done; find . -type f | grep -c .
      """, [outfolder])
    // A name with a line break counts as two lines.
    #expect(found.output == "6\n", "\(found.output)")
  }

  @Test func skippedEntriesOfTheFolderAreReported() throws {
    try makeClips(1)
    try SmallFilm.twoPictures.make(in: folder)
    let made = try shell(
      """
      cd -- "$1" && mkdir inner locked "$2" && cp clip-1.webm inner/b.webm
      cp clip-1.webm locked && chmod 0 locked
      mkdir -p "$2/clip-1.webm" "$1/../elsewhere" && ln -s "$1/../elsewhere" beyond
      ln -s inner again && ln -s "$2" results && ln -s nowhere lost.mp4 && ln -s nowhere lost.txt
      mkfifo pipe.mkv && cp inner/b.webm 'a{2} ::: {}.webm' && touch inner.txt
      """, [folder, outfolder])
    try #require(made.status == 0, "\(made.errors)")
    // Root can read every folder, unless it lacks the capability.
    let run = try Command.mien(
      ["batch", folder, outfolder, "--sticker", "halo"],
      under: ["setpriv", "--bounding-set=-dac_override,-dac_read_search"])
    #expect(run.status == 1)
    #expect(run.output.contains("4 films and pictures, 0 done already, 4 to do; 2 other"))
    #expect(run.output.contains("3 of 4 are done"), "\(run.output)\(run.errors)")
    let reasons = [
      "locked: the folder cannot be read", "beyond: linked folders are not followed",
      "lost.mp4: its link leads nowhere", "pipe.mkv: it is no file",
      "two-pictures.mkv: 1 more picture track was left out",
      "clip-1.webm: the folder \(outfolder)/clip-1.webm has the name",
    ]
    for reason in reasons { #expect(run.errors.contains("\n  \(reason)"), "\(run.errors)") }
    #expect(run.errors.split(separator: "\n").filter { $0.hasPrefix("  ") }.count == reasons.count)

    let fixed = try shell(
      """
      cd -- "$1" && chmod 755 locked && rm beyond lost.mp4 pipe.mkv && rmdir "$2/clip-1.webm"
      """, [folder, outfolder])
    try #require(fixed.status == 0, "\(fixed.errors)")
    let again = try batch()
    #expect(again.status == 0, "\(again.errors)")
    #expect(again.output.contains("5 films and pictures, 3 done already, 2 to do"))
  }

  @Test func jobsRunOnSeveralMachines() throws {
    try makeClips(4)
    let ssh = scratch.write("ssh", Self.sshStub)
    try #require(try Command(["chmod", "+x", ssh]).status == 0)
    let run = try batch(["--sshlogin", "1/anna,1/bert", "--", "--ssh", ssh])
    #expect(run.status == 0, "\(run.output)\(run.errors)")
    #expect(try films().count == 4)
    let asked = String(decoding: ScratchFolder.bytes(scratch.path + "/asked"), as: UTF8.self)
    #expect(Set(asked.split(separator: "\n")) == ["anna", "bert"])
  }

  @Test func aBatchThatCannotStartGivesTheReason() throws {
    try makeClips(1)
    let lines = [
      ([folder], "FOLDER and OUTFOLDER"), ([folder + "/none", outfolder], "no folder"),
      ([folder, folder], "folder of its own"),
      ([folder, outfolder, "-s", "nothing"], "nothing was"),
      ([scratch.path + "/out", scratch.path + "/other"], "no film or picture"),
    ]
    for (arguments, reason) in lines {
      let run = try Command.mien(["batch"] + arguments)
      #expect(run.status == 2)
      #expect(run.errors.contains(reason), "\(run.errors)")
    }
  }

  @Test func filmsWithoutAFrameRateAndRotatedPhotographsAreDecorated() throws {
    try #require(try Command(["mkdir", "-p", folder]).status == 0)
    try Pipeline(
      "videotestsrc num-buffers=6 ! video/x-raw,width=64,height=48,framerate=6/1 ! vp8enc"
        + " ! capssetter caps=\"video/x-vp8,framerate=(fraction)0/1\" ! webmmux"
        + " ! filesink location=\(folder)/varying.webm"
    ).run()
    try Pipeline(
      "videotestsrc num-buffers=1 ! video/x-raw,width=48,height=64 ! jpegenc"
        + " ! taginject tags=image-orientation=rotate-90 ! jifmux"
        + " ! filesink location=\(folder)/turned.jpg"
    ).run()
    #expect(try batch().status == 0)
    let film = try Pipeline(
      "filesrc location=\(outfolder)/varying.webm ! decodebin ! fakesink name=sink")
    var frames = 0
    try film.watch("sink") { _ in frames += 1 }
    try film.run()
    #expect(frames == 6)
    let picture = try Pipeline(
      "filesrc location=\(outfolder)/turned.jpg ! jpegdec ! videoconvert"
        + " ! video/x-raw,format=GRAY8,width=64,height=48 ! fakesink name=sink")
    var size = 0
    try picture.watch("sink") { size = CapturedFrame($0).bytes.count }
    try picture.run()
    #expect(size == 64 * 48)
  }

  @Test func noTwoInputsShareAnOutput() throws {
    let avi = try #require(SmallFilm.plain.first { $0.name == "mpeg4.avi" })
    try #require(try Command(["mkdir", "-p", folder]).status == 0)
    try avi.make(in: folder)
    try SmallFilm.plain[0].make(in: folder)
    try #require(
      try Command(["mv", folder + "/vp8.webm", folder + "/mpeg4.avi.webm"]).status == 0)
    let run = try batch()
    #expect(run.status == 1)
    #expect(
      run.errors.contains("mpeg4.avi: it would come out under the name of another file"),
      "\(run.errors)")
    #expect(run.output.contains("1 of 2 are done"))
    #expect(try Command(["mv", folder + "/mpeg4.avi.webm", folder + "/other.webm"]).status == 0)
    let again = try batch()
    #expect(again.output.contains("2 films and pictures, 1 done already, 1 to do"))
  }

  /// A film of 4:4:4, which H.264 gets as 4:2:0 here, and one that loses nothing.
  @Test func aStrictBatchWritesNoFilmThatLoses() throws {
    try #require(try shell("mkdir \"$1\"", [folder]).status == 0)
    for (name, format) in [("plain", "I420"), ("colours", "Y444")] {
      try Pipeline(
        "videotestsrc num-buffers=3 ! video/x-raw,format=\(format),width=64,height=48"
          + " ! avenc_ffv1 ! matroskamux ! filesink location=\(folder)/\(name).mkv"
      ).run()
    }
    let strict = try Command.mien(["batch", folder, outfolder, "--look", "mono", "--strict"])
    #expect(strict.status == 1)
    #expect(strict.output.contains("colours.mkv") || strict.errors.contains("colours.mkv"))
    let made = { try shell("ls \"$1\"", [outfolder]).output }
    #expect(try made() == "plain.mkv\n")
    let lax = try Command.mien(["batch", folder, outfolder, "--look", "mono"])
    #expect(lax.status == 0, "\(lax.errors)")
    #expect(try made() == "colours.mkv\nplain.mkv\n")
  }
}
