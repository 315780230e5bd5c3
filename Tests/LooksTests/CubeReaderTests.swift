import Glibc
import Looks
import Support
import Testing

/// Invalid files are rejected with their line; unusual but valid files are read.
@Suite(.timeLimit(.minutes(20))) struct CubeReaderTests {
  private static let two = CubeTexts.identity(2).joined(separator: "\n")

  private static func read(_ text: String) throws(CubeError) -> ColorMap {
    try CubeReader.read(Array(text.utf8)).map
  }

  /// Seconds that this thread has been at work: those that others had are no slowness of the
  /// reader.
  private static func worked() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
  }

  struct Wrong: Sendable, CustomTestStringConvertible {
    let text: String
    let line: Int?
    let reason: String
    var testDescription: String { reason }
  }

  static let wrong = [
    Wrong(text: "", line: 1, reason: "ends without"),
    Wrong(text: "hello\nworld\n", line: 2, reason: "ends without"),
    Wrong(text: "LUT_3D_SIZE 1\n", line: 1, reason: "from 2 to 256"),
    Wrong(text: "LUT_3D_SIZE 257\n", line: 1, reason: "from 2 to 256"),
    Wrong(text: "LUT_3D_SIZE 2.5\n", line: 1, reason: "whole number"),
    Wrong(text: "LUT_3D_SIZE\n", line: 1, reason: "1 numbers are needed"),
    Wrong(text: "LUT_3D_SIZE 1e99\n", line: 1, reason: "is not a valid number"),
    Wrong(text: "LUT_3D_SIZE 2\nLUT_3D_SIZE 2\n", line: 2, reason: "given twice"),
    Wrong(text: "0 0 0\n", line: 1, reason: "comes before LUT_1D_SIZE"),
    Wrong(text: "LUT_3D_SIZE 256\n0 0 0\n", line: 2, reason: "16777216 entries are declared"),
    Wrong(text: "LUT_3D_SIZE 2\n0 0 0\n0 0\n" + two, line: 3, reason: "3 numbers are needed"),
    Wrong(text: "LUT_3D_SIZE 2\n0 0 0 0\n" + two, line: 2, reason: "only 3 numbers"),
    Wrong(text: "LUT_3D_SIZE 2\n0 nan 0\n" + two, line: 2, reason: "\"nan\" is not a valid number"),
    Wrong(text: "LUT_3D_SIZE 2\n0 1e400 0\n" + two, line: 2, reason: "is not a valid number"),
    Wrong(text: "LUT_3D_SIZE 2\n0 0,5 0\n" + two, line: 2, reason: "\"0,5\" is not a valid number"),
    Wrong(text: "LUT_3D_SIZE 2\n0 0x1 0\n" + two, line: 2, reason: "is not a valid number"),
    Wrong(text: "LUT_3D_SIZE 2\n0 1e 0\n" + two, line: 2, reason: "exponent"),
    Wrong(text: "LUT_3D_SIZE 2\n" + two + "\n0 0 0\n", line: 10, reason: "more than 8"),
    Wrong(
      text: "LUT_3D_SIZE 2\n0 0 0\nTITLE \"x\"\n" + two, line: 3, reason: "among the entries"),
    Wrong(
      text: "LUT_3D_SIZE 2\n0 0 0\n" + String(repeating: "#\n", count: 40), line: 42,
      reason: "after 1 of 8"),
    Wrong(
      text: "DOMAIN_MIN 1 0 0\nLUT_3D_SIZE 2\n" + two, line: 3, reason: "greater than DOMAIN_MIN"),
    Wrong(
      text: "LUT_3D_INPUT_RANGE 1 0\nLUT_3D_SIZE 2\n" + two, line: 1,
      reason: "greater than DOMAIN_MIN"),
    Wrong(
      text: "LUT_3D_SIZE 2\n" + String(repeating: "0", count: 5000), line: 2,
      reason: "longer than"),
  ]

  @Test(arguments: wrong)
  func errorsNameTheirLine(file: Wrong) {
    do {
      _ = try Self.read(file.text)
      Issue.record("it was read")
    } catch {
      #expect(error.line == file.line && error.reason.contains(file.reason), "\(error)")
    }
  }

  @Test(arguments: ["\n", "\r\n", "\r"])
  func allLineEndingsAreRead(end: String) throws {
    let text = "\u{feff}lut_3d_size 2\n# x\n" + Self.two + "\n"
    let map = try Self.read(text.replacing("\n", with: end))
    #expect(map(Color(0.25, 0.5, 0.75)) == Color(0.25, 0.5, 0.75))
    #expect(map(Color(-0.5, 1.5, 0.5)) == Color(-0.5, 1.5, 0.5))
  }

  @Test func curvesAndInputRangesApply() throws {
    let squares = try Self.read("LUT_1D_SIZE 3\n0 0 0\n0.25 0.25 0.5\n1 1 1\n")
    #expect(squares(Color(0.5, 0.25, 0.5)) == Color(0.25, 0.125, 0.5))
    let held = try Self.read("LUT_1D_SIZE 2\nDOMAIN_MAX 0.5 0.5 0.5\n0 0 0\n1 1 1\n")
    #expect(held(Color(0.25, 0.5, 0.8)) == Color(0.5, 1, 1))
    let wide = try Self.read("LUT_1D_SIZE 2\nLUT_1D_INPUT_RANGE 0 2\n0 0 0\n1 1 1\n")
    #expect(wide(Color(0.5, 1, 2)) == Color(0.25, 0.5, 1))
  }

  @Test func curvesComeBeforeTheCube() throws {
    let text =
      "LUT_1D_SIZE 2\nLUT_3D_SIZE 2\nLUT_1D_INPUT_RANGE 0 1\nLUT_3D_INPUT_RANGE 0 1\n"
      + "1 1 1\n0 0 0\n" + CubeTexts.entries(2, of: { [$1, $2, $0] }).joined(separator: "\n")
    let map = try Self.read(text)
    let changed = map(Color(0.25, 0.5, 1))
    #expect((changed - Color(0.5, 0, 0.75)).max() < 1e-6)
    #expect((changed - Color(0.5, 0, 0.75)).min() > -1e-6)
  }

  @Test func videoRangesAreConverted() throws {
    let map = try Self.read("LUT_3D_SIZE 2\nLUT_IN_VIDEO_RANGE\nLUT_OUT_VIDEO_RANGE\n" + Self.two)
    for value in [0, 0.3, 1] { #expect(abs(map(Color(repeating: value)).x - value) < 1e-9) }
  }

  /// Each a small file with some bytes changed, taken out or put in twice.
  @Test func aHundredThousandMutatedFilesAreReadOrRefusedWithALine() {
    let seeds = [
      "TITLE \"t\"\nLUT_3D_SIZE 2\nDOMAIN_MIN 0 0 0\nDOMAIN_MAX 1 1 1\n" + Self.two,
      "LUT_1D_SIZE 3\r\nLUT_1D_INPUT_RANGE 0 1\r\n# c\r\n0 0 0\r\n.5 -.5 5e-1\r\n1 1 1\r\n",
      "LUT_1D_SIZE 2\nLUT_3D_SIZE 2\n0 0 0\n1 1 1\n" + Self.two,
    ].map { Array($0.utf8) }
    let letters = Array("0123456789.-+eE \t\r\n#LUT_3DnaINf\"".utf8)
    var random = SplitMix(16)
    var (read, refused, silent) = (0, 0, 0)
    let start = Self.worked()
    for index in 0..<100_000 {
      var bytes = seeds[index % 3]
      for _ in 0...random.below(4) {
        let place = random.below(bytes.count)
        switch random.below(4) {
        case 0: bytes[place] = UInt8(random.below(256))
        case 1: bytes[place] = letters[random.below(letters.count)]
        case 2: bytes.removeSubrange(place..<min(place + 1 + random.below(8), bytes.count))
        default: bytes.insert(contentsOf: bytes[place..<min(place + 9, bytes.count)], at: place)
        }
        if bytes.isEmpty { bytes = [48] }
      }
      do {
        let changed = try CubeReader.read(bytes).map(Color(0.4, -0.1, 1.1))
        read += 1
        if !changed.x.isFinite { silent += 1 }
      } catch {
        refused += 1
        if error.line == nil || error.reason.isEmpty { silent += 1 }
      }
    }
    #expect(read > 5000 && refused > 5000 && silent == 0, "\(read), \(refused), \(silent)")
    #expect(Self.worked() - start < 60)
  }
}
