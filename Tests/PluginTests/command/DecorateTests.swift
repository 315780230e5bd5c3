import CGStreamer
import Support
import Testing

/// `mien decorate`: the type and the sound are kept, inputs never change, and outputs are complete
/// or absent.
@Suite(.timeLimit(.minutes(20))) struct DecorateTests {
  private let scene = MienScene()

  @Test func aPhotographKeepsItsFormat() throws {
    let input = try scene.photograph("photo.jpg", "jpegenc")
    let before = ScratchFolder.bytes(input)
    let run = try Command.mien(["decorate", input, "--verbose"])
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.output.hasPrefix("face 1: confidence 0."))
    #expect(run.output.hasSuffix("wrote \(scene.path("photo-mien.jpg"))\n"))
    #expect(try scene.described("photo-mien.jpg").contains("image/jpeg"))
    #expect(ScratchFolder.bytes(input) == before)
    #expect(ScratchFolder.bytes(scene.path("photo-mien.jpg")) != before)
  }

  @Test func unknownExtensionsAreKeptAndTheFormatsIsAppended() throws {
    let input = try scene.photograph("p.png")
    for (asked, made) in [("holiday.2024", "holiday.2024.png"), ("b.JPG", "b.JPG"), ("c", "c.png")]
    {
      let run = try Command.mien(["decorate", input, scene.path(asked), "--look", "mono"])
      #expect(run.output == "wrote \(scene.path(made))\n", "\(run.errors)")
    }
    #expect(try Command(["mkdir", scene.path("folder")]).status == 0)
    let run = try Command.mien(["decorate", input, scene.path("folder"), "--look", "mono"])
    #expect(run.output == "wrote \(scene.path("folder/p.png"))\n", "\(run.errors)")
  }

  @Test func inputsAreNeverOverwrittenUnderAnyName() throws {
    let input = try scene.photograph("p.png")
    let made = try Command.shell(
      "cd \"$1\" && ln -s p.png soft.png && ln p.png hard.png && mkdir in && ln -s .. in/up"
        + " && cp p.png behind.png", [scene.folder])
    try #require(made.status == 0)
    let before = try scene.contents()
    for output in ["p.png", "p", "soft.png", "hard.png", "in/up/p.png", "in/../p.png"] {
      let run = try Command.mien(["decorate", input, scene.path(output), "--force"])
      #expect(run.status == 2, "\(output)")
      #expect(run.errors.contains("is read, and is never written"), "\(run.errors)")
    }
    let behind = scene.path("behind.png")
    let run = try Command.mien(["decorate", input, behind, "--force", "--person", behind])
    #expect(run.status == 2 && run.errors.contains("is read, and is never written"))
    // An existing file is replaced only with --force.
    let careful = try Command.mien(["decorate", input, behind])
    #expect(careful.status == 2 && careful.errors.contains("is there already"))
    #expect(try scene.contents() == before)
    #expect(try Command.mien(["decorate", input, behind, "--force"]).status == 0)
  }

  @Test func anMP4KeepsItsTypeAndSoundAndBecomesUpright() throws {
    let input = try scene.film("film.mp4", isTurned: true)
    let run = try Command.mien(["decorate", input, scene.path("out.mp4"), "--sticker", "hat"])
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.errors.isEmpty)
    let described = try scene.described("out.mp4")
    #expect(described.contains("video/x-h264") && described.contains("mpegversion=(int)4"))
    // The frames are stored upright, so the orientation tag must be absent.
    #expect(described.contains("Width: 320\n") && described.contains("Height: 240\n"))
    #expect(!described.contains("image orientation: rotate-90"), "\(described)")
    let faces = try Command.mien(["faces", scene.path("out.mp4"), "--expect", "1"])
    #expect(faces.status == 0, "\(faces.errors)")
  }

  @Test func withoutAnEncoderAnMP4BecomesWebMWithAMessage() throws {
    let input = try scene.film("film.mp4")
    let run = try Command.mien(
      ["decorate", input, scene.path("out.mp4"), "--look", "mono"],
      [
        "MIEN_WITHOUT": "x264enc openh264enc nvh264enc vah264enc",
        "LD_PRELOAD": Photograph.root + "/.build/debug/libfault-injection.so",
      ])
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.errors.hasPrefix("mien: GStreamer has no encoder for H.264 and AAC here"))
    #expect(run.output == "wrote \(scene.path("out.webm"))\n")
    #expect(try scene.described("out.webm").contains("video/x-vp8"))
  }

  @Test(arguments: ["INT", "TERM", "HUP"])
  func aSignalLeavesNoFiles(signal: String) throws {
    let input = try scene.film("film.mp4", frames: 400)
    let before = try scene.contents()
    let run = try Command.shell(
      """
      set -m # or the shell has what it starts so ignore Ctrl-C
      $mien decorate "$1" "$2" & mien=$!
      set +m # or it tells how that ended
      for i in $(seq 200); do compgen -G "${2%/*}/.mien-part-*" >/dev/null && break; sleep 0.05; done
      sleep 0.2; kill -\(signal) $mien; wait $mien
      """, [input, scene.path("out.mp4")])
    #expect([129, 130, 143].contains(run.status), "\(run.errors)")
    #expect(run.errors == "mien: \(input): it was stopped\n")
    #expect(try scene.contents() == before)
  }

  @Test func aBrokenFilmLeavesNoFileAndGivesTheReason() throws {
    let bytes = ScratchFolder.bytes(try scene.film("film.mp4"))
    scene.scratch.write("cut.mp4", Array(bytes.prefix(bytes.count * 2 / 3)))
    let before = try scene.contents()
    let run = try Command.mien(["decorate", scene.path("cut.mp4")], ["G_DEBUG": ""])
    #expect(run.status == 3)
    #expect(run.errors.split(separator: "\n").count == 1)
    #expect(try scene.contents() == before)
  }

  @Test func progressIsShownOnATerminal() throws {
    let input = try scene.film("film.mp4", frames: 400)
    let run = try Command.shell(
      #"script -qec "$mien decorate '$1' --sticker halo" /dev/null </dev/null"#, [input])
    #expect(run.status == 0)
    #expect(run.output.contains(" % ") || run.output.contains(" %,"), "\(run.output)")
    #expect(run.output.contains(" left"))
  }

  @Test func decorateEqualsAPipelineOfTheElements() throws {
    let input = try scene.photograph("p.png")
    let output = scene.path("out.png")
    let run = try Command.mien(["decorate", input, output, "--look", "noir", "--sticker", "halo"])
    #expect(run.status == 0, "\(run.errors)")
    let launched = try Command.launch(
      "filesrc location=\(input) ! pngdec ! videoconvert ! mienfacedetect ! photoeffect look=noir"
        + " ! sticker location=halo ! videoconvert ! pngenc ! filesink location=\(scene.path("l.png"))"
    )
    #expect(launched.status == 0)
    #expect(try pixels(output) == pixels(scene.path("l.png")))
  }

  @Test func anAlphaBackgroundGivesATransparentPNG() throws {
    let input = try scene.photograph("p.jpg", "jpegenc")
    let run = try Command.mien(["decorate", input, "--person", "alpha"])
    #expect(run.output == "wrote \(scene.path("p-mien.png"))\n", "\(run.errors)")
    let alphas = stride(from: 3, to: 512 * 512 * 4, by: 4).map {
      [bytes = try pixels(scene.path("p-mien.png"))] in bytes[$0]
    }
    #expect(alphas.contains(0) && alphas.contains(255))
  }

  /// The RGBA bytes of a picture.
  private func pixels(_ path: String) throws -> [UInt8] {
    let pipeline = try Pipeline(
      "filesrc location=\(path) ! pngdec ! videoconvert ! video/x-raw,format=RGBA ! fakesink name=sink"
    )
    return try pipeline.frames().last?.bytes ?? []
  }
}
