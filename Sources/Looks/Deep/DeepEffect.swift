import Filters
import Pixels
import Threads

/// Applies the stages of photo effects to pictures of more than 8 bits.
///
/// Samples are floats between the stages, and rounded once, at the end: no bits are dropped that
/// dither would have to hide.
final class DeepEffect {
  let colors: DeepGrader
  /// What the cartoon measures.
  let eightBit: EightBitCopy
  private let video: VideoFormat
  private var scratch: [DeepLookScratch] = []

  /// Nil for formats of 8 bits.
  init?(_ video: VideoFormat) {
    guard let copy = EightBitCopy(video) else { return nil }
    (self.video, eightBit) = (video, copy)
    colors = DeepGrader(video)
  }

  /// Applies the stages to a picture of the format, tile by tile.
  func apply(
    _ stages: EffectStages, hasLook: Bool, _ picture: borrowing Picture, groupHeight: Int,
    _ rows: [LookScratch], runner: any SliceRunner
  ) {
    while scratch.count < runner.threadCount { scratch.append(DeepLookScratch()) }
    // Some looks are a curve of luma alone.
    let curve = hasLook && stages.isLookAlone ? colors.curve : nil
    let (components, shifts) = (DeepRows(picture), video.format.layout.chromaShifts)
    let (width, height) = (picture.width, picture.height)
    runner.runSlices((height + groupHeight - 1) / groupHeight) { slice, groups in
      for group in groups {
        let lines = group * groupHeight..<min((group + 1) * groupHeight, height)
        LookTile.forEach(of: width, group: group) {
          let tile = scratch[slice].tile(
            $0, lines: lines, components, shifts, isChanged: stages.cartoon != nil)
          if let curve {
            apply(curve, tile, components)
          } else {
            apply(stages, hasLook: hasLook, tile, components, rows[slice])
          }
        }
      }
    }
  }

  /// Applies a curve to luma, and makes chroma grey.
  private func apply(
    _ curve: GreyCurve, _ tile: DeepTile, _ components: DeepRows
  ) {
    tile.forEachLine { index, line in
      let codes = tile.codes[index]
      if line.component == 0 {
        tile.load(index, line, components)
        colors.apply(curve, toCodes: codes)
      } else {
        codes.fill((components[line.component].maximum &>> 1) &+ 1)
      }
      tile.store(index, line, components)
    }
  }

  private func apply(
    _ stages: EffectStages, hasLook: Bool, _ tile: DeepTile, _ components: DeepRows,
    _ scratch: LookScratch
  ) {
    let scale = Float(1 << (video.format.bitDepth - 8))
    tile.forEachLine { index, line in
      tile.load(index, line, components)
      DeepLookKernels.toFloats(
        tile.values[index], tile.codes[index], mask: tile.maximum, unit: 1 / scale)
      if let cartoon = stages.cartoon {
        let target = scratch.values(0, tile.values[index].count)
        cartoon.apply(
          tile.values[index], component: line.component, line, intensity: stages.intensity,
          target: target, scratch: scratch.cells(cartoon.cellWidth))
      }
    }
    if hasLook { colors.apply(tile) }
    tile.forEachLine { index, line in
      let values = tile.values[index]
      stages.vignette?.apply(values, line)
      stages.grain?.apply(
        values, line, scratch.words(0, values.count + 1), scratch.words(1, values.count + 1))
      if let mask = stages.mask {
        let weights = scratch.values(0, values.count)
        mask.sample(line, into: weights, scratch: scratch.cells(mask.width))
        DeepLookKernels.blend(
          values, tile.codes[index], mask: tile.maximum, unit: 1 / scale, weights: weights)
      }
      DeepLookKernels.toCodes(
        tile.codes[index], values, scale: scale, maximum: Float(tile.maximum))
      tile.store(index, line, components)
    }
  }
}

/// The components of a picture; a plain value, so that making one allocates nothing.
private struct DeepRows {
  private let first, second, third: DeepComponent

  init(_ picture: borrowing Picture) {
    first = picture.deepComponent(0)
    second = picture.deepComponent(1)
    third = picture.deepComponent(2)
  }

  subscript(index: Int) -> DeepComponent { index == 0 ? first : index == 1 ? second : third }
}

/// The rows of a tile: two lines of luma, of which the second may be absent, then Cb and Cr.
struct DeepTile {
  /// The samples as floats, and as codes: the picture's own words, of which bits above `maximum`
  /// are to be masked, or copies.
  let values: InlineArray<4, Row<Float>>
  let codes: InlineArray<4, Row<UInt16>>
  /// The highest code.
  let maximum: UInt16
  /// Whether the codes are copies, which `load` reads and `store` writes back.
  fileprivate let areCopies: Bool
  // For each pair of chroma: the mean of luma before and after, chroma before, and the luma nodes
  // with the offset to them.
  let mean, exact, oldCb, oldCr, offsets: Row<Float>
  let columns, pairs: Row<UInt32>
  let fractions: Row<Float>
  let places: Tetrahedra
  /// Codes of luma that was changed before the look, and whether it was.
  let mapped: Row<UInt16>
  let isChanged: Bool
  let lumaLines: Int
  fileprivate let tile: LookTile
  fileprivate let top: Int
  fileprivate let shifts: (h: Int, v: Int)

  /// Calls `body` with the index of each line and where it lies.
  func forEachLine(_ body: (Int, LinePosition) -> Void) {
    for index in 0..<lumaLines {
      body(
        index,
        LinePosition(component: 0, x: tile.start, y: top + index, hShift: 0, vShift: 0))
    }
    for index in 1...2 {
      body(
        index + 1,
        LinePosition(
          component: index, x: tile.start >> shifts.h, y: tile.group, hShift: shifts.h,
          vShift: shifts.v))
    }
  }
}

extension DeepTile {
  /// Copies the codes of a line out of the picture, unless they are its own words.
  fileprivate func load(_ index: Int, _ line: LinePosition, _ components: DeepRows) {
    guard areCopies else { return }
    components[line.component].gather(row: line.y, from: line.x, into: codes[index])
  }

  /// Copies them back.
  fileprivate func store(_ index: Int, _ line: LinePosition, _ components: DeepRows) {
    guard areCopies else { return }
    components[line.component].scatter(row: line.y, from: line.x, codes[index])
  }
}

/// The scratch rows of one slice, reused from frame to frame.
private final class DeepLookScratch {
  private let floats = Grid<Float>(width: LookScratch.tileWidth, height: 10, of: 0)
  private let words = Grid<UInt16>(width: LookScratch.tileWidth, height: 5, of: 0)
  private let columns = Grid<UInt32>(width: LookScratch.tileWidth, height: 2, of: 0)
  private let places = (
    Grid<UInt32>(width: Tetrahedra.maximumCount, height: 2, of: 0),
    Grid<Float>(width: Tetrahedra.maximumCount, height: 4, of: 0),
    Grid<Float>(width: 4 * Tetrahedra.maximumCount, height: 1, of: 0)
  )

  func tile(
    _ tile: LookTile, lines: Range<Int>, _ components: DeepRows, _ shifts: (h: Int, v: Int),
    isChanged: Bool
  ) -> DeepTile {
    let half = (tile.count + (1 << shifts.h) - 1) >> shifts.h
    func count(_ index: Int) -> Int { index < 2 ? tile.count : half }
    func row(_ index: Int) -> Row<Float> { floats.row(index)[..<half] }
    func own(_ index: Int) -> Row<UInt16>? {
      if index >= 2 {
        return components[index - 1].row(tile.group)?[from: tile.start >> shifts.h, count: half]
      }
      let y = min(lines.lowerBound + index, lines.upperBound - 1)
      return components[0].row(y)?[from: tile.start, count: tile.count]
    }
    let rows = InlineArray<4, Row<UInt16>?> { own($0) }
    let areOwn = rows[0] != nil && rows[1] != nil && rows[2] != nil && rows[3] != nil
    return DeepTile(
      values: InlineArray { floats.row($0)[..<count($0)] },
      codes: InlineArray {
        let scratch = words.row($0)[..<count($0)]
        return areOwn ? rows[$0] ?? scratch : scratch
      },
      maximum: components[0].maximum, areCopies: !areOwn,
      mean: row(4), exact: row(5), oldCb: row(6), oldCr: row(7), offsets: row(8),
      columns: columns.row(0)[..<half], pairs: columns.row(1)[..<half], fractions: row(9),
      places: Tetrahedra(
        nodes: places.0.row(0), steps: places.0.row(1), first: places.1.row(0),
        second: places.1.row(1), third: places.1.row(2), fourth: places.1.row(3),
        sums: places.2.row(0)),
      mapped: words.row(4)[..<tile.count],
      isChanged: isChanged, lumaLines: lines.count, tile: tile,
      top: lines.lowerBound, shifts: shifts)
  }
}
