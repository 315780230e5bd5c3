import Files
import Studio
import Testing

@Suite(.timeLimit(.minutes(20))) struct LaunchLineTests {
  @Test func aFilmWithoutElementsIsPlayedUnchanged() {
    #expect(
      LaunchLine(.film("/a/film.mp4"), ElementChain()).text
        == "gst-launch-1.0 filesrc location=/a/film.mp4 ! decodebin ! videoconvert ! videoconvert"
        + " ! autovideosink")
  }

  @Test func elementsAreInOrderWithTheirProperties() {
    var chain = ElementChain()
    chain.turn(.sticker, on: true)
    chain.turn(.look, on: true)
    chain.set("look", of: .look, to: .literal("noir"))
    chain.set("location", of: .sticker, to: .path("hat"))
    chain.set("alpha", of: .sticker, to: .literal("0.5"))
    chain.set("intensity", of: .retouch, to: .literal("1"))
    #expect(
      LaunchLine(.camera(Camera(device: "/dev/video0")), chain).text
        == "gst-launch-1.0 v4l2src device=/dev/video0 ! decodebin ! videoconvert ! mienfacedetect"
        + " ! photoeffect look=noir ! sticker location=hat alpha=0.5 ! videoconvert"
        + " ! autovideosink")
  }

  @Test func picturesAreRepeatedByImagefreeze() {
    #expect(LaunchLine(.picture("p.jpg"), ElementChain()).text.contains(" ! imagefreeze ! "))
  }

  @Test func aCameraBecomesItsSourceElement() {
    let camera = Camera(
      name: "Garden", factory: "pipewiresrc",
      properties: [
        PropertyAssignment("target-object", .path("my cam")),
        PropertyAssignment("resend-last", .literal("true")),
      ])
    #expect(
      LaunchLine(.camera(camera), ElementChain()).text
        == "gst-launch-1.0 pipewiresrc 'target-object=\"my cam\"' resend-last=true ! decodebin"
        + " ! videoconvert ! videoconvert ! autovideosink")
  }

  @Test(arguments: [
    ("plain.png", "location=plain.png"), ("a b.png", "'location=\"a b.png\"'"),
    ("it's", "'location=\"it'\\''s\"'"), ("say \"a\"", "'location=\"say \\\"a\\\"\"'"),
    ("back\\slash", "'location=\"back\\\\slash\"'"), ("$(rm)!", "'location=\"$(rm)!\"'"),
    ("ä", "'location=\"ä\"'"),
  ])
  func fileNamesAreQuotedForTheShell(name: String, word: String) {
    let line = LaunchLine(.film(FilePath(name)), ElementChain()).text
    #expect(line.hasPrefix("gst-launch-1.0 filesrc \(word) ! "), "\(line)")
  }
}
