import Hiding
import Pixels
import Support
import Testing

/// Hiding in the bits of 10-bit streams.
@Suite(.timeLimit(.minutes(20))) struct DeepHidingTests {
  /// Hidden are the samples that 8 bits hide, with their codes; all others keep every bit.
  @Test(arguments: PixelFormat.deepOpaque)
  func whatEightBitsHideIsHidden(_ format: PixelFormat) {
    for (mode, (width, height)) in product(
      HideSettings.Mode.allCases, [(157, 133), (40, 24), (3, 5), (1, 1)])
    {
      let unit = format.codesInByte
      var settings = HideSettings()
      settings.mode = mode
      let side = Double(min(width, height))
      let areas = [
        HiddenArea(
          face: Region(
            center: Point(x: 0.6 * Double(width), y: 0.5 * Double(height)), width: side / 2,
            height: side / 2))
      ]
      // Another ground tells which samples are hidden: no code of one is that of the other.
      let small = OwnedPicture.noise(
        VideoFormat(
          format: format.eightBitCounterpart, width: width, height: height, colorimetry: .bt709))
      let before = small.deepened(format, seed: 3)
      let after = before.copy()
      after.withPicture { FaceHider().hide(areas, in: $0, settings) }
      // The 8-bit copy is rounded.
      let rounded = OwnedPicture(small.video)
      rounded.withPicture { picture in
        for index in 0..<3 {
          let (component, codes) = (picture.component(index), before.codes[index])
          component.fill { x, y in
            UInt8(min((Int(codes[y * component.width + x]) + unit / 2) / unit, 255))
          }
        }
      }
      let plain = rounded.copy()
      rounded.withPicture { FaceHider().hide(areas, in: $0, settings) }
      var (hidden, wrong) = (0, 0)
      for index in 0..<3 {
        let (old, new) = (before.codes[index], after.codes[index])
        let (oldEight, newEight) = (plain.codes[index], rounded.codes[index])
        for place in old.indices {
          if newEight[place] != oldEight[place] {
            hidden += 1
            if new[place] != newEight[place] * UInt16(unit) { wrong += 1 }
          } else if new[place] != old[place], new[place] != newEight[place] * UInt16(unit) {
            wrong += 1
          }
        }
      }
      #expect(wrong == 0, "\(mode) \(width)x\(height)")
      if width > 10 { #expect(hidden > width * height / 8, "\(mode) \(width)x\(height)") }
    }
  }

  /// The next stream may have another layout of the same 8 bits.
  @Test func anotherFormatIsHiddenByItsOwnPicture() {
    let hider = FaceHider()
    let area = HiddenArea(face: Region(center: Point(x: 48, y: 32), width: 40, height: 40))
    for (seed, format) in [(3, PixelFormat.p010), (4, .i420Ten), (5, .p010)] {
      let small = OwnedPicture.noise(
        VideoFormat(format: .i420, width: 97, height: 65, colorimetry: .bt709))
      let picture = small.deepened(format, seed: UInt64(seed))
      picture.withPicture { picture in
        let component = picture.deepComponent(0)
        for y in 0..<component.height {
          for x in 0..<component.width { component[x, y] = UInt16(x * seed % 900 + 64) }
        }
      }
      let expected = picture.copy()
      expected.withPicture { FaceHider().hide([area], in: $0, HideSettings()) }
      picture.withPicture { hider.hide([area], in: $0, HideSettings()) }
      #expect(picture.codes == expected.codes, "\(format)")
    }
  }

  @Test func aRampIsKeptOutsideTheFace() {
    let picture = OwnedPicture.lumaRamp(.i420Ten, height: 40)
    let before = picture.codes
    let area = HiddenArea(
      face: Region(center: Point(x: 30, y: 20), width: 16, height: 16))
    picture.withPicture { FaceHider().hide([area], in: $0, HideSettings()) }
    for y in 0..<40 {
      let row = y * picture.width..<(y + 1) * picture.width
      #expect(picture.codes[0][row].dropFirst(120) == before[0][row].dropFirst(120))
    }
    #expect(picture.codes[0] != before[0])
  }
}
