import Files
import Glibc
import Support
import Testing

@Suite(.timeLimit(.minutes(20))) struct UntrustedFileTests {
  private func problem(_ path: String, limit: Int = 100) -> FileError? {
    do {
      let file = try UntrustedFile(FilePath(path), limit: limit)
      _ = try file.bytes()
      return nil
    } catch {
      return error
    }
  }

  @Test func aFileIsReadWholeOrInPart() throws {
    let folder = ScratchFolder()
    let path = folder.write("a", Array(0..<100))
    let file = try UntrustedFile(FilePath(path), limit: 100)
    #expect(file.size == 100)
    #expect(try file.bytes() == Array(0..<100))
    #expect(try file.prefix(3) == [0, 1, 2])
    #expect(try file.prefix(1000).count == 100)
    let empty = try UntrustedFile(FilePath(folder.write("b", [])), limit: 0)
    #expect(try empty.bytes() == [])
  }

  @Test func unreadableFilesAreRejectedWithKindAndReason() {
    let folder = ScratchFolder()
    let path = folder.write("a", Array(0..<101))
    mkfifo(folder.path + "/pipe", 0o600)
    for (path, kind, reason) in [
      (folder.path + "/none", FileError.Kind.missing, "No such file or directory"),
      (path + "/inside", .missing, "Not a directory"),
      (String(repeating: "x", count: 5000), .missing, "File name too long"),
      (path + "\0.png", .missing, "the path contains a NUL"),
      ("", .missing, "No such file or directory"),
      (folder.path, .folder, "is a folder, not a file"),
      (folder.path + "/pipe", .notRegularFile, "is not a regular file"),
      ("/dev/zero", .notRegularFile, "is not a regular file"),
      (path, .tooLarge(size: 101), "the file has 101 bytes, more than 100"),
    ] {
      let found = problem(path)
      #expect(found?.kind == kind && found?.description == reason, "\(path)")
    }
    #expect(problem(path, limit: 101) == nil)
  }

  @Test func theOpenFileIsReadAfterItsNameWasTaken() throws {
    let folder = ScratchFolder()
    let path = folder.write("a", [1, 2, 3])
    let file = try UntrustedFile(FilePath(path), limit: 100)
    #expect(rename(folder.write("b", [9]), path) == 0)
    #expect(try file.bytes() == [1, 2, 3])
    #expect(ScratchFolder.bytes(file.reopenPath.description) == [1, 2, 3])
    #expect(ScratchFolder.bytes(path) == [9])
  }

  @Test func aTruncatedFileIsAnError() throws {
    let folder = ScratchFolder()
    let path = folder.write("a", [1, 2, 3])
    let file = try UntrustedFile(FilePath(path), limit: 100)
    #expect(truncate(path, 2) == 0)
    #expect(throws: FileError.self) { try file.bytes() }
    #expect(try file.prefix(3) == [1, 2])
  }

  @Test func descriptorsAreClosed() async {
    await #expect(processExitsWith: .success) {
      /// The next free file descriptor.
      func next() -> CInt {
        let next = open("/dev/null", O_RDONLY)
        close(next)
        return next
      }
      let folder = ScratchFolder()
      let path = folder.write("a", Array(0..<101))
      let before = next()
      for round in 0..<5000 {
        let file = try? UntrustedFile(
          FilePath(round % 3 == 0 ? folder.path : path), limit: 99 + round % 5)
        _ = try file?.prefix(1)
      }
      // The test runner opens files too.
      #expect(next() < before + 100)
    }
  }

  @Test func versionsDifferAfterAChange() {
    let folder = ScratchFolder()
    let path = folder.write("meta.json", [1])
    let before = FileVersion(FilePath(path))
    #expect(FileVersion(FilePath(path)) == before)
    folder.write("meta.json", [1, 2])
    #expect(FileVersion(FilePath(path)) != before)
    let none = FilePath(folder.path + "/none")
    #expect(FileVersion("/dev/null/none") == FileVersion(none))
    #expect(
      FileKind(FilePath(path)) == .file(size: 2) && FileKind(FilePath(folder.path)) == .folder)
    #expect(FileKind(none) == .nothing && FileKind("/dev/null") == .other)
  }

  @Test func aPNGHeaderIsParsed() {
    let start: [UInt8] = [137, 80, 78, 71, 13, 10, 26, 10, 0, 0, 0, 13] + Array("IHDR".utf8)
    let header = PNGHeader(start + [0, 0, 1, 2, 0, 0, 0, 3, 8])
    #expect(header?.width == 258 && header?.height == 3 && header?.pixels == 774)
    #expect(PNGHeader(start + [UInt8](repeating: 255, count: 8))?.pixels == Int.max)
    #expect(PNGHeader(start + [0, 0, 1, 2, 0, 0, 0]) == nil)
    #expect(PNGHeader([0] + start.dropFirst() + [0, 0, 1, 2, 0, 0, 0, 3]) == nil)
  }
}
