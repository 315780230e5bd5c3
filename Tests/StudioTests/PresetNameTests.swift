import Studio
import Testing

@Suite(.timeLimit(.minutes(20))) struct PresetNameTests {
  private func check(_ text: String) -> PresetName.Validity {
    PresetName.validate(text, own: ["mine", "für 2"], shipped: ["natural"])
  }

  @Test func anUnusedNameIsTrimmed() {
    #expect(check("  my own 2 ") == .free("my own 2"))
    #expect(check("Mine") == .free("Mine"))
  }

  @Test func ownAndShippedNamesAreDistinguished() {
    #expect(check("mine ") == .own("mine"))
    #expect(check("für 2") == .own("für 2"))
    #expect(check("natural") == .shipped("natural"))
  }

  @Test(arguments: ["", "  ", "\t", "a[b", "a]b", "a\nb", "_presets_", "a\u{7f}"])
  func namesThatPresetFilesCannotStoreAreRefused(name: String) {
    #expect(check(name) == .unusable)
  }

  @Test func namesHaveAMaximumLength() {
    #expect(check(String(repeating: "ä", count: 60)) == .free(String(repeating: "ä", count: 60)))
    #expect(check(String(repeating: "ä", count: 61)) == .unusable)
  }
}
