import Support
import Testing

/// The conversions that docs/formats.md names for formats which the elements do not process.
@Suite(.timeLimit(.minutes(20))) struct ConversionTests {
  /// Formats and their conversions, as the page's table has them.
  private static let conversions: [(format: String, conversion: String)] = {
    let page = String(
      decoding: ScratchFolder.bytes(Photograph.root + "/docs/formats.md"), as: UTF8.self)
    return page.split(separator: "\n").flatMap { line -> [(format: String, conversion: String)] in
      let cells = line.split(separator: "|")
      guard cells.count == 4 else { return [] }
      let code = cells[2].drop { $0 != "`" }.dropFirst().prefix { $0 != "`" }
      guard code.hasPrefix("videoconvert") else { return [] }
      return cells[0].split(separator: ",").map {
        (String($0.filter { $0 != " " }), String(code))
      }
    }
  }()

  @Test func everyFormatOfTheTableIsProcessedAfterItsConversion() throws {
    precondition(Registered.now)
    try #require(Self.conversions.count >= 8)
    for (format, conversion) in Self.conversions {
      let pipeline = try Pipeline(
        "videotestsrc num-buffers=1 ! video/x-raw,format=\(format),width=64,height=48"
          + " ! \(conversion) ! beautifymask mask=full ! fakesink name=sink")
      #expect(try pipeline.frames().count == 1, "\(format)")
    }
  }
}
