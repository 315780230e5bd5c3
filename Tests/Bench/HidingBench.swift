import Hiding
import Pixels
import Support

/// The cost of hiding a face, in this process.
enum HidingBench {
  static func comparisons() -> [Comparison] {
    [
      Comparison(
        title: "Hiding a face of 360 by 480 pixels, 1920x1080, in this process",
        candidates: [
          candidate("mosaic, NV12", .nv12), candidate("mosaic, I420", .i420),
          candidate("blur, NV12", .nv12) { $0.mode = .blur },
          candidate("one colour, NV12", .nv12) { $0.mode = .color },
          candidate("mosaic, RGBA", .rgba), candidate("mosaic, RGBx", .rgbx),
          candidate("mosaic, YUY2", .yuy2),
        ],
        bars: [
          Bar("hide a face, mosaic, NV12", .milliseconds, of: 0, atMost: 0.3),
          Bar("hide a face, blur, NV12", .milliseconds, of: 2, atMost: 0.3),
        ])
    ]
  }

  private static func candidate(
    _ name: String, _ format: PixelFormat, _ change: (inout HideSettings) -> Void = { _ in }
  ) -> Candidate {
    var settings = HideSettings()
    change(&settings)
    let wanted = settings
    let hider = FaceHider()
    let picture = try? Photograph.load(format, width: 1920, height: 1080, colorimetry: .bt709)
    let face = HiddenArea(
      face: Region(center: Point(x: 960, y: 540), width: 360, height: 480, angle: 0.1))
    return Candidate(name) { measurement in
      guard let picture else { return false }
      picture.withPicture { picture in
        measurement.time(frames: 100, after: 2) { hider.hide([face], in: picture, wanted) }
      }
      return true
    }
  }
}
