package import Pixels
package import Threads

/// How pictures are to look.
package struct LookSettings: Sendable, Equatable {
  package var look = Look.none
  /// How much of the look is seen, 0...1.
  package var intensity = 1.0

  package init() {}
}

/// Gives pictures a look: colours, in any format.
///
/// Call `configure` before the first frame and when the format changes, then `process` for each
/// frame. One frame at a time; slices of it run on the `SliceRunner`'s threads.
package final class PhotoEffect {
  private var stage: ColorStage?
  private var scratch: [LookScratch] = []
  private var baked: Look?
  private var mixed: Double?

  package init() {}

  /// Prepares for pictures of a format.
  package func configure(_ video: VideoFormat) {
    stage = ColorStage(video)
    (baked, mixed) = (nil, nil)
  }

  /// Whether frames are changed at all.
  package static func changes(_ settings: LookSettings) -> Bool {
    settings.look != .none && settings.intensity > 0
  }

  /// Changes a picture of the configured format and size.
  package func process(
    _ picture: borrowing Picture, _ settings: LookSettings, runner: any SliceRunner
  ) {
    guard let stage, Self.changes(settings) else { return }
    if baked != settings.look {
      stage.bake(settings.look.map)
      (baked, mixed) = (settings.look, nil)
    }
    if mixed != settings.intensity {
      stage.mix(settings.look.map, intensity: settings.intensity)
      mixed = settings.intensity
    }
    while scratch.count < runner.threadCount { scratch.append(LookScratch()) }
    let height = ColorStage.groupHeight(picture.format)
    let groups = (picture.height + height - 1) / height
    runner.runPieces(groups) { piece, range in
      for group in range { stage.apply(picture, group: group, scratch[piece]) }
    }
  }
}
