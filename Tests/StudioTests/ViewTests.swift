import Files
import Studio
import Support
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

  @Test func simplePropertiesComeFirstAndExist() throws {
    for kind in ElementKind.allCases {
      let name = kind == .faces ? "facedetect" : kind.rawValue
      let text = try Command(["cat", "Tests/PluginTests/Inspected/\(name).txt"]).output
      for property in kind.simpleProperties {
        #expect(text.contains("\n  \(property) "), "\(name) \(property)")
      }
    }
    let (simple, others) = ElementKind.hide.sorted(["hold", "shape", "mode"])
    #expect(simple == ["mode", "shape"] && others == ["hold"])
  }
}
