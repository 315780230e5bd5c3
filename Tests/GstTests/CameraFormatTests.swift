import CGStreamer
import Frames
import Programs
import Testing

/// The choice among the formats of cameras.
@Suite(.timeLimit(.minutes(20))) struct CameraFormatTests {
  /// Caps as cameras offer them, and the choice for up to 30 and up to 60 frames per second.
  private static let cameras: [(offered: String, at30: String, at60: String)] = [
    // Compressed frames are large and fast, raw ones small or slow.
    (
      "video/x-raw,format=YUY2,width=640,height=480,framerate=30/1;"
        + "video/x-raw,format=YUY2,width=1280,height=720,framerate=10/1;"
        + "image/jpeg,width=1920,height=1080,framerate=30/1",
      "image/jpeg,width=1920,height=1080,framerate=30/1",
      "image/jpeg,width=1920,height=1080,framerate=30/1"
    ),
    (
      "video/x-raw,format=YUY2,width=1280,height=720,framerate={10/1,5/1}",
      "video/x-raw,format=YUY2,width=1280,height=720,framerate=10/1",
      "video/x-raw,format=YUY2,width=1280,height=720,framerate=10/1"
    ),
    (
      "video/x-raw,format=NV12,width=1280,height=720,framerate={60/1,30/1,15/1}",
      "video/x-raw,format=NV12,width=1280,height=720,framerate=30/1",
      "video/x-raw,format=NV12,width=1280,height=720,framerate=60/1"
    ),
    (
      "video/x-h264,stream-format=byte-stream,width=1920,height=1080,framerate=30/1",
      "video/x-h264,width=1920,height=1080,framerate=30/1",
      "video/x-h264,width=1920,height=1080,framerate=30/1"
    ),
    // The largest size is slow.
    (
      "video/x-raw,format=YUY2,width=1920,height=1080,framerate=5/1;"
        + "video/x-raw,format=YUY2,width=640,height=480,framerate=30/1",
      "video/x-raw,format=YUY2,width=640,height=480,framerate=30/1",
      "video/x-raw,format=YUY2,width=640,height=480,framerate=30/1"
    ),
    (
      "image/jpeg,width=[16,3840],height=[16,2160],framerate=[1/1,120/1]",
      "image/jpeg,width=1920,height=1080,framerate=30/1",
      "image/jpeg,width=1920,height=1080,framerate=60/1"
    ),
    // Frames of other memory come last, but come.
    (
      "video/x-raw(memory:DMABuf),format=DMA_DRM,width=1920,height=1080,framerate=30/1;"
        + "video/x-raw,format=NV12,width=640,height=480,framerate=15/1",
      "video/x-raw,format=NV12,width=640,height=480,framerate=15/1",
      "video/x-raw,format=NV12,width=640,height=480,framerate=15/1"
    ),
    (
      "video/x-raw(memory:DMABuf),format=NV12,width=1280,height=720,framerate=30/1",
      "video/x-raw(memory:DMABuf),format=NV12,width=1280,height=720,framerate=30/1",
      "video/x-raw(memory:DMABuf),format=NV12,width=1280,height=720,framerate=30/1"
    ),
    // An infrared sensor beside the camera's colours.
    (
      "video/x-raw,format={GRAY8,YUY2},width=640,height=480,framerate=30/1;"
        + "video/x-raw,format=GRAY8,width=1280,height=720,framerate=30/1",
      "video/x-raw,format=YUY2,width=640,height=480,framerate=30/1",
      "video/x-raw,format=YUY2,width=640,height=480,framerate=30/1"
    ),
    (
      "video/x-raw,format=NV12,width=1080,height=1920,framerate=30/1;"
        + "video/x-raw,format=NV12,width=480,height=640,framerate=30/1",
      "video/x-raw,format=NV12,width=1080,height=1920,framerate=30/1",
      "video/x-raw,format=NV12,width=1080,height=1920,framerate=30/1"
    ),
    (
      "video/x-raw,format=YUY2,width=642,height=362,framerate=2997/100",
      "video/x-raw,format=YUY2,width=642,height=362,framerate=2997/100",
      "video/x-raw,format=YUY2,width=642,height=362,framerate=2997/100"
    ),
    // A rate that changes.
    (
      "video/x-raw,format=YUY2,width=640,height=480,framerate=0/1",
      "video/x-raw,format=YUY2,width=640,height=480",
      "video/x-raw,format=YUY2,width=640,height=480"
    ),
  ]

  @Test func eachKindOfCameraGivesTheBestRate() throws {
    gst_init(nil, nil)
    for camera in Self.cameras {
      let caps = try #require(gst_caps_from_string(camera.offered))
      defer { gst_mini_object_unref(cgst_mini_object(caps)) }
      #expect(CameraFormat.best(of: caps)?.caps == camera.at30)
      #expect(CameraFormat.best(of: caps, limit: 60)?.caps == camera.at60)
    }
  }

  @Test func unknownKindsGiveNoChoice() throws {
    gst_init(nil, nil)
    for text in ["ANY", "EMPTY", "video/x-bayer,width=640,height=480,framerate=30/1"] {
      let caps = try #require(gst_caps_from_string(text))
      defer { gst_mini_object_unref(cgst_mini_object(caps)) }
      #expect(CameraFormat.best(of: caps) == nil)
    }
  }

  /// The largest size first; 60 frames a second are a choice of their own.
  @Test func everySizeIsAChoice() throws {
    gst_init(nil, nil)
    func choices(_ text: String) throws -> [String] {
      let caps = try #require(gst_caps_from_string(text))
      defer { gst_mini_object_unref(cgst_mini_object(caps)) }
      return CameraFormat.choices(of: caps).map {
        "\($0.width)x\($0.height) \($0.rate.count)"
      }
    }
    #expect(
      try choices(
        "video/x-raw,format=YUY2,width=640,height=480,framerate={60/1,30/1,15/1};"
          + "video/x-raw,format=YUY2,width=1280,height=720,framerate=10/1;"
          + "image/jpeg,width=1280,height=720,framerate=30/1"
      ) == ["1280x720 30", "640x480 30", "640x480 60"])
    #expect(
      try choices("image/jpeg,width=[16,1920],height=[16,1080],framerate=[1/1,30/1]")
        == ["1920x1080 30", "1280x720 30", "640x480 30"])
    #expect(try choices("audio/x-raw").isEmpty)
  }

  @Test func framesInOtherMemoryNameWhatCopiesThem() throws {
    gst_init(nil, nil)
    for (offered, element) in [
      (
        "video/x-raw(memory:GLMemory),format=RGBA,width=640,height=480,framerate=30/1", "gldownload"
      ),
      ("video/x-raw(memory:DMABuf),format=NV12,width=640,height=480,framerate=30/1", "vapostproc"),
      ("video/x-raw,format=NV12,width=640,height=480,framerate=30/1", nil),
    ] {
      let caps = try #require(gst_caps_from_string(offered))
      defer { gst_caps_unref(caps) }
      let format = try #require(CameraFormat.best(of: caps))
      #expect(FrameMemory(features: format.caps)?.element == element)
    }
  }
}
