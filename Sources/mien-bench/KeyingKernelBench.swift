import Keying
import Pixels
import Support
import Threads

/// The keyer alone, in this process and on one thread: every format, and the first frame.
enum KeyingKernelBench {
  private static let formats: [PixelFormat] = [
    .i420, .yv12, .nv12, .nv21, .y42b, .yuy2, .y444, .ayuv, .rgbx, .rgb,
  ]

  static func comparisons() -> [Comparison] {
    var settings = ChromaKeyScene.Settings()
    settings.width = 1920
    settings.height = 1080
    guard let scene = try? ChromaKeyScene(settings) else { return [] }
    let size = "\(settings.width)x\(settings.height)"
    return [
      Comparison(
        title: "To alpha, \(size), in this process",
        ways: formats.map { way("\($0.rawValue)", scene.picture($0), background: false) }),
      Comparison(
        title: "Onto a picture, \(size), in this process",
        ways: formats.map { way("\($0.rawValue)", scene.picture($0), background: true) }),
      Comparison(
        title: "The first frame, \(size), in this process",
        ways: [PixelFormat.i420, .nv12, .yuy2, .rgbx].map { first($0.rawValue, scene.picture($0)) }
          + [background("a picture for behind, NV12", scene.picture(.nv12))]),
    ]
  }

  private static func way(
    _ name: String, _ picture: OwnedPicture, background isComposed: Bool
  ) -> Comparison.Way {
    let target = isComposed ? picture.format : ChromaKey.formatWithAlpha(for: picture.format)
    // As the element works: into another frame only where the layout makes it.
    let output = OwnedPicture(
      format: target ?? picture.format, width: picture.width, height: picture.height,
      colorimetry: picture.colorimetry)
    let behind = isComposed ? backdrop(try? Photograph.load(.rgbx), picture) : nil
    return .init(name: name) { measurement in
      let keyer = ChromaKey()
      configure(keyer, picture)
      func key() {
        picture.withPicture { from in
          output.withPicture { to in
            keyer.process(source: from, destination: to, background: behind, runner: SerialRunner())
          }
        }
      }
      // Until the screen's colour has settled.
      for _ in 0..<10 { key() }
      let frames = 30
      let (cpu, wall) = (processorTime(), now())
      for _ in 0..<frames { key() }
      measurement.add(Cost(cpu: processorTime() - cpu, wall: now() - wall), frames: frames)
      return true
    }
  }

  private static func first(_ name: String, _ picture: OwnedPicture) -> Comparison.Way {
    let output = OwnedPicture(
      format: ChromaKey.formatWithAlpha(for: picture.format) ?? picture.format,
      width: picture.width, height: picture.height, colorimetry: picture.colorimetry)
    return .init(name: name + ", tables made and screen found") { measurement in
      let (cpu, wall) = (processorTime(), now())
      let keyer = ChromaKey()
      configure(keyer, picture)
      picture.withPicture { from in
        output.withPicture { to in
          keyer.process(source: from, destination: to, runner: SerialRunner())
        }
      }
      measurement.add(Cost(cpu: processorTime() - cpu, wall: now() - wall), frames: 1)
      return true
    }
  }

  private static func background(_ name: String, _ picture: OwnedPicture) -> Comparison.Way {
    let image = try? Photograph.load(.rgbx)
    return .init(name: name) { measurement in
      let (cpu, wall) = (processorTime(), now())
      let made = backdrop(image, picture)
      measurement.add(Cost(cpu: processorTime() - cpu, wall: now() - wall), frames: 1)
      return made != nil
    }
  }

  private static func configure(_ keyer: ChromaKey, _ picture: OwnedPicture) {
    keyer.configure(picture.video)
  }

  private static func backdrop(_ image: OwnedPicture?, _ picture: OwnedPicture) -> Background? {
    image?.withPicture { Background(image: $0, color: 0, for: picture.video) }
  }
}
