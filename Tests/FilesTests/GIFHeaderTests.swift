import Files
import Testing

@Suite(.timeLimit(.minutes(20))) struct GIFHeaderTests {
  /// A GIF signature followed by these bytes.
  private static func file(_ rest: UInt8...) -> [UInt8] { Array("GIF89a".utf8) + rest }

  @Test func onlyTruncatedHeadersAndEmptySizesAreBroken() {
    let broken: [[UInt8]] = [
      Array("GIF8".utf8), Self.file(), Self.file(12, 0), Self.file(12, 0, 9),
      Self.file(0, 0, 9, 0, 0), Self.file(12, 0, 0, 0, 0),
    ]
    for bytes in broken { #expect(GIFHeader.isBroken(bytes), "\(bytes)") }
    let whole: [[UInt8]] = [
      Self.file(12, 0, 9, 0), Self.file(0, 1, 0, 1, 0), Array("GI".utf8), [], Array("PNG".utf8),
    ]
    for bytes in whole { #expect(!GIFHeader.isBroken(bytes), "\(bytes)") }
  }
}
