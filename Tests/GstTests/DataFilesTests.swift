import Binding
import Files
import Frames
import Support
import Testing

@Suite(.timeLimit(.minutes(20))) struct DataFilesTests {
  private let files = DataFiles(
    subfolder: "models", variable: "MIEN_TEST_NO_SUCH_VARIABLE", advice: "Fetch it.")

  @Test func modelsOfTheSourceTreeAreFoundWithoutBeingTold() throws {
    #expect(
      try files.find("face_landmark.tflite", in: nil)
        == FilePath(Photograph.models + "/face_landmark.tflite"))
  }

  @Test func aNamedFolderIsTheOnlyPlaceLookedIn() {
    do {
      _ = try files.find("face_landmark.tflite", in: "/nonexistent")
      Issue.record("found in a folder that does not exist")
    } catch {
      #expect(error.code == .notFound)
      #expect(error.message == "face_landmark.tflite was not found. Fetch it.")
      #expect(error.detail == "Tried /nonexistent/face_landmark.tflite")
    }
  }

  @Test func theErrorNamesEveryPlaceTried() {
    do {
      _ = try files.find("no-such-file", in: nil)
      Issue.record("found a file that does not exist")
    } catch {
      #expect(error.detail.contains("/share/mien/models/no-such-file"))
      #expect(error.detail.contains(Photograph.models + "/no-such-file"))
    }
  }
}
