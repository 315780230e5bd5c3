import Faces
import Pixels
import Reshaping
import Support
import Threads

/// The cost of reshaping a face, in this process.
enum ReshapeBench {
  static func comparisons() -> [Comparison] {
    let natural = settings {
      ($0.slim, $0.jaw, $0.eyes, $0.nose) = (0.15, -0.1, 0.15, -0.2)
    }
    let doll = settings {
      ($0.slim, $0.jaw, $0.eyes, $0.nose) = (0.55, -0.3, 0.9, -0.7)
      ($0.mouth, $0.chin, $0.forehead) = (-0.25, -0.3, 0.3)
    }
    let bulge = settings { ($0.distortion, $0.amount) = (.bulge, 0.8) }
    return [
      Comparison(
        title: "Reshaping a face of 400 by 480 pixels, 1920x1080, in this process",
        candidates: [
          candidate("preset natural, NV12", .nv12, natural),
          candidate("slim=1 alone, NV12", .nv12, settings { $0.slim = 1 }),
          candidate("preset doll, NV12", .nv12, doll), candidate("bulge, NV12", .nv12, bulge),
          candidate("preset natural, I420", .i420, natural),
          candidate("preset natural, YUY2", .yuy2, natural),
          candidate("preset natural, RGBA", .rgba, natural),
        ],
        bars: [Bar("reshape a face, NV12", .milliseconds, of: 0, atMost: 1.5)])
    ]
  }

  private static func settings(_ change: (inout ReshapeSettings) -> Void) -> ReshapeSettings {
    var settings = ReshapeSettings()
    change(&settings)
    return settings
  }

  private static func candidate(
    _ name: String, _ format: PixelFormat, _ settings: ReshapeSettings
  ) -> Candidate {
    let picture = try? Photograph.load(format, width: 1920, height: 1080, colorimetry: .bt709)
    let points = HeadMesh.points(
      around: Point(x: 0.5, y: 0.5), unit: Point(x: 400.0 / 1920, y: 400 / 0.92 / 1.2 / 1080))
    let face = Face(
      id: 1, confidence: 1,
      box: Rectangle(
        x: 0.5 - 200.0 / 1920, y: 0.5 - 240.0 / 1080, width: 400.0 / 1920, height: 480.0 / 1080),
      landmarks: points.map { Landmark(x: Float($0.x), y: Float($0.y), z: 0) })
    let reshaper = FaceReshaper()
    let runner = SerialRunner()
    return Candidate(name) { measurement in
      guard let picture else { return false }
      reshaper.configure(picture.video)
      picture.withPicture { picture in
        measurement.time(frames: 100, after: 2) {
          guard reshaper.advance([face], settings, elapsed: 1.0 / 30) else { return }
          reshaper.process(picture, runner: runner)
        }
      }
      return true
    }
  }
}
