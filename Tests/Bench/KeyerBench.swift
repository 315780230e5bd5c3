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

  /// The formats of 10 bits beside I420.
  private static func tenBits(
    _ title: String, _ scene: ChromaKeyScene, _ image: OwnedPicture?
  ) -> Comparison {
    let formats: [PixelFormat] = [.i420Ten, .p010, .y42bTen, .y444Ten]
    return Comparison(
      title: title,
      candidates: [settled(scene.picture(.i420), image)]
        + formats.map {
          settled(scene.picture($0.eightBitCounterpart).deepened($0, seed: 1), image)
        },
      bars: [Bar("\(title): I420_10LE, I420", .share, of: 1, to: 0, atMost: 2)])
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
