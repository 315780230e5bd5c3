import Binding
import Files
import Frames
import Inference

/// Finds and loads the model files of the networks.
enum ModelFiles {
  private static let files = DataFiles(
    subfolder: "models", variable: "MIEN_MODEL_PATH",
    advice: "The package gstreamer1.0-mien and \"make setup\" in Mien's source folder bring the "
      + "models; model-dir names another folder.")

  /// Finds the model file `name` and passes its path to `body`, which throws if it is unsuitable.
  ///
  /// `what` names the kind of model in error texts. Returns the text to log. The error names the
  /// file, or all folders that were searched.
  static func load(
    _ name: String, _ what: String, in folder: FilePath?,
    _ body: (FilePath) throws(ModelError) -> Void
  ) throws(ElementError) -> String {
    let path = try files.find(FilePath(name), in: folder)
    do {
      try body(path)
      return "loaded \(path)"
    } catch {
      throw ElementError(
        .wrongContent,
        "The \(what) model \(path) cannot be used: \(error.description). Install the package "
          + "gstreamer1.0-mien again, or fetch the models with \"make setup\".")
    }
  }
}
