package import Pixels
package import Threads

/// How pictures are to look.
package struct LookSettings: Sendable, Equatable {
  package var look = Look.none
  /// How much of the look is seen, 0...1.
  package var intensity = 1.0
  /// How much the corners are darkened, 0...1.
  package var vignette = 0.0
  /// Where half of that is reached, in half diagonals from the centre.
  package var vignetteRadius = 0.75
  /// Grain, 0...1.
  package var grain = 0.0

  package init() {}
}

/// Gives pictures a look: colours, cartoon lines, darker corners and grain, in any format, all over or
/// where a `Coverage` says.
///
/// Call `configure` before the first frame and when the format changes, then `process` for each
/// frame. One frame at a time; slices of it run on the `SliceRunner`'s threads, with the same result
/// for every number of them.
package final class PhotoEffect {
  private struct Stages {
    let video: VideoFormat
    let lines: PictureLines
    let colors: ColorStage
  }

  /// A look by name, or by the number of a cube that was set.
  private enum Source: Equatable {
    case look(Look)
    case cube(Int)
  }

  private var stages: Stages?
  /// Made when it is first asked for: it takes memory.
  private var cartoon: Cartoon?
  private var scratch: [LookScratch] = []
  private let dither = Vignette.dither()
  private var baked: Source?
  private var mixed: Double?
  private var map = ColorMap.identity
  /// The look of a .cube file, in place of the named one.
  private var cube: ColorMap?
  private var cubes = 0

  package init() {}

  /// Prepares for pictures of a format.
  package func configure(_ video: VideoFormat) {
    stages = Stages(
      video: video, lines: PictureLines(video.format), colors: ColorStage(video))
    (baked, mixed, cartoon) = (nil, nil, nil)
  }

  /// Forgets the frames so far.
  package func reset() { cartoon?.reset() }

  /// Takes a look in place of the named ones, or nil for those.
  package func use(_ cube: ColorMap?) {
    self.cube = cube
    cubes += 1
  }

  /// Whether frames are changed at all.
  package func changes(_ settings: LookSettings) -> Bool {
    hasLook(settings) || settings.vignette > 0 || settings.grain > 0
  }

  private func hasLook(_ settings: LookSettings) -> Bool {
    settings.intensity > 0 && (cube != nil || settings.look != .none)
  }

  /// Changes a picture of the configured format and size, where `coverage` says, or all of it.
  ///
  /// `time`, in nanoseconds, tells the grain of one frame from that of another.
  package func process(
    _ picture: borrowing Picture, _ settings: LookSettings, coverage: Coverage? = nil,
    time: UInt64 = 0, runner: any SliceRunner
  ) {
    guard let stages, changes(settings) else { return }
    while scratch.count < runner.threadCount { scratch.append(LookScratch()) }
    let hasLook = hasLook(settings)
    if hasLook { prepare(stages.colors, settings) }
    if hasLook, cube == nil, settings.look == .cartoon {
      let made = cartoon ?? Cartoon(stages.video)
      made.measure(picture, stages.lines, scratch, runner: runner)
      cartoon = made
    } else {
      cartoon = nil
    }
    let work = FrameWork(
      lines: stages.lines, colors: hasLook ? stages.colors : nil,
      cartoon: cartoon, intensity: Float(settings.intensity),
      vignette: settings.vignette > 0
        ? Vignette(
          stages.video, amount: settings.vignette, radius: settings.vignetteRadius) : nil,
      grain: settings.grain > 0
        ? Grain(picture.format, amount: settings.grain, time: time) : nil,
      coverage: coverage, dither: dither)
    let height = stages.lines.groupHeight
    runner.runPieces((picture.height + height - 1) / height) { piece, groups in
      for group in groups {
        LookScratch.forEachPart(of: picture.width) { start, count in
          work.apply(picture, group: group, start: start, count: count, scratch[piece])
        }
      }
    }
  }

  private func prepare(_ colors: ColorStage, _ settings: LookSettings) {
    let source: Source = cube == nil ? .look(settings.look) : .cube(cubes)
    if baked != source {
      map = cube ?? settings.look.map
      colors.bake(map)
      (baked, mixed) = (source, nil)
    }
    if mixed != settings.intensity {
      colors.mix(map, intensity: settings.intensity)
      mixed = settings.intensity
    }
  }
}
