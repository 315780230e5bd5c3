import Files
import Studio
import Testing

@Suite(.timeLimit(.minutes(10))) struct LaunchLineTests {
  @Test func aFilmWithEverythingOffIsShownAsItIs() {
    #expect(
      LaunchLine(.film("/a/film.mp4"), Chain()).text
        == "gst-launch-1.0 filesrc location=/a/film.mp4 ! decodebin ! videoconvert ! videoconvert"
        + " ! autovideosink")
  }

  @Test func elementsStandInTheirOrderWithWhatIsSet() {
    var chain = Chain()
    chain.turn(.sticker, on: true)
    chain.turn(.look, on: true)
    chain.set("look", of: .look, to: .word("noir"))
    chain.set("location", of: .sticker, to: .file("hat"))
    chain.set("alpha", of: .sticker, to: .word("0.5"))
    chain.set("intensity", of: .retouch, to: .word("1"))
    #expect(
      LaunchLine(.camera(Camera(device: "/dev/video0")), chain).text
        == "gst-launch-1.0 v4l2src device=/dev/video0 ! decodebin ! videoconvert ! mienfacedetect"
        + " ! photoeffect look=noir ! sticker location=hat alpha=0.5 ! videoconvert"
        + " ! autovideosink")
  }

  @Test func aPictureStands() {
    #expect(LaunchLine(.picture("p.jpg"), Chain()).text.contains(" ! imagefreeze ! "))
  }

  @Test func aCameraIsTheElementThatGivesItsPictures() {
    let camera = Camera(
      name: "Garden", kind: "pipewiresrc",
      settings: [("target-object", .file("my cam")), ("resend-last", .word("true"))])
    #expect(
      LaunchLine(.camera(camera), Chain()).text
        == "gst-launch-1.0 pipewiresrc 'target-object=\"my cam\"' resend-last=true ! decodebin"
        + " ! videoconvert ! videoconvert ! autovideosink")
  }

  @Test(arguments: [
    ("plain.png", "location=plain.png"), ("a b.png", "'location=\"a b.png\"'"),
    ("it's", "'location=\"it'\\''s\"'"), ("say \"a\"", "'location=\"say \\\"a\\\"\"'"),
    ("back\\slash", "'location=\"back\\\\slash\"'"), ("$(rm)!", "'location=\"$(rm)!\"'"),
    ("ä", "'location=\"ä\"'"),
  ])
  func aNameIsOneWordOfAShell(name: String, word: String) {
    let line = LaunchLine(.film(FilePath(name)), Chain()).text
    #expect(line.hasPrefix("gst-launch-1.0 filesrc \(word) ! "), "\(line)")
  }
}
