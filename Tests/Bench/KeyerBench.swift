import Compose
import Pixels
import ScreenKey
import Support
import Threads

/// The keyer alone, in this process and on one thread: all formats, and the first frame.
enum KeyerBench {
  static func comparisons() -> [Comparison] {
    var settings = ChromaKeyScene.Settings()
    settings.width = 1920
    settings.height = 1080
    guard let scene = try? ChromaKeyScene(settings) else { return [] }
    let formats: [PixelFormat] = [
      .i420, .yv12, .nv12, .nv21, .y42b, .yuy2, .y444, .ayuv, .rgbx, .rgb,
    ]
    let place = "1920x1080, in this process"
    return [
      Comparison(
        title: "To alpha, \(place)",
        candidates: formats.map { settled(scene.picture($0), nil) } + [
          KeyingBench.copying(1920 * 1080 * 4, "memcpy of a frame of RGBA")
        ],
        bars: [
          Bar("key RGB to RGBA, 1080p: I420", .share, of: 9, to: 0, atMost: 3)
        ]),
      Comparison(
        title: "Onto a picture, \(place)",
        candidates: formats.map { settled(scene.picture($0), try? Photograph.load(.rgbx)) },
        bars: [
          Bar("key RGB onto a picture, 1080p: I420", .share, of: 9, to: 0, atMost: 3)
        ]),
      tenBits("To alpha in 10 bits, \(place)", scene, nil),
      tenBits("Onto a picture in 10 bits, \(place)", scene, try? Photograph.load(.rgbx)),
      Comparison(
        title: "The first frame, \(place)",
        candidates: [.i420, .nv12, .yuy2, .rgbx].map { first(scene.picture($0)) }
          + [background(scene.picture(.nv12))]),
    ]
  }

  /// The formats of 10 bits, each beside that of 8 bits with the same planes.
  private static func tenBits(
    _ title: String, _ scene: ChromaKeyScene, _ image: OwnedPicture?
  ) -> Comparison {
    let formats: [(eight: PixelFormat, ten: PixelFormat)] = [
      (.i420, .i420Ten), (.nv12, .p010), (.y42b, .y42bTen), (.y444, .y444Ten),
    ]
    return Comparison(
      title: title,
      candidates: formats.flatMap { eight, ten in
        [
          settled(scene.picture(eight), image),
          settled(scene.picture(ten.eightBitCounterpart).deepened(ten, seed: 1), image),
        ]
      },
      bars: formats.indices.map {
        Bar(
          "\(title): \(formats[$0].ten.rawValue), \(formats[$0].eight.rawValue)", .share,
          of: 2 * $0 + 1, to: 2 * $0, atMost: 2)
      })
  }

  /// Keys onto `image`, or to alpha if it is nil; measures after the estimate of the screen's
  /// colour has converged.
  private static func settled(_ picture: OwnedPicture, _ image: OwnedPicture?) -> Candidate {
    let output = output(for: picture, hasAlpha: image == nil)
    let behind = image.flatMap { backdrop($0, picture) }
    return Candidate(picture.format.rawValue) { measurement in
      let keyer = keyer(for: picture)
      measurement.time(frames: 30, after: 10) { key(keyer, picture, output, behind) }
      return true
    }
  }

  private static func first(_ picture: OwnedPicture) -> Candidate {
    let output = output(for: picture, hasAlpha: true)
    return Candidate(picture.format.rawValue + ", tables made and screen found") { measurement in
      measurement.time(frames: 1) { key(keyer(for: picture), picture, output, nil) }
      return true
    }
  }

  private static func background(_ picture: OwnedPicture) -> Candidate {
    let image = try? Photograph.load(.rgbx)
    return Candidate("a picture for behind, NV12") { measurement in
      guard let image else { return false }
      measurement.time(frames: 1) { _ = backdrop(image, picture) }
      return true
    }
  }

  private static func key(
    _ keyer: ChromaKeyer, _ source: OwnedPicture, _ target: OwnedPicture, _ behind: Background?
  ) {
    source.withPicture { from in
      target.withPicture { to in
        keyer.process(source: from, destination: to, background: behind, runner: SerialRunner())
      }
    }
  }

  /// As in the element: the output is another frame only if the layout requires one.
  private static func output(for picture: OwnedPicture, hasAlpha: Bool) -> OwnedPicture {
    let derived = hasAlpha ? FrameCompositor.formatWithAlpha(for: picture.format) : nil
    return OwnedPicture(
      format: derived ?? picture.format, width: picture.width, height: picture.height,
      colorimetry: picture.colorimetry)
  }

  private static func keyer(for picture: OwnedPicture) -> ChromaKeyer {
    let keyer = ChromaKeyer()
    keyer.configure(picture.video)
    return keyer
  }

  private static func backdrop(_ image: OwnedPicture, _ picture: OwnedPicture) -> Background? {
    image.withPicture { Background(image: $0, color: 0, for: picture.video) }
  }
}
