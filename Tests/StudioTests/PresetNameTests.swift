import Studio
import Testing

@Suite(.timeLimit(.minutes(10))) struct PresetNameTests {
  private func judge(_ text: String) -> PresetName.Validity {
    PresetName.check(text, own: ["mine", "für 2"], shipped: ["natural"])
  }

  @Test func anUnusedNameIsTrimmed() {
    #expect(judge("  my own 2 ") == .free("my own 2"))
    #expect(judge("Mine") == .free("Mine"))
  }

  @Test func ownAndShippedNamesAreDistinguished() {
    #expect(judge("mine ") == .own("mine"))
    #expect(judge("für 2") == .own("für 2"))
    #expect(judge("natural") == .shipped("natural"))
  }

  @Test(arguments: ["", "  ", "\t", "a[b", "a]b", "a\nb", "_presets_", "a\u{7f}"])
  func whatNoFileOfPresetsCanHoldIsRefused(name: String) {
    #expect(judge(name) == .unusable)
  }

  @Test func namesHaveAMaximumLength() {
    #expect(judge(String(repeating: "ä", count: 60)) == .free(String(repeating: "ä", count: 60)))
    #expect(judge(String(repeating: "ä", count: 61)) == .unusable)
  }
}
