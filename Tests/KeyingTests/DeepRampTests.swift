import Compose
import Pixels
import ScreenKey
import Support
import Testing

/// A ramp of luma beside a screen, keyed with soft edges.
@Suite(.timeLimit(.minutes(20))) struct DeepRampTests {
  /// A screen above the ramp, with eight lines of both between them.
  private func picture(_ format: PixelFormat) -> OwnedPicture {
    let result = OwnedPicture.lumaRamp(format, height: 48)
    let (screen, unit) = (result.colorimetry.ycc(r: 62, g: 172, b: 84), format.codesInByte)
    for index in 0..<3 {
      let own = index == 0 ? screen.y : index == 1 ? screen.cb : screen.cr
      let shift = format.layout[index].vShift
      result.fillCodes(index) { x, y in
        // In 8-bit codes.
        let ramp = index == 0 ? Float(64 + x / 2) / 4 : 128
        let share = min(max((Float(y << shift) - 20) / 8, 0), 1)
        return Int(((own + (ramp - own) * share) * Float(unit)).rounded())
      }
    }
    return result
  }

  @Test(arguments: PixelFormat.deepOpaque)
  func aRampKeepsItsCodesBesideASoftEdge(_ format: PixelFormat) {
    let picture = picture(format)
    var settings = ChromaKeySettings()
    (settings.matte.shrink, settings.matte.soften) = (1, 2)
    let background = Background(color: 0xff20_40c0, for: picture.video)
    for background in [nil, background] {
      let keyed = ChromaKeyer(settings, for: picture).keyed(picture, background: background)
      let luma = keyed.codes[0]
      // The screen is gone, but for what softening spreads.
      #expect(Set(luma.prefix(12 * picture.width)).count == 1)
      #expect(Set(luma.suffix(24 * picture.width)).count >= 870)
    }
  }
}
