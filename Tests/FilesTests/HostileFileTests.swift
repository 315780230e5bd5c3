import Files
import Glibc
import Support
import Testing

@Suite(.timeLimit(.minutes(10))) struct HostileFileTests {
  private func problem(_ path: String, limit: Int = 100) -> FileProblem? {
    do {
      let file = try HostileFile(FilePath(path), limit: limit)
      _ = try file.bytes()
      return nil
    } catch {
      return error
    }
  }

  @Test func aFileIsReadWholeOrInPart() throws {
    let folder = ScratchFolder()
    let path = folder.write("a", Array(0..<100))
    let file = try HostileFile(FilePath(path), limit: 100)
    #expect(file.size == 100)
    #expect(try file.bytes() == Array(0..<100))
    #expect(try file.first(3) == [0, 1, 2])
    #expect(try file.first(1000).count == 100)
    let empty = try HostileFile(FilePath(folder.write("b", [])), limit: 0)
    #expect(try empty.bytes() == [])
  }

  @Test func whatIsNoFileIsRefusedAtOnceByKindAndReason() {
    let folder = ScratchFolder()
    let path = folder.write("a", Array(0..<101))
    mkfifo(folder.path + "/pipe", 0o600)
    for (path, kind, reason) in [
      (folder.path + "/none", FileProblem.Kind.missing, "No such file or directory"),
      (path + "/inside", .missing, "Not a directory"),
      (String(repeating: "x", count: 5000), .missing, "File name too long"),
      (path + "\0.png", .missing, "the path contains a NUL"),
      ("", .missing, "No such file or directory"),
      (folder.path, .folder, "is a folder, not a file"),
      (folder.path + "/pipe", .noFile, "is not a regular file"),
      ("/dev/zero", .noFile, "is not a regular file"),
      (path, .tooLarge(size: 101), "the file has 101 bytes, more than 100"),
    ] {
      let found = problem(path)
      #expect(found?.kind == kind && found?.description == reason, "\(path)")
    }
    #expect(problem(path, limit: 101) == nil)
  }

  @Test func whatWasOpenedIsReadWhateverTakesItsName() throws {
    let folder = ScratchFolder()
    let path = folder.write("a", [1, 2, 3])
    let file = try HostileFile(FilePath(path), limit: 100)
    #expect(rename(folder.write("b", [9]), path) == 0)
    #expect(try file.bytes() == [1, 2, 3])
    #expect(ScratchFolder.bytes(file.location.description) == [1, 2, 3])
    #expect(ScratchFolder.bytes(path) == [9])
  }

  @Test func aFileThatBecomesShorterIsNoWholeFile() throws {
    let folder = ScratchFolder()
    let path = folder.write("a", [1, 2, 3])
    let file = try HostileFile(FilePath(path), limit: 100)
    #expect(truncate(path, 2) == 0)
    #expect(throws: FileProblem.self) { try file.bytes() }
    #expect(try file.first(3) == [1, 2])
  }

  @Test func nothingStaysOpen() async {
    await #expect(processExitsWith: .success) {
      /// The number that the next open file gets.
      func next() -> CInt {
        let next = open("/dev/null", O_RDONLY)
        close(next)
        return next
      }
      let folder = ScratchFolder()
      let path = folder.write("a", Array(0..<101))
      let before = next()
      for round in 0..<5000 {
        let file = try? HostileFile(
          FilePath(round % 3 == 0 ? folder.path : path), limit: 99 + round % 5)
        _ = try file?.first(1)
      }
      // Whoever runs this opens something now and then, too.
      #expect(next() < before + 100)
    }
  }

  @Test func agesDifferAfterAChange() {
    let folder = ScratchFolder()
    let path = folder.write("meta.json", [1])
    let before = FileAge(FilePath(path))
    #expect(FileAge(FilePath(path)) == before)
    folder.write("meta.json", [1, 2])
    #expect(FileAge(FilePath(path)) != before)
    let none = FilePath(folder.path + "/none")
    #expect(FileAge("/dev/null/none") == FileAge(none))
    #expect(
      FileKind(FilePath(path)) == .file(size: 2) && FileKind(FilePath(folder.path)) == .folder)
    #expect(FileKind(none) == .nothing && FileKind("/dev/null") == .other)
  }

  @Test func aHeaderOfPNGIsTakenByItsWord() {
    let start: [UInt8] = [137, 80, 78, 71, 13, 10, 26, 10, 0, 0, 0, 13] + Array("IHDR".utf8)
    let header = PNGHeader(start + [0, 0, 1, 2, 0, 0, 0, 3, 8])
    #expect(header?.width == 258 && header?.height == 3 && header?.pixels == 774)
    #expect(PNGHeader(start + [UInt8](repeating: 255, count: 8))?.pixels == Int.max)
    #expect(PNGHeader(start + [0, 0, 1, 2, 0, 0, 0]) == nil)
    #expect(PNGHeader([0] + start.dropFirst() + [0, 0, 1, 2, 0, 0, 0, 3]) == nil)
  }
}
