package import Faces
import Filters
package import Pixels
package import Threads

/// Retouches the skin of faces in place: smooths texture, lifts the tone, evens out colour.
///
/// Only skin inside a face's own outline changes; everything else stays bit for bit. The work is
/// that of the faces' area. One object serves one stream, from one thread at a time; slices of a
/// frame may run on several. The same frames give the same bits for every number of threads.
package final class SkinRetouch {
  /// Most faces treated in a frame; further ones are left alone.
  package static let mostFaces = 64

  private var follower = FaceFollower(maximumFaces: mostFaces)
  private var width = 0
  private var height = 0
  private var format = PixelFormat.i420
  private var mask = RetouchSettings.Mask.face
  private var coverage = PolygonCoverage()

  private let scratch = RetouchScratch()
  private let means = CellMeans()
  private let hard = Grid<UInt16>(of: 0)
  private let soft = Grid<UInt16>(of: 0)
  private let counts = Grid<Int32>(width: 256, height: 3, of: 0)
  private let filter = SelfGuidedFilter()
  private let skinMap = SkinMap()
  private let coefficients = RetouchCoefficients()
  private let evening = ColorEvening()

  package init() {}

  /// Prepares for frames of a format and size and forgets all faces.
  ///
  /// Call it after a seek too. The next frame's faces are treated in full at once, later ones fade in.
  package func configure(format: PixelFormat, width: Int, height: Int) {
    (self.format, self.width, self.height) = (format, width, height)
    follower.removeAll()
  }

  /// Whether `process` would change a frame with these faces, now or as they fade in or out.
  ///
  /// To be asked of every frame; where it is false call `skip` and not `process`.
  package func needsWork(on faces: [Face], _ settings: RetouchSettings) -> Bool {
    guard !settings.changesNothing else { return false }
    return !follower.tracks.isEmpty || settings.mask == .full || settings.showsMask
      || follower.canRetouch(faces, mask: settings.mask, width: width, height: height)
  }

  /// Takes note of a frame that needs no work and stays as it is.
  package func skip(_ settings: RetouchSettings) {
    // What was known of faces is old when the settings change again.
    if settings.changesNothing { follower.removeAll() } else { follower.updateWithoutFaces() }
  }

  /// Retouches the faces in a picture that may be written.
  ///
  /// `elapsed` is the stream time in seconds since the last frame. Faces are followed by their
  /// ids, those without one (0) by where they are. A face with impossible data (numbers not
  /// finite or far outside, too few points) is treated more coarsely or not at all.
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
    let skin = SkinPicture(picture)
    let seconds = elapsed.isFinite ? min(max(elapsed, 0), 10) : 0
    for index in follower.tracks.indices {
      treat(index, skin, settings, seconds, runner)
    }
    guard settings.showsMask else { return }
    // Only now: the masks come from the picture.
    paintBlack(skin, runner)
    for index in follower.tracks.indices { showMask(index, skin, runner) }
  }

  // MARK: One face

  private func treat(
    _ index: Int, _ picture: SkinPicture, _ settings: RetouchSettings, _ elapsed: Double,
    _ runner: any SliceRunner
  ) {
    let (isSeen, track) = (follower.tracks[index].isSeen, follower.tracks[index].state)
    let faceWidth = settings.mask == .full ? Double(min(width, height)) / 3 : track.settledWidth
    let pixelRadius = settings.radius > 0 ? settings.radius : faceWidth * Look.radius
    var step = FaceScale.step(faceWidth)
    // A small radius that was asked for needs small cells.
    while step > 2, pixelRadius < Double(step) { step /= 2 }
    if !isSeen { step = track.mask.region.step }
    let radius = SkinMap.cells(pixelRadius, step)
    let isFull = settings.mask == .full
    let softness = isFull ? 0 : settings.feather * faceWidth / Double(step)
    let adapts = settings.skinAdapt > 0 && !isFull
    if isSeen {
      track.mask.move(
        to: CellRegion(
          adapts ? track.outline.reach : track.outline.bounds, step: step,
          margin: max(3, radius + 2), pictureWidth: width,
          pictureHeight: height))
    }
    let region = track.mask.region
    guard !region.isEmpty else { return }
    scratch.resize(columns: region.width * region.step, pieces: runner.threadCount)
    let usesChroma =
      picture.family != .gray && !isFull
      && (settings.skinAdapt > 0 || settings.evenSkin > 0 || settings.brightness > 0)
    means.measure(picture, region, withChroma: usesChroma, scratch: scratch, runner: runner)
    if isSeen {
      cover(index)
      if !isFull {
        track.skin.learn(
          means, mask: hard, region: region, hasChroma: usesChroma,
          black: picture.colorimetry.lumaOffset, elapsed: elapsed, counts: counts)
      }
      if adapts { coverForehead(index) }
    }
    let intensity = Float(settings.intensity)
    let noise = Look.noise(intensity, lightness: lightness(track, picture))
    filter.compute(
      means.luma, black: picture.colorimetry.lumaOffset, radius: radius,
      wideRadius: SkinMap.cells(pixelRadius * Look.wideRadius, step), epsilon: noise * noise,
      boxes: scratch.boxes, runner: runner)
    if isSeen {
      let share = adapts && track.skin.isKnown ? Float(settings.skinAdapt) : 0
      if share > 0 {
        skinMap.compute(
          track.outline, region, faceWidth: faceWidth, hard: hard, skin: track.skin, means: means,
          roughness: filter.roughness, hasChroma: usesChroma, share: share, counts: counts,
          scratch: scratch, runner: runner)
      }
      track.mask.update(
        track.outline, hard: hard, soft: soft, soften: softness, map: skinMap,
        roughness: filter.roughness, skinShare: share, scratch: scratch, runner: runner)
    }
    guard !settings.showsMask else { return }
    let evens = settings.evenSkin > 0 && usesChroma
    coefficients.resize(region, evensSkin: evens)
    let strength = RetouchCoefficients.Strength(
      smoothing: Look.smoothing(intensity),
      detail: Float(settings.detail),
      tone: Float(settings.brightness) * headroom(track, picture, Float(settings.brightness)),
      excess: usesChroma && track.skin.isKnown
        ? track.skin.excess(picture.colorimetry) : 0,
      lumaOffset: picture.colorimetry.lumaOffset, lumaScale: picture.colorimetry.lumaScale)
    runner.runPieces(region.height) { _, rows in
      coefficients.fill(
        rows, weights: track.mask.weights, level: track.opacity, luma: means.luma, filter: filter,
        strength)
    }
    if evens {
      evening.fill(
        coefficients, means: means, weights: track.mask.weights,
        radius: SkinMap.cells(faceWidth * Look.eveningRadius, step),
        share: Float(settings.evenSkin) * track.opacity, luma: track.skin.luma,
        black: picture.colorimetry.lumaOffset, scratch: scratch, runner: runner)
    }
    apply(
      picture, track.mask, changesChroma: settings.brightness > 0 || evens, evensSkin: evens,
      runner)
  }

  /// Paints a face's mask on a black picture.
  private func showMask(_ index: Int, _ picture: SkinPicture, _ runner: any SliceRunner) {
    let track = follower.tracks[index].state
    let region = track.mask.region
    guard !region.isEmpty else { return }
    coefficients.resize(region, evensSkin: false)
    coefficients.fillMask(
      0..<region.height, weights: track.mask.weights,
      level: track.opacity, lumaScale: picture.colorimetry.lumaScale)
    apply(picture, track.mask, changesChroma: false, evensSkin: false, ceiling: 255, runner)
  }

  /// Coverage of the face's mask in `hard`: its outer ring, less its own features, the features
  /// of all faces that reach into it, and the faces treated before it.
  private func cover(_ index: Int) {
    let track = follower.tracks[index].state
    let region = track.mask.region
    hard.resize(width: region.width, height: region.height)
    let temporary = scratch.sums(0)
    guard let outer = track.outline.rings.first else { return }
    coverage.fill(track.outline.points, outer, region, into: hard)
    for other in follower.tracks.indices where follower.tracks[other].isSeen {
      let outline = follower.tracks[other].state.outline
      guard other == index || outline.bounds.intersection(track.outline.bounds).area > 0 else {
        continue
      }
      for (number, ring) in outline.rings.enumerated() where number > 0 || other < index {
        coverage.cut(outline.points, ring, region, outOf: hard, scratch: temporary)
      }
    }
  }

  /// Adds to `hard` the forehead over the oval, less all other faces and the foreheads of those
  /// treated before this one.
  private func coverForehead(_ index: Int) {
    let track = follower.tracks[index].state
    let region = track.mask.region
    guard let ring = track.outline.raised, track.skin.isKnown else { return }
    let rows = track.outline.rowsOfForehead(region)
    soft.resize(width: region.width, height: region.height)
    coverage.fill(track.outline.points, ring, region, into: soft, rows)
    let temporary = scratch.sums(0)
    for other in follower.tracks.indices where follower.tracks[other].isSeen {
      let outline = follower.tracks[other].state.outline
      guard other == index || outline.reach.intersection(track.outline.reach).area > 0 else {
        continue
      }
      for (number, ring) in outline.rings.enumerated() where number > 0 || other != index {
        let cut = number == 0 && other < index ? outline.raised ?? ring : ring
        coverage.cut(outline.points, cut, region, outOf: soft, scratch: temporary, rows)
      }
    }
    for y in rows {
      let (row, cap) = (hard.row(y), soft.row(y))
      let n = min(row.count, cap.count)
      for x in 0..<n { row[x] = max(row[x], cap[x]) }
    }
  }

  /// How much of the tone curve's height the face's highlights leave room for, 0...1.
  private func headroom(_ track: FaceTrack, _ picture: SkinPicture, _ tone: Float) -> Float {
    guard track.skin.isKnown, tone > 0 else { return 1 }
    let top = track.skin.brightest(picture.colorimetry)
    let light = picture.colorimetry.lightness(track.skin.lumaTop)
    // Colour grows in step with luma, so the strongest component grows by the same factor.
    let growth = tone * ToneCurve.lift(min(max(light, 0), 1)).height / max(light, 0.1)
    return min(1, max(0, Look.whitest - top) / max(top * growth, 1e-4))
  }

  /// The skin's lightness for `Look.noise`.
  private func lightness(_ track: FaceTrack, _ picture: SkinPicture) -> Float {
    guard track.skin.isKnown else { return Look.usualLightness }
    return picture.colorimetry.lightness(track.skin.luma)
  }

  private func apply(
    _ picture: SkinPicture, _ mask: FaceMask, changesChroma: Bool, evensSkin: Bool,
    ceiling: Int16 = Look.ceiling, _ runner: any SliceRunner
  ) {
    let retoucher = Retoucher(
      picture: picture, region: mask.region, coefficients: coefficients, spans: mask.spans,
      changesChroma: changesChroma, evensSkin: evensSkin, ceiling: ceiling, scratch: scratch)
    runner.runPieces(mask.region.height) { piece, rows in
      retoucher.apply(rows, piece: piece)
    }
  }

  /// Makes the whole picture black, for masks to be painted on.
  private func paintBlack(_ picture: SkinPicture, _ runner: any SliceRunner) {
    scratch.resize(columns: width, pieces: runner.threadCount)
    func fill(_ component: Component, _ code: Float) {
      let row = scratch.bytes(0, 0)[0..<component.width]
      row.fill(UInt8(code))
      for y in 0..<component.height { component.scatter(row: y, row) }
    }
    fill(picture.first, picture.colorimetry.lumaOffset)
    guard picture.family != .gray else { return }
    fill(picture.second, picture.family == .rgb ? 0 : 128)
    fill(picture.third, picture.family == .rgb ? 0 : 128)
  }
}
