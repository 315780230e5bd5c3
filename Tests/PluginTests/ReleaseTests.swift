import CGStreamer
import Support
import Testing

/// What goes out with a release says the same everywhere.
@Suite(.timeLimit(.minutes(20))) struct ReleaseTests {
  private func file(_ path: String) throws -> Substring {
    Substring(try Command(["cat", path]).output)
  }

  private var version: String {
    get throws { String(try file("VERSION").prefix { $0 != "\n" }) }
  }

  @Test func everyPlaceNamesTheSameVersion() throws {
    let version = try version
    #expect(version.split(separator: ".").count == 3)
    #expect(try file("debian/changelog").hasPrefix("gst-mien (\(version)-"))
    #expect(try file("CHANGELOG.md").contains("\n## \(version) - "))
    let metainfo = try file("data/org.mien.Studio.metainfo.xml")
    #expect(metainfo.contains("<release version=\"\(version)\""))
    let revision = try file("debian/changelog").drop { $0 != "(" }.dropFirst().prefix { $0 != ")" }
    let named = try file("docs/installing.md").split(separator: "gstreamer1.0-mien_").dropFirst()
    #expect(!named.isEmpty)
    for rest in named { #expect(rest.hasPrefix("\(revision)~deb")) }
    let inspected = try Command(
      ["gst-inspect-1.0", "--no-colors", "mien"], environment: Command.pluginEnvironment())
    #expect(inspected.output.contains("  Version                  \(version)\n"))
  }

  /// GStreamer 1.22 compares a plugin's version with its own here.
  @Test func theElementsExistForGstInspect() throws {
    for element in ["facedetect", "sticker"] {
      let run = try Command(
        ["gst-inspect-1.0", "--exists", element], environment: Command.pluginEnvironment())
      #expect(run.status == 0, "\(element): \(run.output)\(run.errors)")
    }
  }

  @Test func everyLinkOfThePagesLeadsSomewhere() throws {
    let run = try Command(["/usr/bin/python3", "setup/html_pages.py", "--check"])
    #expect(run.status == 0, "\(run.output)\(run.errors)")
  }

  @Test func theInspectionCacheIsAsCommitted() throws {
    let run = try Command(["setup/plugin_cache.py"], environment: Command.pluginEnvironment())
    #expect(run.status == 0, "\(run.errors)")
    #expect(
      try run.output == file("docs/plugins/gst_plugins_cache.json"),
      "after a wanted change: make inspect")
  }
}
