import Files
import Glibc
import Support
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(20))) struct FolderTests {
  /// A folder "in" beside files that must not be reachable.
  private let scratch = ScratchFolder()
  private var path: String { scratch.path + "/in" }

  private func make() throws -> Folder {
    mkdir(path, 0o700)
    mkdir(path + "/deep", 0o700)
    scratch.write("secret", [9])
    scratch.write("in/a", [1])
    scratch.write("in/deep/b", [2])
    return try Folder(FilePath(path))
  }

  private func bytes(_ name: FilePath, _ folder: Folder) throws -> [UInt8] {
    try folder.openFile(name, limit: 100).bytes()
  }

  private func kind(_ name: FilePath, _ folder: Folder) -> FileError.Kind? {
    do throws(FileError) { _ = try folder.openFile(name, limit: 100) } catch { return error.kind }
    return nil
  }

  @Test func filesAreOpenedInsideTheFolderOnly() throws {
    let folder = try make()
    #expect(try bytes("a", folder) == [1] && bytes("deep/b", folder) == [2])
    #expect(try bytes("./deep//../deep/./b", folder) == [2])
    #expect(kind("../secret", folder) == .outside)
    #expect(kind("deep/../../secret", folder) == .outside)
    #expect(kind(FilePath(scratch.path + "/secret"), folder) == .outside)
    #expect(kind("none", folder) == .missing && kind("a/b", folder) == .missing)
    #expect(kind("deep", folder) == .folder && kind("", folder) == .folder)
    #expect(kind("a\0b", folder) == .missing)
  }

  @Test func linksAreFollowedInsideTheFolderOnly() throws {
    let folder = try make()
    for (name, target) in [
      ("near", "a"), ("deep/up", "../a"), ("loop", "loop"), ("out", "../secret"),
      ("root", scratch.path + "/secret"), ("deep/far", "../../secret"), ("door", ".."),
      ("hollow", "none"), ("way", "deep"),
    ] { #expect(symlink(target, path + "/" + name) == 0) }
    #expect(try bytes("near", folder) == [1] && bytes("deep/up", folder) == [1])
    #expect(try bytes("way/b", folder) == [2] && bytes("way/up", folder) == [1])
    for name: FilePath in ["out", "root", "deep/far", "way/far", "door/secret"] {
      #expect(kind(name, folder) == .outside, "\(name)")
    }
    #expect(kind("loop", folder) == .missing && kind("hollow", folder) == .missing)
  }

  /// Ends another thread.
  private final class StopFlag: Sendable {
    let isSet = Atomic(false)
  }

  @Test func aLinkSwappedInDuringAnAccessNeverEscapes() async throws {
    let folder = try make()
    let stop = StopFlag()
    let swapping = Task.detached { [path = path] in
      // Replaces a file and a parent folder by links, and restores them.
      while !stop.isSet.load(ordering: .relaxed) {
        for (name, target) in [("a", "../secret"), ("deep", "..")] {
          rename(path + "/" + name, path + "/aside")
          symlink(target, path + "/" + name)
          unlink(path + "/" + name)
          rename(path + "/aside", path + "/" + name)
        }
      }
    }
    var read = 0
    for round in 0..<20_000 {
      let name: FilePath = round % 2 == 0 ? "a" : "deep/secret"
      guard let found = try? bytes(name, folder) else { continue }
      #expect(found == [1])
      read += 1
    }
    stop.isSet.store(true, ordering: .relaxed)
    await swapping.value
    #expect(read > 0)
  }

  @Test func aFolderIsListedUpToALimit() throws {
    let folder = try make()
    let names = try folder.entryNames(in: "deep", atMost: 1)
    #expect(names == ["b"])
    scratch.write("in/deep/c", [])
    #expect(try folder.entryNames(in: "deep", atMost: 1) == nil)
    #expect(try folder.entryNames(in: "deep", atMost: 2)?.count == 2)
    #expect(throws: FileError.self) { try folder.entryNames(in: "a", atMost: 9) }
  }

  @Test func namesNeedNotBeUTF8() throws {
    let folder = try make()
    let name = FilePath(bytes: [0x66, 0xFC, 0x72, 0xFF])
    let path = folder.path.appending(name)
    let number = path.withCString { open($0, O_CREAT | O_WRONLY, 0o600) }
    #expect(number >= 0 && write(number, "x", 1) == 1)
    close(number)
    #expect(try bytes(name, folder) == [0x78])
    #expect(try UntrustedFile(path, limit: 9).bytes() == [0x78])
    #expect(FileKind(path) == .file(size: 1))
    #expect(try folder.entryNames(in: ".", atMost: 9)?.contains(name) == true)
    #expect(name.description == "f\u{FFFD}r\u{FFFD}")
  }

  @Test func pathsSplitIntoFolderAndName() {
    for (path, folder, name) in [("a", ".", "a"), ("/a", "/", "a"), ("b/c/a", "b/c", "a")] {
      let split = FilePath(path).split
      #expect(split.folder == FilePath(folder) && split.name == FilePath(name))
    }
    #expect(FilePath("x/A.PnG").hasSuffix(".png") && !FilePath("png").hasSuffix(".png"))
  }
}
