import Studio
import Testing

@Suite(.timeLimit(.minutes(20))) struct VideoViewTests {
  @Test func aPictureIsScaledToFitAndCentred() {
    let fit = AspectFit(picture: (1600, 800), view: (1000, 1000))
    #expect(fit.x == 0 && fit.width == 1000 && fit.height == 500 && fit.y == 250)
  }

  @Test func aClickIsMappedToThePictureAndIgnoredBesideIt() throws {
    let fit = AspectFit(picture: (100, 100), view: (300, 100))
    let point = try #require(fit.picturePixel((150, 50), pixels: (640, 480)))
    #expect(point.x == 320 && point.y == 240)
    #expect(fit.picturePixel((99, 50), pixels: (640, 480)) == nil)
    #expect(fit.picturePixel((201, 50), pixels: (640, 480)) == nil)
  }

  @Test func theScaledSizeIsAtMostThePictures() {
    let fit = AspectFit(picture: (640, 360), view: (1280, 720))
    let pixels = fit.screenSize(scale: 2, maximum: (640, 360))
    #expect(pixels.width == 640 && pixels.height == 360)
    let small = AspectFit(picture: (1920, 1080), view: (961, 541)).screenSize(
      scale: 1, maximum: (1920, 1080))
    #expect(small.width == 960 && small.height == 540)
  }

  @Test func anEmptyViewShowsNothing() {
    let fit = AspectFit(picture: (640, 480), view: (0, 0))
    #expect(fit.width == 0 && fit.picturePixel((0, 0), pixels: (640, 480)) == nil)
    let pixels = fit.screenSize(scale: 1, maximum: (640, 480))
    #expect(pixels.width == 2 && pixels.height == 2)
  }

  @Test func thePanStaysInItsRangeAndMovesByOnePixel() {
    var last = PanMotion.corner(at: 0, range: (64, 40))
    for step in 1...900 {
      let corner = PanMotion.corner(at: Double(step) / 30, range: (64, 40))
      #expect((0...64).contains(corner.x) && (0...40).contains(corner.y))
      #expect(abs(corner.x - last.x) <= 1 && abs(corner.y - last.y) <= 1)
      last = corner
    }
  }

  @Test func latencyStatisticsCountFramesOverTheLimit() {
    var lateness = LatencyStatistics()
    for seconds in [0.01, 0.02, 0.15] { lateness.add(seconds) }
    lateness.addDropped(1)
    #expect(lateness.count == 3 && lateness.late == 1 && lateness.dropped == 1)
    #expect(lateness.maximum == 0.15 && abs(lateness.mean - 0.06) < 1e-9)
  }

  @Test func fileNamesAreDatesAndUnused() {
    let date = (year: 2026, month: 1, day: 2, hour: 3, minute: 4, second: 5)
    #expect(
      DatedFileName.unusedName(date, ending: ".png") { _ in false }
        == "Mien 2026-01-02 03-04-05.png")
    #expect(
      DatedFileName.unusedName(date, ending: ".png") { !$0.contains("(3)") }
        == "Mien 2026-01-02 03-04-05 (3).png")
  }
}
