import CXNNPACK
import Testing

@testable import Inference

@Suite struct ProcessorTests {
  /// XNNPACK is told of another one while it starts.
  @Test func theProcessorIsItselfAgainOnceTheLibraryHasStarted() throws {
    try XNNPACK.start()
    let core = try #require(cpuinfo_get_core(0)).pointee.uarch
    let known = (0..<cpuinfo_get_uarchs_count()).compactMap { cpuinfo_get_uarch($0)?.pointee.uarch }
    #expect(known.contains(core))
  }
}
