import CGStreamer
import Support
import Testing
import Threads

#if canImport(Glibc)
  import Glibc
#endif

/// Pipelines that are stopped while their files are being decoded.
@Suite(.timeLimit(.minutes(20))) struct StoppingTests {
  /// A picture of a few bytes that takes a decoder seconds, in which nothing interrupts it.
  private static let slow =
    """
    <svg xmlns="http://www.w3.org/2000/svg" width="700" height="700"><filter id="f">
    <feTurbulence baseFrequency="0.02" numOctaves="9"/><feGaussianBlur stdDeviation="60"/>
    <feMorphology operator="dilate" radius="40"/></filter>
    <rect width="700" height="700" filter="url(#f)"/></svg>
    """

  /// A pack of six such pictures.
  private static func pack() -> StickerFolder {
    let folder = StickerFolder()
    let items = (0..<6).map { index in
      folder.write("\(index).svg", Array(slow.utf8))
      return "{\"type\": 1, \"anchor\": \"top\", \"scaleWidth\": 1, \"file\": \"\(index).svg\"}"
    }
    folder.write(
      "meta.json",
      Array(
        "{\"version\": 2, \"name\": \"slow\", \"items\": [\(items.joined(separator: ","))]}".utf8))
    return folder
  }

  /// In a process of its own, whose threads and files are counted.
  @Test func noStateChangeWaitsForADecoder() async {
    await #expect(processExitsWith: .success) { try Self.changeStates() }
  }

  /// Five hundred changes; `MIEN_STATE_CHANGES` says another number, for a machine with nothing else
  /// to do: none may be late then.
  private static func changeStates() throws {
    #expect(Registered.now)
    let folder = pack()
    let beach = ScratchFolder()
    let pipeline = try Pipeline(
      "videotestsrc pattern=green ! video/x-raw,format=RGB,width=64,height=48"
        + " ! sticker location=\(folder.path) ! chromakey background="
        + beach.write("beach.svg", Array(slow.utf8)) + " ! fakesink name=sink")
    var frames = 0
    try pipeline.watch("sink") { _ in frames += 1 }
    // The decoder's library starts threads of its own, which stay.
    pipeline.setState(GST_STATE_PAUSED)
    usleep(300_000)
    pipeline.setState(GST_STATE_NULL)
    settle()
    let before = (threads: count("task"), files: count("fd"))
    let asked = g_getenv("MIEN_STATE_CHANGES").flatMap { Int(String(cString: $0)) }
    let changes = asked ?? 500
    var random = SplitMix(1)
    var times: [Double] = []
    func time(_ body: () -> Void) {
      let start = g_get_monotonic_time()
      body()
      times.append(Double(g_get_monotonic_time() - start) / 1000)
    }
    while times.count < changes {
      let states = [GST_STATE_NULL, GST_STATE_READY, GST_STATE_PAUSED, GST_STATE_PLAYING]
      time { pipeline.setState(states[Int(random.next() % 4)]) }
      // Frames that wait for the picture are woken by a flush, too.
      if random.next() % 3 == 0 {
        time { gst_element_seek_simple(pipeline.raw, GST_FORMAT_TIME, GST_SEEK_FLAG_FLUSH, 0) }
      }
      usleep(UInt32(random.next() % 20_000))
    }
    time { pipeline.setState(GST_STATE_NULL) }
    times.sort()
    let late = times.filter { $0 > 100 }
    // A busy machine may hold one up for a moment; a decoder would hold up many, for seconds.
    #expect(
      late.count <= (asked == nil ? changes / 100 : 0) && times.last ?? 0 < 1000,
      "\(late.count) of \(times.count), median \(times[times.count / 2]), longest \(times.suffix(3))"
    )
    #expect(frames == 0)
    settle(threads: before.threads)
    let after = (threads: count("task"), files: count("fd"))
    #expect(
      after.threads <= before.threads && after.files < before.files + 5, "\(before), \(after)")
  }

  /// Waits until no decoder is at work any more, and no more threads are there than so many.
  private static func settle(threads: Int = 0) {
    for _ in 0..<600 {
      usleep(100_000)
      // GLib keeps some of the decoders' threads for whoever comes next.
      g_thread_pool_stop_unused_threads()
      if BackgroundWorker<Int>.abandonedCount == 0, threads == 0 || count("task") <= threads {
        return
      }
    }
  }

  private static func count(_ folder: String) -> Int {
    guard let directory = opendir("/proc/self/\(folder)") else { return 0 }
    defer { closedir(directory) }
    var count = 0
    while readdir(directory) != nil { count += 1 }
    return count
  }
}
