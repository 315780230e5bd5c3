import Filters
package import Pixels
package import Threads

/// The settings of `PhotoEffect`.
package struct LookSettings: Sendable, Equatable {
  package var look = Look.none
  /// The strength of the look, 0...1.
  package var intensity = 1.0
  /// The darkening of the corners, 0...1.
  package var vignette = 0.0
  /// The distance of half that darkening from the centre, in half diagonals.
  package var vignetteRadius = 0.75
  /// Grain, 0...1.
  package var grain = 0.0

  package init() {}
}

/// Applies a look, cartoon lines, vignette and grain to pictures of any format, optionally weighted
/// by an `EffectMask`.
///
/// Call `configure` before the first frame and when the format changes, then `process` for each
/// frame. One frame at a time; slices of it run on the `SliceRunner`'s threads, with the same
/// result for every number of them.
package final class PhotoEffect {
  private struct FormatState {
    /// That of a field.
    let video: VideoFormat
    let fieldCount: Int
    let lines: PictureLines
    let colors: ColorGrader
    /// For pictures of more than 8 bits, in place of the above.
    let deep: DeepEffect?
  }

  /// A named look, or the version of the cube that was set.
  private enum Source: Equatable {
    case look(Look)
    case cube(Int)
  }

  private var state: FormatState?
  /// One for each field; created on first use, to save memory.
  private var cartoons: [Cartoon] = []
  private var scratch: [LookScratch] = []
  private let dither = Vignette.bayerMatrix()
  private var currentLook: Source?
  private var currentIntensity: Double?
  private var map = ColorMap.identity
  /// The look of a .cube file, which replaces the named one.
  private var cube: ColorMap?
  private var cubeVersion = 0

  package init() {}

  /// Prepares for pictures of a format.
  package func configure(_ video: VideoFormat) {
    let eightBit = video.field.eightBit
    state = FormatState(
      video: eightBit, fieldCount: video.fieldCount, lines: PictureLines(eightBit.format),
      colors: ColorGrader(eightBit), deep: DeepEffect(video.field))
    (currentLook, currentIntensity) = (nil, nil)
    cartoons.removeAll()
  }

  /// Resets the temporal state.
  package func reset() { for cartoon in cartoons { cartoon.reset() } }

  /// Sets a look that replaces the named ones, or nil.
  package func setCube(_ cube: ColorMap?) {
    self.cube = cube
    cubeVersion += 1
  }

  /// Whether these settings change frames.
  package func hasEffect(_ settings: LookSettings) -> Bool {
    hasLook(settings) || settings.vignette > 0 || settings.grain > 0
  }

  private func hasLook(_ settings: LookSettings) -> Bool {
    settings.intensity > 0 && (cube != nil || settings.look != .none)
  }

  /// Applies the effects to a picture of the configured format and size, weighted by `mask` if
  /// given; to each field of interlaced frames by itself.
  ///
  /// `time`, in nanoseconds, seeds the grain. `faceWidth`: that of the largest face in pixels, if one is
  /// known; cartoons are drawn to fit it.
  package func process(
    _ picture: borrowing Picture, _ settings: LookSettings, mask: EffectMask? = nil,
    faceWidth: Double? = nil, time: UInt64 = 0, runner: any SliceRunner
  ) {
    guard let state, hasEffect(settings) else { return }
    while scratch.count < runner.threadCount { scratch.append(LookScratch()) }
    if hasLook(settings) { updateGrader(state.deep?.colors ?? state.colors, settings) }
    let isCartoon = hasLook(settings) && cube == nil && settings.look == .cartoon
    if isCartoon {
      while cartoons.count < state.fieldCount {
        cartoons.append(Cartoon(state.video, fieldCount: state.fieldCount))
      }
    } else {
      cartoons.removeAll()
    }
    for index in 0..<state.fieldCount {
      processField(
        index, picture.field(index), state, settings, cartoon: isCartoon ? cartoons[index] : nil,
        mask: mask, faceWidth: faceWidth,
        // The fields' grain differs.
        time: index == 0 ? time : ~time, runner)
    }
  }

  private func processField(
    _ index: Int, _ picture: borrowing Picture, _ state: FormatState, _ settings: LookSettings,
    cartoon: Cartoon?, mask: EffectMask?, faceWidth: Double?, time: UInt64,
    _ runner: any SliceRunner
  ) {
    let hasLook = hasLook(settings)
    if let cartoon {
      if let copy = state.deep?.eightBit {
        copy.update(picture, runner: runner)
        copy.picture.withPicture {
          cartoon.computeTarget(
            $0, state.lines, scratch, faceWidth: faceWidth, runner: runner)
        }
      } else {
        cartoon.computeTarget(
          picture, state.lines, scratch, faceWidth: faceWidth, runner: runner)
      }
    }
    let stages = EffectStages(
      lines: state.lines, colors: hasLook ? state.colors : nil,
      cartoon: cartoon, intensity: Float(settings.intensity),
      vignette: settings.vignette > 0
        ? Vignette(
          state.video, field: index, of: state.fieldCount, amount: settings.vignette,
          radius: settings.vignetteRadius) : nil,
      grain: settings.grain > 0
        ? Grain(picture.format, amount: settings.grain, time: time) : nil,
      mask: mask, dither: dither)
    let height = state.lines.groupHeight
    if let deep = state.deep {
      return deep.apply(
        stages, hasLook: hasLook, picture, groupHeight: height, scratch, runner: runner)
    }
    runner.runSlices((picture.height + height - 1) / height) { slice, groups in
      for group in groups {
        LookTile.forEach(of: picture.width, group: group) {
          stages.apply(picture, $0, scratch[slice])
        }
      }
    }
  }

  /// Sets the look and its intensity where they have changed.
  private func updateGrader(_ colors: any LookTables, _ settings: LookSettings) {
    let source: Source = cube == nil ? .look(settings.look) : .cube(cubeVersion)
    if currentLook != source {
      map = cube ?? settings.look.map
      colors.setLook(map)
      (currentLook, currentIntensity) = (source, nil)
    }
    if currentIntensity != settings.intensity {
      colors.setIntensity(map, intensity: settings.intensity)
      currentIntensity = settings.intensity
    }
  }
}
