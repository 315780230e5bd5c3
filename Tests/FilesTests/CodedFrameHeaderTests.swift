import Files
import Testing

@Suite(.timeLimit(.minutes(20))) struct CodedFrameHeaderTests {
  @Test func theHeaderOfAVP8KeyFrameHasItsSize() {
    let frame: [UInt8] = [0x10, 2, 0, 0x9D, 1, 0x2A, 0xFF, 0x3F, 0x20, 0x40]
    #expect(
      CodedFrameHeader.vp8Size(frame)?.width == 16383
        && CodedFrameHeader.vp8Size(frame)?.height == 32)
    #expect(CodedFrameHeader.vp8Size([0x11] + frame.dropFirst()) == nil)
    #expect(
      CodedFrameHeader.vp8Size(Array(frame.prefix(9))) == nil && CodedFrameHeader.vp8Size([]) == nil
    )
    #expect(CodedFrameHeader.vp8Size([UInt8](repeating: 0, count: 10)) == nil)
  }

  /// Start code of 17 bits, version of 5, time of 8, size type of 3.
  @Test func theHeaderOfASorensonFrameHasItsSize() {
    func frame(_ kind: Int, _ size: String) -> [UInt8] {
      let bits =
        "00000000000000001" + "00001" + "00000000"
        + ["000", "001", "010"][kind] + size + String(repeating: "0", count: 40)
      return (0..<10).map { byte in UInt8(bits.dropFirst(8 * byte).prefix(8), radix: 2) ?? 0 }
    }
    let small = CodedFrameHeader.flashVideoSize(frame(0, "1100100000101000"))
    #expect(small?.width == 200 && small?.height == 40)
    let large = CodedFrameHeader.flashVideoSize(frame(1, "01110101001100000111010100110000"))
    #expect(large?.width == 30000 && large?.height == 30000)
    #expect(
      CodedFrameHeader.flashVideoSize(frame(2, "")) == nil
        && CodedFrameHeader.flashVideoSize([0, 0]) == nil)
  }
}
