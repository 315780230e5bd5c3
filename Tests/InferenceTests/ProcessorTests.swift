import Testing

@testable import Inference

@Suite struct ProcessorTests {
  @Test func libcpuinfoOfAnotherReleaseIsRefusedBeforeItsWordIsTaken() throws {
    // A record that has a field more before FMA: every answer is its neighbour's.
    let (fma, avx2, avx512): (UInt32, UInt32, UInt32) = (1, 2, 4)
    for (told, has) in [
      (avx512, fma | avx2), (fma | avx2, fma), (0, fma | avx2), (fma | avx2 | avx512, fma | avx2),
    ] {
      let error = try #require(XNNPACK.mismatch(told: told, has: has))
      #expect(error.description.contains("libcpuinfo0") && error.description.contains("apt-get"))
    }
    for same in [0, fma, fma | avx2, fma | avx2 | avx512] {
      #expect(XNNPACK.mismatch(told: same, has: same) == nil)
    }
    // Here the two agree.
    try XNNPACK.start()
  }
}
