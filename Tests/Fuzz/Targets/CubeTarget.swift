import Harness
import Looks
import Support

/// .cube files: parses one and maps a few colours.
final class CubeTarget: Target {
  let maximumLength = 4096

  let dictionary = [
    "LUT_3D_SIZE 2", "LUT_1D_SIZE 3", "LUT_3D_SIZE 256", "DOMAIN_MIN 0 0 0", "DOMAIN_MAX 1 1 1",
    "LUT_1D_INPUT_RANGE 0 1", "LUT_3D_INPUT_RANGE 0 1", "LUT_IN_VIDEO_RANGE",
    "LUT_OUT_VIDEO_RANGE", "TITLE", "#", "\r\n", "\n", "0 0 0\n", "1e-5", "nan", "-1", "1e308",
  ].map { Array($0.utf8) }

  func seeds() -> [[UInt8]] {
    let entries = (0..<8).map { "\($0 & 1) \($0 >> 1 & 1) \($0 >> 2)\n" }.joined()
    return [
      "LUT_3D_SIZE 2\n" + entries,
      "TITLE \"t\"\r\nDOMAIN_MIN -1 -1 -1\r\nDOMAIN_MAX 2 2 2\r\nLUT_3D_SIZE 2\r\n" + entries,
      "LUT_1D_SIZE 3\nLUT_1D_INPUT_RANGE 0 1\n0 0 0\n.5 5e-1 0.25\n1 1 1\n",
      "LUT_1D_SIZE 2\nLUT_3D_SIZE 2\nLUT_IN_VIDEO_RANGE\n0 0 0\n1 1 1\n" + entries,
    ].map { Array($0.utf8) }
  }

  func run(_ input: [UInt8]) -> Outcome {
    do {
      let map = try CubeReader.read(input).map
      let colors = [-0.9, 0, 0.37, 1, 1.9].map { map(Color($0, 1 - $0, 0.5)) }
      let isFinite = colors.allSatisfy { $0.x.isFinite && $0.y.isFinite && $0.z.isFinite }
      return Outcome(isAccepted: true, failure: isFinite ? nil : "a colour is not finite")
    } catch {
      return Outcome(
        reason: error.reason,
        failure: error.line == nil || error.reason.isEmpty ? "refused without a line" : nil)
    }
  }
}
