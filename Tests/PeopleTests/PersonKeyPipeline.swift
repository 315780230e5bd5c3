import Compose
import Files
import Inference
import PersonKey
import Pixels
import Support
import Testing
import Threads
import Vision

/// Segmentation and keying, as the element combines them, on frames in memory.
final class PersonKeyPipeline {
  let segmenter = PersonSegmenter()
  let key = PersonKeyer()
  let runner: any SliceRunner
  var settings = PersonSegmenter.Settings()

  init(_ video: VideoFormat, threads: Int = 1) throws {
    runner = ThreadPool(exactly: threads)
    for network in PersonSegmenter.Network.allCases {
      try segmenter.install(
        Graph(path: FilePath(Photograph.models + "/" + network.fileName)), as: network)
    }
    segmenter.configure(video)
    key.configure(video)
  }

  /// Keys a frame over `background`, or with alpha; `faces` are in normalized coordinates, nil without a
  /// detector.
  func run(
    _ frame: OwnedPicture, faces: [Rectangle]? = nil, background: Background? = nil,
    keepsFormat: Bool = false
  ) throws -> OwnedPicture {
    let format =
      background != nil || keepsFormat
      ? frame.format : try #require(FrameCompositor.formatWithAlpha(for: frame.format))
    let target = OwnedPicture(
      VideoFormat(
        format: format, width: frame.width, height: frame.height,
        colorimetry: frame.colorimetry, chromaSite: frame.chromaSite))
    try frame.withPicture { source in
      let mask = try segmenter.process(source, faces: faces, settings, runner)
      target.withPicture { target in
        key.process(
          source: source, destination: target,
          mask: mask.map {
            PersonKeyer.Mask(
              step: $0.step, probability: $0.probability, temporalWeight: $0.temporalWeight,
              colors: $0.colors)
          }, background: background, runner: runner)
      }
    }
    return target
  }
}

extension OwnedPicture {
  /// Alpha, 0...1, row by row.
  var opacity: [Float] {
    withPicture { picture in
      let alpha = picture.component(3)
      return (0..<width * height).map { Float(alpha[$0 % width, $0 / width]) / 255 }
    }
  }
}
