import Glibc
import Pixels
import Support

/// How near masks of people come to the truth on scenes of which it is known.
///
/// Ours runs as the element at its defaults, behind facedetect. The others' mask is what their users
/// have: the network's, on the whole frame, and the composite is the frame's colours by it.
enum PersonQualityBench {
  /// One way to a matte, and to a composite over (90, 150, 120).
  private struct Maker {
    let name: String
    /// Of two files, the scene's and one to write: none where it is the element.
    let peer: String?
  }

  private static let makers = [
    Maker(name: "facedetect ! personkey, defaults", peer: nil),
    Maker(name: "mediapipe 0.10.14, general", peer: "keep"),
    Maker(name: "the same, as OBS cuts it", peer: "obs"),
  ]

  static func run(_ report: Report) {
    guard let cutout = try? PersonCutout.load() else {
      report.line("  The photograph is missing: make setup")
      return
    }
    keep(cutout)
    report.line("\nPeople in drawn rooms, 1280x720; errors in percent, composites in decibels.")
    for (title, cases) in [
      ("17 who fill the picture", PersonCase.large), ("4 far away", PersonCase.small),
    ] {
      report.line(title)
      report.line(
        "  " + "".padded(41) + "     IoU  boundary  edge SAD  gradient      PSNR  edge PSNR")
      let scenes = cases.map { $0.scene(cutout) }
      for maker in makers {
        let found = scenes.compactMap { measures(maker, $0) }
        guard found.count == scenes.count else {
          report.line("  " + maker.name.padded(40) + "not run")
          continue
        }
        func mean(_ value: (PersonScene.Measures) -> Double) -> String {
          pad(found.reduce(0) { $0 + value($1) } / Double(found.count))
        }
        let numbers = [
          mean(\.iou), mean(\.boundary), mean(\.edgeSad), mean(\.gradient), mean(\.psnr),
          mean(\.edgePsnr),
        ]
        report.line("  " + maker.name.padded(40) + numbers.joined(separator: "  "))
      }
    }
  }

  /// Leaves a shot and an empty room behind, for `pipelines/people.sh`.
  private static func keep(_ cutout: PersonCutout) {
    mkdir(".build/quality", 0o755)
    let folder = ScratchFolder()
    for (name, scene) in [
      ("person", PersonScene(cutout, .study, [.init(height: 0.86, center: 0.46)])),
      ("room", PersonScene(cutout, .night, [])),
    ] {
      folder.write("scene.raw", scene.picture(.i420).tightBytes)
      _ = execute(["cp", folder.path + "/scene.raw", ".build/quality/\(name).i420"])
    }
  }

  private static func measures(_ maker: Maker, _ scene: PersonScene) -> PersonScene.Measures? {
    let folder = ScratchFolder()
    let picture = scene.picture(.i420)
    let (input, output) = (folder.path + "/scene.raw", folder.path + "/out.raw")
    let size = "\(scene.width) \(scene.height)"
    guard let peer = maker.peer else {
      folder.write("scene.raw", picture.tightBytes)
      let key = { (properties: String, format: PixelFormat) -> OwnedPicture? in
        launched(scene, input, output, properties, format)
      }
      guard let keyed = key("", .a420), let composite = key("background-color=0xff5a9678", .i420)
      else { return nil }
      let matte = Samples(keyed, 3).values.map { $0 / 255 }
      return scene.measures(matte, composite.rgbValues)
    }
    let colors = picture.rgbValues
    var bytes: [UInt8] = []
    for color in colors {
      for channel in 0..<3 { bytes.append(UInt8(color[channel].rounded())) }
    }
    folder.write("scene.raw", bytes)
    let command =
      "/usr/bin/python3 setup/peer_selfie.py .build/peers \(size) 1 \(peer) \(input) \(output)"
    guard execute(words(command)) != nil else { return nil }
    let mask = ScratchFolder.bytes(output).map { Float($0) / 255 }
    guard mask.count == colors.count else { return nil }
    let behind = SIMD3<Float>(90, 150, 120)
    return scene.measures(
      mask, zip(colors, mask).map { $0 * $1 + behind * (1 - $1) })
  }

  private static func launched(
    _ scene: PersonScene, _ input: String, _ output: String, _ properties: String,
    _ format: PixelFormat
  ) -> OwnedPicture? {
    let text =
      "gst-launch-1.0 -q filesrc location=\(input) ! rawvideoparse format=i420"
      + " width=\(scene.width) height=\(scene.height) colorimetry=bt709"
      + " ! facedetect updates=none ! personkey \(properties)"
      + " ! video/x-raw,format=\(format.rawValue) ! filesink location=\(output)"
    guard execute(words(text), Environment.ours) != nil else { return nil }
    let frame = OwnedPicture(
      format: format, width: scene.width, height: scene.height, colorimetry: .bt709)
    frame.fill(tightlyFrom: ScratchFolder.bytes(output))
    return frame
  }
}
