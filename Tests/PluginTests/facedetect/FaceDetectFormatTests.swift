import CGStreamer
import Faces
import Pixels
import Support
import Testing

@Suite(.timeLimit(.minutes(20))) struct FaceDetectFormatTests {
  static let sizes = [(1, 1), (2, 2), (3, 5), (641, 481), (1279, 719)]

  @Test(arguments: PixelFormat.allCases)
  func everySizeOfEveryFormatPasses(format: PixelFormat) throws {
    for (width, height) in Self.sizes {
      let frames = try Registered.frames(
        "videotestsrc num-buffers=2 ! video/x-raw,format=\(format.rawValue),width=\(width),"
          + "height=\(height) ! facedetect ! fakesink name=sink")
      #expect(frames.count == 2)
      #expect(frames.allSatisfy { $0.measuredOn ?? (0, 0) == (UInt32(width), UInt32(height)) })
    }
  }

  @Test(arguments: PixelFormat.allCases)
  func theFaceIsTheSameInEveryFormatAtOddSizes(format: PixelFormat) throws {
    for (width, height) in Self.sizes.suffix(2) {
      let frames = try Registered.frames(
        Registered.photograph(format, width: width, height: height)
          + " ! facedetect ! fakesink name=sink")
      let face = try #require(frames.first?.faces.first)
      let reference = try Registered.frames(
        Registered.photograph(.rgb, width: width, height: height)
          + " ! facedetect ! fakesink name=sink")
      let expected = try #require(reference.first?.faces.first)
      #expect(frames.first?.faces.count == 1)
      // Subsampled chroma blurs a little; grey loses all colour.
      let tolerance = format == .gray8 ? 0.02 : 0.004
      for (a, b) in zip(face.keypoints, expected.keypoints) {
        #expect(abs(a.x - b.x) < tolerance && abs(a.y - b.y) < tolerance)
      }
    }
  }

  @Test func theNegotiatedFormatsAreLaidOutAsGStreamerSays() {
    gst_init(nil, nil)
    for format in PixelFormat.allCases {
      var video = GstVideoInfo()
      let caps = gst_caps_from_string("video/x-raw,format=\(format.rawValue),width=4,height=4")
      #expect(gst_video_info_from_caps(&video, caps) != 0)
      gst_caps_unref(caps)
      let info = video.finfo.pointee
      let layout = format.layout
      #expect(Int(info.n_planes) == layout.planeCount)
      #expect(Int(info.n_components) == layout.components.count || !layout.hasAlpha)
      func values<T>(_ tuple: T) -> [Int] {
        withUnsafeBytes(of: tuple) { bytes in
          bytes.bindMemory(to: Int32.self).map { Int($0) }
        }
      }
      for (index, place) in layout.components.enumerated() {
        #expect(values(info.plane)[index] == place.plane)
        // GStreamer 1.22 describes these as UYVY, and with Cr a byte behind Cb; its own packing is
        // that of the names.
        if ![.vyuy, .p010, .p012, .v210, .y210].contains(format) {
          #expect(values(info.poffset)[index] == place.offset)
        }
        // Samples of v210 do not begin with bytes.
        #expect(values(info.pixel_stride)[index] == (format == .v210 ? 0 : place.step))
        #expect(values(info.depth)[index] == layout.bitDepth)
        // Nor does it say that the ten bits of Y210 are the high ones.
        #expect(values(info.shift)[index] == (format == .y210 ? 0 : layout.bitShift))
        #expect(values(info.w_sub)[index] == place.hShift)
        #expect(values(info.h_sub)[index] == place.vShift)
      }
    }
  }

  @Test(arguments: [
    "smpte", "snow", "black", "white", "checkers-1", "circular", "zone-plate", "gamut", "ball",
    "smpte100", "bar", "pinwheel", "spokes", "gradient", "colors", "blink", "chroma-zone-plate",
    "solid-color", "smpte75", "checkers-8", "red", "green", "blue", "checkers-2", "checkers-4",
  ])
  func noTestPatternHasAFace(pattern: String) throws {
    let frames = try Registered.frames(
      "videotestsrc pattern=\(pattern) num-buffers=3 ! video/x-raw,width=320,height=240"
        + " ! facedetect ! fakesink name=sink")
    #expect(frames.count == 3)
    #expect(frames.allSatisfy { $0.faces.isEmpty && $0.regions.isEmpty && $0.measuredOn != nil })
  }
}
