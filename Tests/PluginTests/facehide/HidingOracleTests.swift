import CGStreamer
import Harness
import Pixels
import Support
import Testing

/// The check of `facehide` in the fuzzer and the stress test detects a face that is not hidden.
@Suite(.serialized, .timeLimit(.minutes(20))) struct HidingOracleTests {
  /// What comes of frames with a claim through an element of some kind.
  private func summary(
    _ element: String, kind: String, format: String = "GRAY8",
    _ claim: @escaping @Sendable (UnsafeMutablePointer<GstBuffer>, inout SplitMix) -> Void
  ) throws -> HidingOracle.Summary {
    #expect(Registered.now)
    let pipeline = try Pipeline(
      "videotestsrc num-buffers=20 ! video/x-raw,format=\(format),width=64,height=48"
        + " ! \(element) name=e ! fakesink")
    var options = HidingOracle.Options()
    options.addMetadata = claim
    let watched = try #require(pipeline.element("e"))
    HidingOracle.watch(watched, options, seed: 1, kind: kind)
    gst_object_unref(watched)
    _ = HidingOracle.takeSummary()
    try pipeline.run()
    return HidingOracle.takeSummary()
  }

  private static let claims: [@Sendable (UnsafeMutablePointer<GstBuffer>, inout SplitMix) -> Void] =
    [
      { buffer, _ in
        AttachedFace.attach([AttachedFace(x: 0.2, y: 0.2, width: 0.5, height: 0.5)], to: buffer)
      },
      { buffer, _ in AttachedFace.attachRegion(x: 10, y: 10, width: 30, height: 30, to: buffer) },
      { buffer, _ in
        AttachedFields.attach(
          [AttachedFields.face(x: 0.2, y: 0.2, width: 0.5, height: 0.5) { .float(Float($0)) }],
          to: buffer)
      },
    ]

  @Test(arguments: ["GRAY8", "I420", "RGBA", "YUY2"])
  func aFaceThatIsSeenIsNoticedAndOneThatIsHiddenIsNot(format: String) throws {
    for (index, claim) in Self.claims.enumerated() {
      let open = try summary("identity", kind: "identity", format: format, claim)
      #expect(open.frames > 0 && open.failure != nil, "claim \(index)")
      let hidden = try summary("facehide", kind: "facehide", format: format, claim)
      #expect(hidden.frames == 20 && hidden.windows > 100, "claim \(index): \(hidden)")
      #expect(hidden.failure == nil, "claim \(index): \(hidden)")
    }
  }
}
