import Binding
import Files
import Frames
import Inference
import Threads

/// The networks' files, which come with the plugin.
enum ModelFiles {
  private static let files = DataFiles(
    subfolder: "models", variable: "MIEN_MODEL_PATH",
    advice: "Run \"make setup\" in Mien's source folder to fetch the models, or set model-dir.")

  /// Builds the network in the file called `name`, for `body` to take or to refuse.
  ///
  /// `what` says what it is. Returns what to log of it; the error names the file, or every place it was looked for.
  static func load(
    _ name: String, _ what: String, in folder: FilePath?, threads: ThreadPool?,
    _ body: (Graph) throws(ModelError) -> Void
  ) throws(ElementError) -> String {
    let path = try files.find(FilePath(name), in: folder)
    do {
      let graph = try Graph(path: path, threads: threads)
      try body(graph)
      return "loaded \(path)"
    } catch {
      throw ElementError(
        .wrongContent, "The \(what) model \(path) cannot be used: \(error.description)")
    }
  }
}
