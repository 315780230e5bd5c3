import CGStreamer
import Support
import Testing

#if canImport(Glibc)
  import Glibc
#endif

/// What the pages print is run as printed.
@Suite(.serialized, .timeLimit(.minutes(20))) struct DocumentationTests {
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
    var pages = ["README.md", "stickers/README.md"]
    guard let folder = g_dir_open(Photograph.root + "/docs", 0, nil) else { return pages }
    defer { g_dir_close(folder) }
    while let name = g_dir_read_name(folder) {
      let name = String(cString: name)
      if name.hasSuffix(".md") { pages.append("docs/" + name) }
    }
    return pages.sorted()
  }()

  /// Devices that tests have not, each with the source or sink that replaces it.
  private static let replacements = [
    ("v4l2src", "videotestsrc num-buffers=3"), ("v4l2:///dev/video0", "models/astronaut.png"),
    ("autovideosink", "fakesink"),
  ]

  /// How commands begin that build or run something of this project.
  private static let ours = [
    "pipelines/", "stickers/", "mien ", "cc ", "mkdir ", "swift build --package-path",
  ]

  /// A command without the variables that are set before it.
  private static func name(_ command: String) -> Substring {
    var rest = command[...]
    while let equals = rest.firstIndex(of: "="), !rest[..<equals].contains(" ") {
      // A value in quotation marks ends where they do.
      var value = rest[equals...].dropFirst()
      let isQuoted = value.first == "\""
      if isQuoted { value = value.dropFirst() }
      guard let end = value.firstIndex(of: isQuoted ? "\"" : " ") else { break }
      rest = value[end...].dropFirst().drop { $0 == " " }
    }
    return rest
  }

  static let all = pages.flatMap { page in commands(page).filter { !$0.hasPrefix("#") } }

  static let runnable = all.filter { command in
    ours.contains { name(command).hasPrefix($0) }
  }.map { command in
    replacements.reduce(command) { $0.replacing($1.0, with: $1.1) }
  }

  /// Those that build, test or install, which cannot be done while tests run.
  static let makes = all.filter { name($0).hasPrefix("make ") }

  @Test func everyCommandOfThePagesIsCovered() {
    #expect(Self.pages.count >= 8)
    #expect(Self.runnable.count >= 12)
    #expect(Self.all.count == Self.runnable.count + Self.makes.count)
  }

  @Test(arguments: runnable)
  func everyCommandRunsAsPrinted(command: String) throws {
    g_mkdir_with_parents(Photograph.root + "/out", 0o755)
    // A pipeline of other elements that does not end must not stop the tests.
    let run = try Command.shell(
      "PATH=${mien%/*}:$PATH; timeout --kill-after=10 600 bash -c \"$1\"", [command])
    #expect(run.status == 0, "\(command)\n\(run.errors.suffix(2000))")
  }

  @Test(arguments: makes)
  func everyMakeTargetOfThePagesExists(command: String) throws {
    let words = Self.name(command).dropFirst("make ".count)
    let run = try Command(["sh", "-c", "make -n " + words])
    #expect(run.status == 0, "\(command)\n\(run.errors.suffix(2000))")
  }

  @Test(arguments: [
    "BeautifyMask", "ChromaKey", "FaceDetect", "FaceReshape", "PersonKey", "PhotoEffect", "Sticker",
  ])
  func everyPresetSaysWhatItIsFor(element: String) {
    let lines = Self.text("presets/Mien\(element).prs").split(separator: "\n")
    let starts = lines.indices.filter { lines[$0].hasPrefix("[") }.dropFirst()
    #expect(!starts.isEmpty)
    for start in starts {
      #expect(lines[start + 1].hasPrefix("_meta/comment="), "\(lines[start])")
    }
  }

  @Test func theReaderOnThePageEqualsTheFile() {
    let printed = Self.text("docs/metadata.md").components(between: "```python\n", and: "```")
    let kept = Self.text("pipelines/read_faces.py").split(separator: "\n").dropFirst(2)
    #expect(printed.first?.split(separator: "\n").elementsEqual(kept) == true)
  }
}
