import Files
import Studio
import Testing

/// The mirrored view, the countdown, and the settings that are shown first.
@Suite struct ViewTests {
  @Test func camerasAreMirroredUntilTheUserChangesThat() {
    let (camera, film) = (VideoSource.camera(Camera(device: "/dev/video0")), VideoSource.film("a"))
    var choice = MirrorChoice()
    #expect(choice.isMirrored(camera) && !choice.isMirrored(film))
    choice.set(true, for: film)
    choice.set(false, for: camera)
    #expect(!choice.isMirrored(camera) && choice.isMirrored(.picture("b")))
  }

  @Test func aCountdownEndsAtZero() {
    let countdown = Countdown(seconds: 3, from: 10)
    let left = [10, 10.5, 12, 12.9, 13, 20].map { countdown.remaining(at: $0) }
    #expect(left == [3, 3, 1, 1, 0, 0])
  }

  @Test func elementsChangeTheirPlacesBehindTheFaceDetector() {
    var chain = ElementChain()
    for kind in ElementKind.allCases { chain.turn(kind, on: true) }
    chain.move(.look, towardsEnd: true)
    #expect(chain.elements.suffix(3) == [.shape, .sticker, .look])
    chain.move(.look, towardsEnd: true)
    chain.move(.hide, towardsEnd: false)
    chain.move(.sticker, to: .faces)
    #expect(chain.elements.prefix(2) == [.faces, .hide] && chain.elements.last == .look)
    chain.move(.look, to: .hide)
    #expect(chain.elements.prefix(3) == [.faces, .look, .hide])
    #expect(chain.elements.count == ElementKind.allCases.count)
  }

  @Test func simplePropertiesComeFirst() {
    let (simple, others) = ElementKind.hide.sorted(["hold", "shape", "mode"])
    #expect(simple == ["mode", "shape"] && others == ["hold"])
  }

  @Test func aSmallWindowHasADrawer() {
    let small = WindowLayout(width: 640, height: 440)
    let wide = WindowLayout(width: 1180, height: 500)
    #expect(small.isNarrow && small.isShort && !wide.isNarrow && wide.isShort)
  }

  @Test func aCameraIsTheSameWithAnotherFile() {
    func camera(_ file: String) -> Camera {
      Camera(
        name: "Desk", factory: "v4l2src",
        properties: [PropertyAssignment("device", .literal(file))])
    }
    #expect(camera("/dev/video0").isSameDevice(as: camera("/dev/video2")))
    let format = Camera.Format(width: 640, height: 480, rate: 30, caps: "image/jpeg")
    #expect(camera("a").with(format).caps == "image/jpeg" && camera("a").caps == nil)
  }
}
