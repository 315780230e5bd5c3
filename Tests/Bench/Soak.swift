import Glibc
import Support

/// A soak test: processes many frames with four elements and monitors the memory.
///
/// The film loops the photograph moving over the frame, with a gap without a face, so that faces are
/// detected, tracked, lost and detected again.
struct Soak {
  let frames: Int

  private let size = (width: 1920, height: 1080)
  private let folder = ".build/soak"
  private let length = 40

  /// False if the pipeline failed, objects leaked, or memory grew.
  func run(report: Report) -> Bool {
    guard makeFilm() else {
      report.line("The film could not be made.")
      return false
    }
    let pipeline =
      "gst-launch-1.0 -q multifilesrc location=\(folder)/%02d.raw index=0 stop-index=\(length - 1)"
      + " loop=true num-buffers=\(frames) ! rawvideoparse format=nv12"
      + " width=\(size.width) height=\(size.height) framerate=60/1"
      + " ! chromakey method=green background-color=0xff102030 ! facedetect ! beautifymask"
      + " ! sticker location=halo ! fakesink sync=false"
    report.line("\(frames) frames of \(size.width)x\(size.height) NV12 through all four elements")
    report.line("  seconds   memory MB")
    let log = folder + "/log"
    let environment = Environment.ours.merging(Command.tracingLeaks) { $1 }
      .merging(["GST_DEBUG_FILE": log]) { $1 }
    let start = Cost.now.wall
    // In megabytes, second by second.
    var held: [Double] = []
    var shown = 0.0
    let cost = execute(words(pipeline), environment) { pid in
      let passed = Cost.now.wall - start
      guard passed >= Double(held.count), let now = memory(of: pid, "VmRSS") else { return }
      held.append(now)
      guard passed >= shown else { return }
      report.line("  \(pad(passed)) \(pad(now))")
      shown = shown == 0 ? 5 : min(shown * 2, shown + 60)
    }
    guard let cost else {
      report.line("The pipeline failed.")
      return false
    }
    let lines = String(decoding: ScratchFolder.bytes(log), as: UTF8.self).split(separator: "\n")
    let alive = lines.count { $0.contains("object-alive, ") && !$0.contains("new format") }
    // The first tenth fills pools, tables and packs.
    let settled = held.dropFirst(max(3, held.count / 10))
    let growth = (settled.suffix(settled.count / 4).max() ?? 0) - (settled.first ?? 0)
    report.line(
      "\(pad(Double(frames) / cost.wall)) frames a second, "
        + "\(pad(cost.cpu / Double(frames) * 1000)) CPU ms a frame,"
        + " \(pad(growth)) MB more than after the first tenth, objects left alive: \(alive)")
    return growth < 2 && alive == 0
  }

  /// Writes the frames: the photograph on a closed path, and no face in the last four.
  private func makeFilm() -> Bool {
    mkdir(folder, 0o777)
    guard access(folder + "/complete", R_OK) != 0 else { return true }
    for index in 0..<length {
      let turn = 2 * Double.pi * Double(index) / Double(length - 4)
      let (x, y) = (Int(400 * cos(turn)) / 2 * 2, Int(120 * sin(turn)) / 2 * 2)
      let picture =
        index >= length - 4
        ? "videotestsrc pattern=gradient num-buffers=1"
        : "filesrc location=models/astronaut.png ! pngdec ! videoconvert"
          + " ! videobox left=-256 right=-256 top=-32 bottom=-32 ! videobox"
          + " left=\(x / 2) right=\(-x / 2) top=\(y / 4) bottom=\(-y / 4)"
      let command =
        "gst-launch-1.0 -q \(picture) ! videoconvert ! videoscale"
        + " ! \(caps("NV12", size.width, size.height)),pixel-aspect-ratio=1/1 ! filesink"
        + " location=\(folder)/\(index < 10 ? "0" : "")\(index).raw"
      guard execute(words(command), Environment.peers) != nil else { return false }
    }
    return fopen(folder + "/complete", "w").map { fclose($0) == 0 } ?? false
  }
}
