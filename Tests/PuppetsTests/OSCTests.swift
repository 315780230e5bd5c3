import Testing

@testable import Puppets

@Suite struct OSCTests {
  /// The example of the specification 1.0: /oscillator/4/frequency with 440 as a float.
  @Test func aMessageIsThatOfTheSpecification() {
    var bundle = OSCBundle()
    bundle.add("/oscillator/4/frequency", .float(440))
    let expected: [UInt8] =
      Array("#bundle\0".utf8) + [0, 0, 0, 0, 0, 0, 0, 1] + [0, 0, 0, 32]
      + Array("/oscillator/4/frequency\0,f\0\0".utf8) + [0x43, 0xdc, 0, 0]
    #expect(bundle.bytes == expected)
  }

  /// The second example: integers, text and floats.
  @Test func argumentsOfAllTypesAreWritten() {
    var bundle = OSCBundle()
    bundle.add("/foo", .int(1000), .int(-1), .string("hello"), .float(1.234), .float(5.678))
    let expected: [UInt8] =
      [0, 0, 0, 40] + Array("/foo\0\0\0\0,iisff\0\0".utf8)
      + [0, 0, 3, 0xe8, 0xff, 0xff, 0xff, 0xff] + Array("hello\0\0\0".utf8)
      + [0x3f, 0x9d, 0xf3, 0xb6, 0x40, 0xb5, 0xb2, 0x2d]
    #expect(Array(bundle.bytes.dropFirst(16)) == expected)
  }

  @Test func everyPartIsAMultipleOfFourBytes() {
    for length in 0...9 {
      var bundle = OSCBundle()
      bundle.add("/a", .string(String(repeating: "x", count: length)))
      #expect(bundle.bytes.count == 16 + 4 + 4 + 4 + (length / 4 + 1) * 4)
    }
  }
}
