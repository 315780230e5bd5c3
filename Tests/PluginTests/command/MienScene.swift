import Support
import Testing

/// A folder with input files for the command, and a check that they do not change.
struct MienScene {
  let scratch = ScratchFolder()
  var folder: String { scratch.path }

  func path(_ name: String) -> String { folder + "/" + name }

  /// Writes the photograph with one of GStreamer's picture encoders.
  func photograph(_ name: String, _ encoder: String = "pngenc") throws -> String {
    try Pipeline(
      "filesrc location=\(Photograph.path) ! pngdec ! videoconvert ! \(encoder)"
        + " ! filesink location=\(path(name))"
    ).run()
    return path(name)
  }

  /// Writes an MP4 film of the photograph, 320 x 240, with sound.
  ///
  /// With `isTurned` the frames are stored rotated by 90 degrees, with a rotation in the track
  /// header, as phones do.
  func film(_ name: String, frames: Int = 12, isTurned: Bool = false) throws -> String {
    try Pipeline(
      "filesrc location=\(Photograph.path) ! pngdec ! videoscale"
        + " ! video/x-raw,width=320,height=240,pixel-aspect-ratio=1/1"
        + (isTurned ? " ! videoflip video-direction=90l" : "")
        + " ! imagefreeze num-buffers=\(frames) ! video/x-raw,framerate=12/1"
        + " ! videoconvert ! openh264enc ! h264parse ! queue ! mp4mux name=m"
        + " ! filesink location=\(path(name)) audiotestsrc samplesperbuffer=3675"
        + " num-buffers=\(frames) ! audio/x-raw,rate=44100,channels=2 ! avenc_aac ! aacparse ! queue ! m."
    ).run()
    if isTurned { scratch.write(name, turned(ScratchFolder.bytes(path(name)))) }
    return path(name)
  }

  /// Sets the matrix in the track header of an MP4 file to a clockwise rotation by 90 degrees
  /// (ISO/IEC 14496-12, 8.3.2).
  private func turned(_ file: [UInt8]) -> [UInt8] {
    let one: [UInt8] = [0, 1, 0, 0]
    var file = file
    for place in file.indices.dropLast(84) where file[place...].starts(with: "tkhd".utf8) {
      let (matrix, width) = (place + 44, place + 80)
      // The audio track has width 0.
      guard file[matrix..<matrix + 4].elementsEqual(one),
        file[width..<width + 4].contains(where: { $0 > 0 })
      else { continue }
      let turned = [0, 0, 0, 0] + one + [0, 0, 0, 0] + [0xFF, 0xFF, 0, 0]
      file.replaceSubrange(matrix..<matrix + 16, with: turned)
      // The middle element of the diagonal.
      file.replaceSubrange(matrix + 16..<matrix + 20, with: [0, 0, 0, 0])
    }
    return file
  }

  /// The names and checksums of all files in the folder.
  func contents() throws -> String {
    try Command([
      "sh", "-c", "cd '\(folder)' && find . -type f -o -type l | sort | xargs -d '\\n' md5sum",
    ])
    .output
  }

  /// The report of gst-discoverer on a file: streams, tags, size and duration.
  func described(_ name: String) throws -> String {
    let run = try Command(["gst-discoverer-1.0", "-v", name.hasPrefix("/") ? name : path(name)])
    return run.output + run.errors
  }
}
