import Faces
import Looks
import Pixels
import Support
import Testing
import Threads

@Suite(.timeLimit(.minutes(20))) struct CoveredLookTests {
  /// A look on faces leaves out what covers them.
  @Test func whatCoversAFaceKeepsItsColours() {
    let video = VideoFormat(format: .rgb, width: 120, height: 120, colorimetry: .rgb)
    func graded(_ cover: CoverMap) -> OwnedPicture {
      let effect = PhotoEffect()
      effect.configure(video)
      var face = Face(confidence: 1, box: Rectangle(x: 0.2, y: 0.2, width: 0.6, height: 0.6))
      face.cover = cover
      let mask = EffectMask()
      mask.setFaces([face], width: 120, height: 120, inverted: false)
      var settings = LookSettings()
      settings.look = .mono
      let picture = OwnedPicture.noise(video)
      picture.withPicture { effect.process($0, settings, mask: mask, runner: SerialRunner()) }
      return picture
    }
    var cover = CoverMap()
    (cover.width, cover.height) = (8, 8)
    cover.region = Rectangle(x: 0, y: 0, width: 1, height: 1)
    cover.alpha = (0..<64).map { $0 % 8 < 4 ? 255 : 0 }
    let (before, bare, half) = (OwnedPicture.noise(video), graded(CoverMap()), graded(cover))
    for y in 40..<80 {
      #expect(half.rows(0)[y][20..<28] == before.rows(0)[y][20..<28])
      #expect(bare.rows(0)[y][20..<28] != before.rows(0)[y][20..<28])
      #expect(half.rows(0)[y][94..<100] == bare.rows(0)[y][94..<100])
    }
  }
}
