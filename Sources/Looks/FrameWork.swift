import Pixels

/// What is done to one frame, part by part: the stages in their order.
struct FrameWork {
  let lines: PictureLines
  let colors: ColorStage?
  let cartoon: Cartoon?
  let intensity: Float
  let vignette: Vignette?
  let grain: Grain?
  let coverage: Coverage?
  let dither: Grid<Float>

  /// Changes a part of a group of rows.
  func apply(
    _ picture: borrowing Picture, group: Int, start: Int, count: Int, _ scratch: LookScratch
  ) {
    if coverage != nil {
      lines.forEach(
        picture, group: group, start: start, count: count, scratch, writes: false
      ) { line, place in scratch.kept(place, line.samples.count).copy(line.samples) }
    }
    cartoon?.apply(
      picture, lines, group: group, start: start, count: count, intensity: intensity, scratch)
    colors?.apply(picture, group: group, start: start, count: count, scratch)
    guard vignette != nil || grain != nil || coverage != nil else { return }
    lines.forEach(picture, group: group, start: start, count: count, scratch) { line, place in
      let length = line.samples.count
      vignette?.apply(line, dither: dither)
      grain?.apply(line, scratch.words(0, length + 1), scratch.words(1, length + 1))
      guard let coverage else { return }
      let shares = scratch.values(0, length)
      coverage.weigh(line, into: shares, room: scratch.cells(coverage.width))
      Self.blend(line.samples, scratch.kept(place, length), shares)
    }
  }

  /// Goes back to what was kept by how little of the look is seen.
  @inline(never)
  private static func blend(_ samples: Row<UInt8>, _ kept: Row<UInt8>, _ shares: Row<Float>) {
    let n = min(samples.count, kept.count, shares.count)
    for x in 0..<n {
      let old = Float(kept[x])
      samples[x] = UInt8(truncatingIfNeeded: nearest(old + (Float(samples[x]) - old) * shares[x]))
    }
  }
}
