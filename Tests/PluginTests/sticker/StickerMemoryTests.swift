import CGStreamer
import Support
import Testing

#if canImport(Glibc)
  import Glibc
#endif

@Suite(.timeLimit(.minutes(20))) struct StickerMemoryTests {
  private static let rounds = 80

  /// In a process of its own: other tests take and give back memory too.
  @Test func memoryStaysFlatOverPackChangesSeeksAndFlushes() async {
    await #expect(processExitsWith: .success) { try Self.changePacks() }
  }

  /// Packs of 3 MB take turns; were they kept, sixty of them would come to 180 MB.
  private static func changePacks() throws {
    #expect(Registered.now)
    let colors: [UInt32] = [0xFFFF_0000, 0xFF00_00FF]
    let folders = try colors.map { color in
      let folder = StickerFolder()
      try folder.pack(
        "\"type\": 1, \"anchor\": \"cover\", \"scaleWidth\": 1",
        colors: Array(repeating: color, count: 3), side: 512)
      return folder
    }
    let pipeline = try Pipeline(
      "videotestsrc ! video/x-raw,format=RGB,width=64,height=48,framerate=1000/1"
        + " ! identity sleep-time=300 ! sticker name=s ! fakesink name=sink")
    var frames = 0
    var red = -1
    try pipeline.watch("sink") { buffer in
      red = Int(CapturedFrame(buffer).bytes[3000])
      frames += 1
    }
    pipeline.setState(GST_STATE_PLAYING)
    var resident: [Int] = []
    var worn = 0
    let manifest = ScratchFolder.bytes(folders[0].path + "/meta.json")
    for round in 0..<Self.rounds {
      // A changed file makes it another pack, which nobody has yet.
      folders[round % 2].write("meta.json", manifest)
      pipeline.set("s", "location", folders[round % 2].path)
      let wanted = round % 2 == 0 ? 255 : 0
      for _ in 0..<10_000 where red != wanted { usleep(500) }
      if red == wanted { worn += 1 }
      let goal = frames + 30
      for _ in 0..<10_000 where frames < goal { usleep(500) }
      if round % 3 == 0 {
        gst_element_seek_simple(
          pipeline.raw, GST_FORMAT_TIME, GST_SEEK_FLAG_FLUSH, gint64(round % 7) * 100_000_000)
      }
      resident.append(Self.residentKilobytes())
    }
    pipeline.setState(GST_STATE_NULL)
    #expect(worn == Self.rounds && frames >= 30 * Self.rounds)
    let (early, late) = (resident[5..<15].min() ?? 0, resident[70...].min() ?? 0)
    #expect(late - early < 16_000, "\(resident)")
  }

  private static func residentKilobytes() -> Int {
    var text: UnsafeMutablePointer<gchar>?
    guard g_file_get_contents("/proc/self/statm", &text, nil, nil) != 0, let text else { return 0 }
    defer { g_free(text) }
    let fields = String(cString: text).split(separator: " ")
    return fields.count > 1 ? (Int(fields[1]) ?? 0) * 4 : 0
  }
}
