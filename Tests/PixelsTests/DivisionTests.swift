import Pixels
import Testing

@Suite(.timeLimit(.minutes(20))) struct DivisionTests {
  @Test func divisionBy255RoundsEveryProductOfTwoBytes() {
    for a in 0...255 {
      for b in 0...255 {
        let exact = UInt16((Double(a * b) / 255).rounded())
        #expect(dividedBy255(UInt16(a * b)) == exact)
      }
    }
  }
}
