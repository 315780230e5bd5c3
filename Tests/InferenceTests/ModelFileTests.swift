import Files
import Glibc
import Support
import Testing

@testable import Inference

@Suite(.timeLimit(.minutes(20))) struct ModelFileTests {
  /// A folder with files of given sizes.
  final class Scratch {
    private let folder = ScratchFolder()
    var path: String { folder.path }

    func file(_ name: String, size: Int, bytes: [UInt8] = []) throws -> String {
      let file = path + "/" + name
      let descriptor = open(file, O_WRONLY | O_CREAT, 0o600)
      try #require(descriptor >= 0)
      defer { close(descriptor) }
      #expect(write(descriptor, bytes, bytes.count) == bytes.count)
      #expect(ftruncate(descriptor, size) == 0)
      return file
    }
  }

  private func expectError(_ path: String, _ reason: String) {
    let error = #expect(throws: ModelError.self) { _ = try Graph(path: FilePath(path)) }
    #expect(error?.description.hasPrefix(path) == true)
    #expect(error?.description.contains(reason) == true, "\(error?.description ?? "")")
  }

  @Test func anUnreadableFileIsNamedWithTheReason() throws {
    let scratch = Scratch()
    expectError(scratch.path + "/none.tflite", "No such file or directory")
    expectError(scratch.path, "is a folder")
    expectError(try scratch.file("empty", size: 0), "is empty")
    expectError(try scratch.file("huge", size: 64 << 20 + 1), "more than")
    expectError(
      try scratch.file("text", size: 40, bytes: Array("no model at all".utf8)), "TFL3")
    let pipe = scratch.path + "/pipe"
    #expect(mkfifo(pipe, 0o600) == 0)
    expectError(pipe, "is not a regular file")
    expectError(ModelFiles.path("iris_landmark") + "/inside", "Not a directory")
    expectError(String(repeating: "x", count: 5000), "File name too long")
  }

  @Test func aPathWithANulIsRejected() {
    #expect(throws: ModelError.self) { try TFLiteModel(path: FilePath("models/\0.tflite")) }
  }
}
