import Pixels
import Support
import Testing

@testable import Filters

/// 2 x 2 downsampling against its formula.
@Suite(.timeLimit(.minutes(20))) struct DownsampleTests {
  @Test(arguments: [false, true])
  func lumaOfEveryWidthIsDownsampledToChromaSites(isCosited: Bool) {
    var random = SplitMix(3)
    for width in Array(1...75) + [160, 161] {
      // The second row begins at an odd address where the width is odd.
      let rows = Grid<UInt8>(width: width, height: 2, of: 0)
      for (y, x) in product(0..<2, 0..<width) {
        rows.row(y)[x] = UInt8(truncatingIfNeeded: random.next())
      }
      func sum(_ x: Int) -> Int {
        let x = min(max(x, 0), width - 1)
        return Int(rows.row(0)[x]) + Int(rows.row(1)[x])
      }
      for count in Set([(width + 1) / 2, (width + 1) / 2 / 2 + 1, 1]) {
        let out = Grid<UInt8>(width: count + 1, height: 1, of: 77)
        FilterKernels.downsample2x2(
          out.row(0)[..<count], rows.row(0), rows.row(1), isCosited: isCosited)
        for i in 0..<count {
          let (left, middle, right) = (sum(2 * i - 1), sum(2 * i), sum(2 * i + 1))
          let four = isCosited ? left + 2 * middle + right : 2 * (middle + right)
          #expect(Int(out.row(0)[i]) == (four + 4) >> 3, "\(i) of \(count) from \(width)")
        }
        #expect(out.row(0)[count] == 77)
      }
    }
  }
}
