import Glibc

/// Many frames through all four elements, and the memory they hold meanwhile.
///
/// The film is the photograph wandering over the frame, with a gap in which nobody is there, over
/// and over: faces are found, followed, lost, and found again all the time.
struct Soak {
  let frames: Int

  private let size = (width: 1920, height: 1080)
  private let folder = ".build/soak"
  private let length = 40

  /// False when it fails: the pipeline did not run, something was left alive, or memory grew.
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
    let environment = Environment.ours.merging([
      "GST_TRACERS": "leaks", "GST_DEBUG": "GST_TRACER:7", "GST_DEBUG_NO_COLOR": "1",
      "GST_DEBUG_FILE": log,
    ]) { $1 }
    let start = now()
    guard let pid = spawn(pipeline.split(separator: " ").map(String.init), environment: environment)
    else { return false }
    let (cost, memory) = watch(pid, report: report)
    guard let cost else {
      report.line("The pipeline failed.")
      return false
    }
    let alive = output(of: "grep 'object-alive, ' \(log) | grep -vc 'new format'")
    let rate = Double(frames) / (now() - start)
    // The first tenth fills pools, tables and packs.
    let settled = memory.dropFirst(max(3, memory.count / 10))
    let growth = (settled.suffix(settled.count / 4).max() ?? 0) - (settled.first ?? 0)
    report.line(
      "\(pad(rate)) frames a second, \(pad(cost / Double(frames) * 1000)) CPU ms a frame,"
        + " \(pad(growth)) MB more than after the first tenth, objects left alive: \(alive)")
    return growth < 2 && alive == "0"
  }

  /// The process's CPU seconds at its end, nil when it failed, and its memory second by second.
  private func watch(_ pid: pid_t, report: Report) -> (cost: Double?, memory: [Double]) {
    var memory: [Double] = []
    let start = now()
    var shown = 0.0
    var status: Int32 = 0
    var usage = rusage()
    while true {
      let ended = wait4(pid, &status, WNOHANG, &usage)
      if ended == pid { break }
      if ended < 0 && errno != EINTR { return (nil, memory) }
      if let held = Double(output(of: "awk '/^VmRSS/ {print $2}' /proc/\(pid)/status")) {
        memory.append(held / 1024)
        if now() - start >= shown {
          report.line("  \(pad(now() - start)) \(pad(held / 1024))")
          shown = shown == 0 ? 5 : min(shown * 2, shown + 60)
        }
      }
      usleep(1_000_000)
    }
    let cost = seconds(usage.ru_utime) + seconds(usage.ru_stime)
    return (status == 0 ? cost : nil, memory)
  }

  private func play(_ pipeline: String) -> Bool {
    mien_bench.run(
      pipeline.split(separator: " ").map(String.init), environment: Environment.peers) != nil
  }

  /// Writes the frames: the photograph on a round trip, and nobody in the last four.
  private func makeFilm() -> Bool {
    mkdir(folder, 0o777)
    guard access(folder + "/complete", R_OK) != 0 else { return true }
    for index in 0..<length {
      let turn = 2 * Double.pi * Double(index) / Double(length - 4)
      let isEmpty = index >= length - 4
      let (x, y) = (Int(400 * cos(turn)) / 2 * 2, Int(120 * sin(turn)) / 2 * 2)
      let picture =
        isEmpty
        ? "videotestsrc pattern=gradient num-buffers=1"
        : "filesrc location=models/astronaut.png ! pngdec ! videoconvert"
          + " ! videobox left=-256 right=-256 top=-32 bottom=-32 ! videobox"
          + " left=\(x / 2) right=\(-x / 2) top=\(y / 4) bottom=\(-y / 4)"
      let isMade = play(
        "gst-launch-1.0 -q \(picture) ! videoconvert ! videoscale ! video/x-raw,format=NV12,"
          + "width=\(size.width),height=\(size.height),pixel-aspect-ratio=1/1 ! filesink"
          + " location=\(folder)/\(index < 10 ? "0" : "")\(index).raw")
      guard isMade else { return false }
    }
    return fopen(folder + "/complete", "w").map { fclose($0) == 0 } ?? false
  }
}
