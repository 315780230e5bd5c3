import Files
import Testing

@Suite(.timeLimit(.minutes(20))) struct SVGEmbeddedImagesTests {
  private static func coded(_ bytes: [UInt8]) -> String {
    let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
    var text = ""
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let three = (0..<3).map { start + $0 < bytes.count ? Int(bytes[start + $0]) : 0 }
      let bits = three[0] << 16 | three[1] << 8 | three[2]
      for place in 0..<4 {
        text.append(start + place > bytes.count ? "=" : letters[bits >> (18 - 6 * place) & 63])
      }
    }
    return text
  }

  private static let png: [UInt8] =
    [137, 80, 78, 71, 13, 10, 26, 10, 0, 0, 0, 13] + Array("IHDR".utf8)
    + [0, 0, 0x4E, 0x20, 0, 0, 0, 2, 8, 6, 0, 0, 0]
  /// A comment, a table, and the header of 300 x 200.
  private static let jpeg: [UInt8] =
    [0xFF, 0xD8, 0xFF, 0xFE, 0, 4, 1, 2, 0xFF, 0xC4, 0, 3, 9, 0xFF, 0xFF, 0xC2, 0, 11, 8]
    + [0, 200, 1, 44, 1, 1, 0x11, 0]
  private static let gif = Array("GIF89a".utf8) + [16, 0, 2, 0, 0, 0, 0]

  private func pixels(_ text: String) -> Int? { SVGEmbeddedImages.pixelCount(Array(text.utf8)) }

  @Test func imagesAreCountedByTheSizesInTheirHeaders() {
    let (png, jpeg, gif) = (Self.coded(Self.png), Self.coded(Self.jpeg), Self.coded(Self.gif))
    #expect(pixels("<svg><rect width=\"9\"/></svg>") == 0)
    #expect(pixels("<image xlink:href=\"data:image/png;base64,\(png)\"/>") == 40_000)
    #expect(pixels("<image href = '\n DATA:image/jpeg;base64, \(jpeg)'/>") == 60_000)
    #expect(
      pixels(
        "<image href='data:;base64,\(gif)'/><feImage href=\"data:image/png;base64,\(png)\"/>")
        == 40_032)
    // A link, a part of the same document, a file, and an unterminated attribute.
    #expect(pixels("<a href='https://example.org'/><use href='#a'/><image href='a.png'/>") == 0)
    #expect(pixels("<image href") == 0 && pixels("<image href='") == 0)
  }

  @Test(arguments: [
    "data:image/bmp;base64,Qk0AAAAA", "data:image/png,%89PNG", "data:image/svg+xml;utf8,<svg/>",
    "&#100;ata:image/png;base64,AAAA", "data:image/png;base64,", "data:",
    "data:image/jpeg;base64,/9j/",
  ])
  func anImageOfUnknownSizeIsRejected(reference: String) {
    #expect(pixels("<image href=\"\(reference)\"/>") == nil)
  }
}
