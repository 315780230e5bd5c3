import Faces
import Looks
import Pixels
import Support
import Testing
import Threads

/// Looks, vignette and grain in the bits of 10-bit streams.
@Suite(.timeLimit(.minutes(20))) struct DeepLookTests {
  @Test(arguments: PixelFormat.deep)
  func zeroIntensityKeepsEveryCode(format: PixelFormat) {
    for picture in [
      OwnedPicture.lumaRamp(format),
      OwnedPicture.noise(VideoFormat(format: format, width: 67, height: 5, colorimetry: .bt709)),
    ] {
      let before = picture.codes
      Looked.change(picture) { ($0.look, $0.intensity) = (.noir, 0) }
      #expect(picture.codes == before)
    }
  }

  /// Of a rising look no code is lost: the output has all that the curve leaves apart.
  @Test(arguments: PixelFormat.deepOpaque)
  func aRampKeepsItsCodesThroughALook(format: PixelFormat) {
    for look in [Look.chrome, .vivid, .warm] {
      let picture = OwnedPicture.lumaRamp(format)
      Looked.change(picture) { ($0.look, $0.intensity) = (look, 0.5) }
      let luma = picture.codes[0].prefix(picture.width)
      #expect(zip(luma, luma.dropFirst()).allSatisfy { $0 <= $1 })
      let wanted = Set(
        (64...940).map { code in
          let color = SIMD3(Double(code) / 4, 128, 128)
          let full = Reference.look(look.map, color, .bt709, .ycc)
          return ((color + full) * 2).x.rounded()
        }
      ).count
      #expect(picture.liveLumaCodes >= wanted - 7, "\(look): \(picture.liveLumaCodes), \(wanted)")
    }
  }

  /// Every pixel against the definition in double precision, in 10-bit codes.
  @Test(arguments: Look.allCases.filter { $0 != .none && $0 != .cartoon })
  func everyLookMatchesItsDefinition(look: Look) {
    for (colors, intensity) in [
      (Colorimetry.bt709, 1.0), (.bt2020, 1), (Colorimetry(matrix: .bt709, isFullRange: true), 1),
    ] {
      let picture = TestColors.picture(.y444, colors, width: 33, height: 31)
        .deepened(.y444Ten, seed: 11)
      let before = picture.codes
      Looked.change(picture) { ($0.look, $0.intensity) = (look, intensity) }
      let after = picture.codes
      var (sum, worst) = (0.0, 0.0)
      for place in before[0].indices {
        let color = SIMD3((0..<3).map { Double(before[$0][place]) / 4 })
        let full = Reference.look(look.map, color, colors, .ycc)
        let wanted = color + (full - color) * intensity
        for index in 0..<3 {
          let error = abs((wanted[index] * 4).rounded() - Double(after[index][place]))
          sum += error
          worst = max(worst, error)
        }
      }
      let mean = sum / Double(3 * before[0].count)
      #expect(mean < 0.6 && worst < 12, "\(colors): mean \(mean), worst \(worst)")
    }
  }

  /// What 8 bits give, but for what they round.
  @Test(arguments: PixelFormat.deepOpaque)
  func tenBitsAgreeWithEight(format: PixelFormat) {
    let face = Face(
      id: 1, confidence: 1, box: Rectangle(x: 0.4, y: 0.3, width: 0.2, height: 0.3))
    let mask = EffectMask()
    mask.setFaces([face], width: 97, height: 63, inverted: true)
    let changes: [(inout LookSettings) -> Void] = [
      { $0.look = .chrome }, { $0.look = .noir }, { ($0.look, $0.intensity) = (.tonal, 0.4) },
      { $0.vignette = 0.7 }, { $0.grain = 0.5 }, { $0.look = .cartoon },
    ]
    for change in changes {
      let small = TestColors.picture(
        format.eightBitCounterpart, .bt709, width: 97, height: 63)
      let large = small.deepened(format)
      Looked.change(small, mask: mask, time: 7, change)
      Looked.change(large, mask: mask, time: 7, change)
      #expect(large.distance(toEightBit: small) * 4 <= 10 * format.codesInByte)
    }
  }

  /// Bits of a word above the code neither count nor trap.
  @Test(arguments: PixelFormat.deep) func otherBitsOfAWordChangeNothing(format: PixelFormat) {
    let face = Face(
      id: 1, confidence: 1, box: Rectangle(x: 0.4, y: 0.3, width: 0.2, height: 0.3))
    let mask = EffectMask()
    mask.setFaces([face], width: 99, height: 61, inverted: true)
    let changes: [(inout LookSettings) -> Void] = [
      { $0.look = .chrome }, { $0.look = .noir }, { ($0.look, $0.intensity) = (.tonal, 0.4) },
      { ($0.vignette, $0.grain) = (0.7, 0.5) }, { $0.look = .cartoon },
    ]
    for (change, mask) in product(changes, [nil, mask]) {
      let first = OwnedPicture.noise(
        VideoFormat(format: format, width: 99, height: 61, colorimetry: .bt709))
      let second = first.copy()
      second.setBitsAboveCodes(seed: 9)
      Looked.change(first, mask: mask, time: 7, change)
      Looked.change(second, mask: mask, time: 7, change)
      #expect(first.codes == second.codes)
    }
  }

  @Test(arguments: PixelFormat.deep)
  func everySizeAndThreadCountGivesTheSameBits(format: PixelFormat) {
    for (width, height) in [(1, 1), (2, 2), (3, 5), (1301, 9)] {
      let first = OwnedPicture.noise(
        VideoFormat(format: format, width: width, height: height, colorimetry: .bt709))
      let second = first.copy()
      for (picture, threads) in [(first, 1), (second, 3)] {
        Looked.change(picture, time: 3, runner: ThreadPool(threads: threads)) {
          ($0.look, $0.vignette, $0.grain) = (.instant, 0.4, 0.3)
        }
      }
      #expect(first.codes == second.codes)
    }
  }
}
