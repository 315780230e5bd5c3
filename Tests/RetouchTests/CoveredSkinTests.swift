import Faces
import Pixels
import Retouch
import Support
import Testing
import Threads

@Suite(.timeLimit(.minutes(20))) struct CoveredSkinTests {
  /// Nothing changes under what covers the face, from the first frame on.
  @Test(arguments: [PixelFormat.i420, .rgbx, .nv12]) func coveredSkinIsUnchanged(
    format: PixelFormat
  ) {
    let made = MadeFace(center: Point(x: 47, y: 44), size: 58, width: 97, height: 83)
    var settings = RetouchSettings()
    (settings.intensity, settings.brightness, settings.evenSkin) = (1, 1, 1)
    func treated(_ covers: [Bool]) -> (before: [[UInt8]], after: [[UInt8]]) {
      let retouch = SkinRetouch()
      retouch.configure(format: format, width: 97, height: 83)
      var result: (before: [[UInt8]], after: [[UInt8]]) = ([], [])
      for isCovered in covers {
        let picture = OwnedPicture(
          format: format, width: 97, height: 83, colorimetry: format.colorimetry(.bt709))
        picture.draw(skin((r: 198, g: 150, b: 128), grain: 6))
        var face = made.face()
        if isCovered {
          (face.cover.width, face.cover.height) = (2, 2)
          face.cover.region = Rectangle(x: 0, y: 0, width: 1, height: 1)
          face.cover.alpha = [255, 255, 255, 255]
        }
        let before = picture.rows(0)
        picture.withPicture { picture in
          retouch.process(
            picture, faces: [face], settings: settings, elapsed: 0.03, runner: SerialRunner())
        }
        result = (before, picture.rows(0))
      }
      return result
    }
    let bare = treated([false, false])
    #expect(bare.before != bare.after)
    let covered = treated([false, true])
    // The edge of the frame is half a cell of the map from its edge.
    for y in 22..<62 { #expect(covered.before[y][25..<72] == covered.after[y][25..<72], "\(y)") }
  }
}
