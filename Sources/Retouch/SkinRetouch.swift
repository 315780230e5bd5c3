package import Faces
import Filters
package import Pixels
package import Threads

/// Retouches the skin of faces in place: smooths texture, lifts the tone, evens out colour.
///
/// Only skin inside a face's outline changes; all other pixels stay bit-exact. The cost is
/// proportional to the area of the faces. One object serves one stream, from one thread at a time;
/// slices of a frame may run on several. Results do not depend on the number of threads.
package final class SkinRetouch {
  /// The maximum number of faces retouched in a frame.
  package static let maximumFaces = 64

  var follower = FaceFollower(maximumFaces: maximumFaces)
  private(set) var width = 0
  private(set) var height = 0
  private let fieldCount: Int
  private var format = PixelFormat.i420
  private var mask = RetouchSettings.Mask.face
  var rasterizer = PolygonRasterizer()

  let scratch = RetouchScratch()
  private let means = CellMeans()
  let coverage = Grid<UInt16>(of: 0)
  let coverSampler = CoverSampler()
  private let filter = SelfGuidedFilter()
  private let skinMap = SkinMap()
  private let glassesDetector = GlassesDetector()
  private let coefficients = RetouchCoefficients()
  private let equalizer = SkinToneEqualizer()
  /// The copy in which skin of pictures of more than 8 bits is measured; nil without one.
  private var eightBit: EightBitCopy?

  /// For frames, or with a `fieldCount` of 2 for one of their fields, which are half as high.
  package init(fieldCount: Int = 1) { self.fieldCount = fieldCount }

  /// Prepares for frames of a format and size and resets the face tracks; also needed after a seek.
  ///
  /// The next frame's faces are retouched fully at once; later ones fade in.
  package func configure(format: PixelFormat, width: Int, height: Int) {
    (self.format, self.width, self.height) = (format, width, height)
    follower.removeAll()
  }

  /// Whether `process` would change a frame with these faces, or faces fade in or out.
  ///
  /// Must be called for every frame; if false, call `skip` instead of `process`.
  package func needsWork(on faces: [Face], _ settings: RetouchSettings) -> Bool {
    guard !settings.changesNothing else { return false }
    return !follower.tracks.isEmpty || settings.mask == .full || settings.showsMask
      || follower.canRetouch(faces, mask: settings.mask, width: width, height: height)
  }

  /// Records a frame that is not processed.
  package func skip(_ settings: RetouchSettings) {
    // What was known of faces is old when the settings change again.
    if settings.changesNothing { follower.removeAll() } else { follower.updateWithoutFaces() }
  }

  /// Retouches the faces in a writable picture.
  ///
  /// `elapsed` is the stream time in seconds since the last frame. Faces are tracked by id, those
  /// without one (0) by position. A face with invalid data (not finite, far outside, too few
  /// points) is retouched with a simpler mask or not at all.
  package func process(
    _ picture: borrowing Picture, faces: [Face], settings: RetouchSettings, elapsed: Double,
    runner: any SliceRunner
  ) {
    if picture.width != width || picture.height != height || picture.format != format
      || settings.mask != mask
    {
      mask = settings.mask
      configure(format: picture.format, width: picture.width, height: picture.height)
    }
    let settings = settings.clamped
    follower.update(faces, mask: settings.mask, width: width, height: height)
    guard !settings.changesNothing else { return }
    guard let copy = EightBitCopy.update(&eightBit, from: picture, runner: runner) else {
      return retouch(SkinPicture(picture), settings, elapsed, runner)
    }
    let deep = DeepSkin(picture)
    copy.withPicture { retouch(SkinPicture($0, deep), settings, elapsed, runner) }
  }

  /// Retouches all faces.
  private func retouch(
    _ skin: SkinPicture, _ settings: RetouchSettings, _ elapsed: Double, _ runner: any SliceRunner
  ) {
    let seconds = elapsed.isFinite ? min(max(elapsed, 0), 10) : 0
    for index in follower.tracks.indices {
      retouchFace(index, skin, settings, seconds, runner)
    }
    guard settings.showsMask else { return }
    // After all masks are computed, because they depend on the picture.
    scratch.resize(columns: width, slices: runner.threadCount)
    skin.fillBlack(scratch)
    for index in follower.tracks.indices { drawMask(index, skin, runner) }
  }

  // MARK: One face

  private func retouchFace(
    _ index: Int, _ picture: SkinPicture, _ settings: RetouchSettings, _ elapsed: Double,
    _ runner: any SliceRunner
  ) {
    let (isSeen, track) = (follower.tracks[index].isSeen, follower.tracks[index].state)
    let faceWidth =
      settings.mask == .full ? Double(min(width, height * fieldCount)) / 3 : track.settledWidth
    let pixelRadius = settings.radius > 0 ? settings.radius : faceWidth * RetouchTuning.radius
    let step = isSeen ? Self.cellSize(faceWidth, pixelRadius) : track.mask.region.step
    let radius = SkinMap.cellRadius(pixelRadius, step)
    let isFull = settings.mask == .full
    let softness = isFull ? 0 : settings.feather * faceWidth / Double(step)
    let adapts = settings.skinAdapt > 0 && !isFull
    if isSeen {
      track.mask.setRegion(
        CellRegion(
          adapts ? track.outline.extendedBounds : track.outline.bounds, step: step,
          padding: max(3, radius + 2), pictureWidth: width,
          pictureHeight: height))
    }
    let region = track.mask.region
    guard !region.isEmpty else { return }
    scratch.resize(columns: region.width * region.step, slices: runner.threadCount)
    let usesChroma =
      picture.family != .gray && !isFull
      && (settings.skinAdapt > 0 || settings.evenSkin > 0 || settings.brightness > 0)
    means.measure(picture, region, withChroma: usesChroma, scratch: scratch, runner: runner)
    let cells = FaceCells(
      region: region, means: means, hasChroma: usesChroma, coverage: coverage,
      roughness: filter.roughness, faceWidth: faceWidth)
    if isSeen {
      rasterizeMask(index)
      if !isFull {
        track.skin.update(
          cells, black: picture.colorimetry.lumaOffset, elapsed: elapsed, scratch: scratch)
      }
      if adapts { rasterizeForehead(index) }
    }
    let intensity = Float(settings.intensity)
    let deviation = RetouchTuning.textureDeviation(
      intensity, lightness: skinLightness(track, picture))
    filter.compute(
      means.luma,
      .init(
        black: picture.colorimetry.lumaOffset, radius: radius,
        wideRadius: SkinMap.cellRadius(pixelRadius * RetouchTuning.wideRadius, step),
        epsilon: deviation * deviation),
      boxes: scratch.boxes, runner: runner)
    if isSeen {
      let skinStrength = adapts && track.skin.isKnown ? Float(settings.skinAdapt) : 0
      if skinStrength > 0 {
        if let eyeFrame = track.outline.eyeFrame {
          let light = track.skin.luma - picture.colorimetry.lumaOffset
          track.glasses.update(
            glassesDetector.detect(
              eyeFrame, cells, light: light, saturation: track.skin.saturation),
            noseTip: eyeFrame.noseTip,
            elapsed: elapsed)
        }
        skinMap.compute(
          track.outline, cells, skin: track.skin, strength: skinStrength,
          glasses: track.glasses.value, scratch: scratch, runner: runner)
      }
      track.mask.update(
        track.outline, cells, soften: softness,
        skin: skinStrength > 0 ? (skinMap, skinStrength) : nil, scratch: scratch, runner: runner)
    }
    guard !settings.showsMask else { return }
    applyRetouch(track, picture, settings, cells, runner)
  }

  /// The side of a face's cells, in pixels.
  private static func cellSize(_ faceWidth: Double, _ radius: Double) -> Int {
    var step = FaceScale.cellSize(faceWidth)
    // A small radius needs small cells.
    while step > 2, radius < Double(step) { step /= 2 }
    return step
  }

  /// Changes the pixels of a face whose mask, means and filter are computed.
  private func applyRetouch(
    _ track: FaceTrack, _ picture: SkinPicture, _ settings: RetouchSettings, _ cells: FaceCells,
    _ runner: any SliceRunner
  ) {
    let region = cells.region
    let evens = settings.evenSkin > 0 && cells.hasChroma
    coefficients.resize(region, evensSkin: evens)
    let strength = RetouchCoefficients.Strength(
      smoothing: RetouchTuning.smoothingFraction(Float(settings.intensity)),
      detail: Float(settings.detail),
      tone: Float(settings.brightness) * toneHeadroom(track, picture, Float(settings.brightness)),
      excess: cells.hasChroma && track.skin.isKnown
        ? track.skin.componentExcess(picture.colorimetry) : 0,
      lumaOffset: picture.colorimetry.lumaOffset, lumaScale: picture.colorimetry.lumaScale)
    runner.runSlices(region.height) { _, rows in
      coefficients.setLumaAndGain(
        rows, weights: track.mask.weights, level: track.opacity, luma: means.luma, filter: filter,
        strength)
    }
    if evens {
      equalizer.computeShifts(
        coefficients, means: means, weights: track.mask.weights,
        .init(
          radius: SkinMap.cellRadius(cells.faceWidth * RetouchTuning.eveningRadius, region.step),
          amount: Float(settings.evenSkin) * track.opacity, luma: track.skin.luma,
          black: picture.colorimetry.lumaOffset),
        scratch: scratch, runner: runner)
    }
    applyCoefficients(
      picture, track.mask, changesChroma: settings.brightness > 0 || evens, evensSkin: evens,
      runner)
  }

  /// Draws a face's mask on a black picture.
  private func drawMask(_ index: Int, _ picture: SkinPicture, _ runner: any SliceRunner) {
    let track = follower.tracks[index].state
    let region = track.mask.region
    guard !region.isEmpty else { return }
    coefficients.resize(region, evensSkin: false)
    coefficients.setMaskPreview(
      0..<region.height, weights: track.mask.weights,
      level: track.opacity, lumaScale: picture.colorimetry.lumaScale)
    applyCoefficients(
      picture, track.mask, changesChroma: false, evensSkin: false, ceiling: 255, runner)
  }

  /// The fraction of the tone curve's height for which the highlights have headroom, 0...1.
  private func toneHeadroom(_ track: FaceTrack, _ picture: SkinPicture, _ tone: Float) -> Float {
    guard track.skin.isKnown, tone > 0 else { return 1 }
    let top = track.skin.highlightMaximum(picture.colorimetry)
    let light = picture.colorimetry.normalizedLuma(track.skin.lumaTop)
    // Chroma grows with luma, so the largest component grows by the same factor.
    let growth = tone * ToneCurve.lift(min(max(light, 0), 1)).height / max(light, 0.1)
    return min(1, max(0, RetouchTuning.whitest - top) / max(top * growth, 1e-4))
  }

  /// The skin's lightness for `RetouchTuning.textureDeviation`.
  private func skinLightness(_ track: FaceTrack, _ picture: SkinPicture) -> Float {
    guard track.skin.isKnown else { return RetouchTuning.referenceLightness }
    return picture.colorimetry.normalizedLuma(track.skin.luma)
  }

  /// Changes the pixels in the spans of a mask by the coefficients.
  private func applyCoefficients(
    _ picture: SkinPicture, _ mask: FaceMask, changesChroma: Bool, evensSkin: Bool,
    ceiling: Int16 = RetouchTuning.ceiling, _ runner: any SliceRunner
  ) {
    let retoucher = Retoucher(
      picture: picture, region: mask.region, coefficients: coefficients, spans: mask.spans,
      changesChroma: changesChroma, evensSkin: evensSkin, ceiling: ceiling, scratch: scratch)
    runner.runSlices(mask.region.height) { slice, rows in
      retoucher.apply(rows, slice: slice)
    }
  }
}
