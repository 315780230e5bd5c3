import Support
import Testing

/// The data files of the window's package, its translations, and README.
@Suite(.timeLimit(.minutes(20))) struct StudioPackageTests {
  @Test func desktopFilesAreValid() throws {
    let entry = try Command([
      "desktop-file-validate", "--no-hints", "data/org.mien.Studio.desktop",
    ])
    #expect(entry.status == 0, "\(entry.output)\(entry.errors)")
    let metadata = try Command([
      "appstreamcli", "validate", "--no-net", "--no-color", "data/org.mien.Studio.metainfo.xml",
    ])
    // Newer versions warn that there is no homepage, which is so.
    let problems = metadata.output.split(separator: "\n").filter {
      ($0.hasPrefix("E: ") || $0.hasPrefix("W: ")) && !$0.hasSuffix(" url-homepage-missing")
    }
    #expect(problems.isEmpty && metadata.output.contains("Validation"), "\(metadata.output)")
  }

  @Test func everyTextIsTranslatedToGerman() throws {
    let scratch = ScratchFolder()
    let run = try Command.shell(
      "cp po/*.po* \"$1\" && cp -r po \"$1\"/kept && setup/words.sh && msgfmt --statistics -o /dev/null"
        + " po/de.po; git diff --no-index --stat \"$1\"/kept po", [scratch.path])
    #expect(run.errors.hasSuffix(" translated messages.\n"), "\(run.errors)")
    #expect(!run.errors.contains("untranslated") && !run.errors.contains("fuzzy"), "\(run.errors)")
    #expect(run.output.isEmpty, "after an intended change: make words\n\(run.output)")
  }

  @Test func theREADMEIsShortAndItsChartShowsTheReport() throws {
    let lines = try Command(["wc", "-l", "README.md"]).output.split(separator: " ")[0]
    #expect(try #require(Int(lines)) < 120)
    let drawn = try Command(["setup/peers.py"])
    #expect(
      try drawn.output == Command(["cat", "docs/pictures/peers.svg"]).output,
      "setup/peers.py >docs/pictures/peers.svg")
  }
}
