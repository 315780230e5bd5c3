import CGStreamer
import Support
import Testing

#if canImport(Glibc)
  import Glibc
#endif

/// What the pages print is run as printed.
@Suite(.serialized) struct DocumentationTests {
  private static func text(_ path: String) -> String {
    var contents: UnsafeMutablePointer<gchar>?
    guard g_file_get_contents(Photograph.root + "/" + path, &contents, nil, nil) != 0 else {
      return ""
    }
    defer { g_free(contents) }
    return contents.map { String(cString: $0) } ?? ""
  }

  /// The commands in the `sh` blocks of a page, with their continued lines joined.
  private static func commands(_ page: String) -> [String] {
    var commands: [String] = []
    for block in text(page).components(between: "```sh\n", and: "```") {
      var command = ""
      for line in block.split(separator: "\n") {
        let isContinued = line.hasSuffix("\\")
        command += isContinued ? line.dropLast() : line
        if !isContinued {
          commands.append(command)
          command = ""
        }
      }
    }
    return commands
  }

  private static let pages: [String] = {
    var pages = ["README.md"]
    guard let folder = g_dir_open(Photograph.root + "/docs", 0, nil) else { return pages }
    defer { g_dir_close(folder) }
    while let name = g_dir_read_name(folder) {
      let name = String(cString: name)
      if name.hasSuffix(".md") { pages.append("docs/" + name) }
    }
    return pages.sorted()
  }()

  /// What a test has not got: a camera, a screen, a file of the reader's.
  private static let missing = ["v4l2src", "/dev/video", "film.", "INPUT"]

  /// How commands begin that build or run something of this project.
  private static let ours = ["pipelines/", "cc ", "swift build --package-path"]

  /// The commands that can run here.
  ///
  /// There is no screen: what would be shown in a window is thrown away.
  static let runnable = pages.flatMap { page in
    commands(page).filter { command in
      ours.contains { command.hasPrefix($0) } && !missing.contains { command.contains($0) }
    }.map { $0.replacing("autovideosink", with: "fakesink") }
  }

  @Test func thePagesHaveCommandsToRun() {
    #expect(Self.pages.count >= 5)
    #expect(Self.runnable.count >= 5)
  }

  @Test(arguments: runnable)
  func everyCommandRunsAsPrinted(command: String) throws {
    g_mkdir_with_parents(Photograph.root + "/out", 0o755)
    let run = try Command(["sh", "-c", command], environment: try Command.pluginEnvironment())
    #expect(run.status == 0, "\(command)\n\(run.errors.suffix(2000))")
  }

  @Test func theReaderInTheReadmeIsTheOneInThePipelines() {
    let printed = Self.text("README.md").components(between: "```python\n", and: "```")
    let kept = Self.text("pipelines/read_faces.py").split(separator: "\n").dropFirst(2)
    #expect(printed.first?.split(separator: "\n").elementsEqual(kept) == true)
  }
}
