import Looks
import Pixels
import Support
import Testing
import Threads

/// Every look against a double-precision reference, pixel by pixel.
@Suite(.timeLimit(.minutes(20))) struct LookReferenceTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let look: Look
    let format: PixelFormat
    let colors: Colorimetry
    var testDescription: String { "\(look) \(format.rawValue) \(colors)" }
  }

  static let cases = Look.allCases.filter { $0 != .none && $0 != .cartoon }.flatMap { look in
    [Case(look: look, format: .rgba, colors: .rgb)]
      + [Colorimetry.Matrix.bt601, .bt709, .bt2020].flatMap { matrix in
        [false, true].flatMap { range in
          let colors = Colorimetry(matrix: matrix, isFullRange: range)
          return [
            Case(look: look, format: .y444, colors: colors),
            Case(look: look, format: .i420, colors: colors),
          ]
        }
      }
  }

  @Test(arguments: cases)
  func everyLookMatchesItsDefinition(use: Case) {
    let picture = TestColors.picture(use.format, use.colors)
    let before = Samples3(picture)
    let effect = PhotoEffect()
    var settings = LookSettings()
    settings.look = use.look
    effect.configure(picture.video)
    picture.withPicture { effect.process($0, settings, runner: SerialRunner()) }
    let after = Samples3(picture)
    let map = use.look.map
    var (sum, worst, count) = (0.0, 0.0, 0)
    before.forEach(use.format) { component, x, y, color in
      let wanted = Reference.look(map, color, use.colors, use.format.family)[component]
      // Nothing is nearer than the nearest code.
      let error = abs(wanted.rounded() - Double(after.planes[component][y][x]))
      sum += error
      worst = max(worst, error)
      count += 1
    }
    #expect(sum / Double(count) < 0.15, "mean \(sum / Double(count)), worst \(worst)")
    #expect(worst < 3, "mean \(sum / Double(count)), worst \(worst)")
  }
}
