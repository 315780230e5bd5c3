import CGStreamer
import Pixels
import Support
import Testing

/// Interlaced streams through the elements: caps and the flags of frames are kept.
@Suite(.timeLimit(.minutes(20))) struct InterlacedStreamTests {
  static let elements = [
    "beautifymask intensity=1", "sticker location=stickers/glasses", "facereshape slim=1",
    "facehide", "photoeffect look=chrome", "facedetect display=true", "personkey blur=5",
    "personkey", "chromakey method=blue", "chromakey method=blue background-color=0xff102030",
  ]
  private static let flags =
    GST_VIDEO_BUFFER_FLAG_INTERLACED.rawValue
    | GST_VIDEO_BUFFER_FLAG_TFF.rawValue

  @Test(arguments: [PixelFormat.i420, .y42bTen], elements)
  func modeAndOrderOfFieldsAreKept(format: PixelFormat, element: String) throws {
    precondition(Registered.now)
    let caps = "video/x-raw,interlace-mode=interleaved,field-order=top-field-first"
    let pipeline = try Pipeline(
      Registered.photograph(format, width: 320, height: 240, count: 2)
        + " ! capssetter name=marked caps=\(caps) ! facedetect ! \(element)"
        + " ! \(caps) ! fakesink name=sink")
    try pipeline.watch("marked", pad: "src") { $0.pointee.mini_object.flags |= Self.flags }
    var kept = 0
    try pipeline.watch("sink") {
      if $0.pointee.mini_object.flags & Self.flags == Self.flags { kept += 1 }
    }
    try pipeline.run()
    #expect(kept == 2)
  }
}
