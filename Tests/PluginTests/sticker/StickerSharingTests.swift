import CGStreamer
import Files
import Frames
import Pixels
import Support
import Testing
import Threads

@testable import Elements

#if canImport(Glibc)
  import Glibc
#endif

/// Packs that several elements wear, and what becomes of them.
@Suite(.timeLimit(.minutes(20))) struct StickerSharingTests {
  private static let format: VideoFormat? = {
    #expect(Registered.now)
    var info = GstVideoInfo()
    gst_video_info_set_format(&info, GST_VIDEO_FORMAT_NV12, 64, 48)
    return VideoFormat(info)
  }()

  private func made() throws -> StickerFolder {
    let folder = StickerFolder()
    try folder.pack(
      "\"type\": 1, \"anchor\": \"cover\", \"scaleWidth\": 1", colors: [0xFFFF_0000, 0xFF00_FF00])
    return folder
  }

  @Test func aPackThatIsWornAlreadyIsNotDecodedAgain() throws {
    let folder = try made()
    let format = try #require(Self.format)
    let first = try StickerPictures.load(FilePath(folder.path), for: format)
    #expect(try StickerPictures.load(FilePath(folder.path), for: format) === first)
    var info = GstVideoInfo()
    gst_video_info_set_format(&info, GST_VIDEO_FORMAT_I420, 640, 480)
    let other = try #require(VideoFormat(info))
    // Another size and layout of the same colours is no other space.
    #expect(try StickerPictures.load(FilePath(folder.path), for: other) === first)
    gst_video_info_set_format(&info, GST_VIDEO_FORMAT_RGB, 64, 48)
    let rgb = try #require(VideoFormat(info))
    #expect(try StickerPictures.load(FilePath(folder.path), for: rgb) !== first)
  }

  /// What decides is in the key itself, not in a number or a text made of it.
  @Test func aKeyIsAnotherOneWhereAnythingDiffersThatDecides() throws {
    let folder = try made()
    let format = try #require(Self.format)
    var info = GstVideoInfo()
    gst_video_info_set_format(&info, GST_VIDEO_FORMAT_RGB, 64, 48)
    let other = try #require(VideoFormat(info))
    let file = folder.path + "/meta.json"
    func key(_ path: String, _ format: VideoFormat, side: Int = 0) -> StickerPictures.Key {
      StickerPictures.Key(
        location: FilePath(path), space: StickerPictures.colorSpace(for: format), vectorSide: side,
        ages: [FileVersion(FilePath(file)), FileVersion("/nonexistent")])
    }
    let first = key(folder.path, format)
    #expect(key(folder.path, format) == first)
    #expect(key(file, format) != first && key(folder.path, other) != first)
    #expect(key(folder.path, format, side: 48) != first)
    try #require(truncate(file, 3) == 0)
    #expect(key(folder.path, format) != first)
  }

  @Test func threadsThatWantAPackAtOnceGetTheSame() throws {
    final class Found: @unchecked Sendable {
      let folder: String
      let format: VideoFormat
      var pictures: StickerPictures?
      init(_ folder: String, _ format: VideoFormat) {
        self.folder = folder
        self.format = format
      }
    }
    let folder = try made()
    let format = try #require(Self.format)
    let found = (0..<6).map { _ in Found(folder.path, format) }
    let threads = found.map { one in
      g_thread_new(
        "load",
        { user in
          let one = Unmanaged<Found>.fromOpaque(user!).takeRetainedValue()
          one.pictures = try? StickerPictures.load(FilePath(one.folder), for: one.format)
          return nil
        }, Unmanaged.passRetained(one).toOpaque())
    }
    for thread in threads { g_thread_join(thread) }
    let first = try #require(found[0].pictures)
    for one in found { #expect(one.pictures === first) }
  }

  @Test func aPackThatNobodyWearsIsLetGo() throws {
    let folder = try made()
    let format = try #require(Self.format)
    weak var gone: StickerPictures?
    do {
      let worn = try StickerPictures.load(FilePath(folder.path), for: format)
      gone = worn
      #expect(gone != nil)
      extendLifetime(worn)
    }
    #expect(gone == nil)
  }

  @Test(arguments: ["frames/1.png", "meta.json"])
  func aFileOfAPackThatChangedMakesItAnew(file: String) throws {
    let folder = try made()
    let format = try #require(Self.format)
    let first = try StickerPictures.load(FilePath(folder.path), for: format)
    // Written over by its own bytes, a second later.
    let bytes = ScratchFolder.bytes(folder.path + "/" + file)
    folder.write(file, bytes)
    var times = [timespec](repeating: timespec(tv_sec: time(nil) + 5, tv_nsec: 0), count: 2)
    #expect(utimensat(AT_FDCWD, folder.path + "/" + file, &times, 0) == 0)
    let second = try StickerPictures.load(FilePath(folder.path), for: format)
    #expect(second !== first)
    #expect(second.pack == first.pack)
  }
}
