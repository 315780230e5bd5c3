import Support
import Testing

/// A folder with the photographs and films that tests have the command work on, and what it must not
/// do to them.
struct MienScene {
  let scratch = ScratchFolder()
  var folder: String { scratch.path }

  func path(_ name: String) -> String { folder + "/" + name }

  /// The photograph, by any of GStreamer's encoders for one picture.
  func photograph(_ name: String, _ encoder: String = "pngenc") throws -> String {
    try Pipeline(
      "filesrc location=\(Photograph.path) ! pngdec ! videoconvert ! \(encoder)"
        + " ! filesink location=\(path(name))"
    ).run()
    return path(name)
  }

  /// A film of the photograph, as MP4 with sound.
  ///
  /// `turned` is an image orientation that it says of itself, by which its frames are stored.
  func film(_ name: String, frames: Int = 12, turned: String? = nil) throws -> String {
    let turn = turned.map { " ! taginject tags=image-orientation=\($0)" } ?? ""
    let store = turned == "rotate-90" ? " ! videoflip video-direction=90l" : ""
    try Pipeline(
      "filesrc location=\(Photograph.path) ! pngdec ! videoscale ! video/x-raw,width=320,height=240"
        + "\(store) ! imagefreeze num-buffers=\(frames) ! video/x-raw,framerate=12/1"
        + " ! videoconvert ! openh264enc ! h264parse\(turn) ! queue ! mp4mux name=m"
        + " ! filesink location=\(path(name)) audiotestsrc samplesperbuffer=3675"
        + " num-buffers=\(frames) ! audio/x-raw,rate=44100,channels=2 ! avenc_aac ! aacparse ! queue ! m."
    ).run()
    return path(name)
  }

  /// All that lies in the folder, with what is in it.
  func contents() throws -> String {
    try Command([
      "sh", "-c", "cd '\(folder)' && find . -type f -o -type l | sort | xargs -d '\\n' md5sum",
    ])
    .output
  }

  /// What GStreamer finds in a file: its streams as it names them, its size and its length.
  func described(_ name: String) throws -> String {
    let run = try Command(["gst-discoverer-1.0", "-v", name.hasPrefix("/") ? name : path(name)])
    return run.output + run.errors
  }
}
