import Filters
import Pixels

/// Applies a look to the colours of pictures of one format, by a 3D LUT or a luma curve.
///
/// `setLook` and `setIntensity` come before a frame; all slices of the frame read what they set.
final class ColorGrader: LookTables {
  private enum Layout {
    /// Packed pixels of 3 or 4 bytes; the colour begins at byte `first`.
    case packed(step: Int, first: Int)
    /// Planes without chroma subsampling.
    case planar
    /// Chroma subsampled horizontally, and vertically if `v` is 1.
    case subsampled(v: Int)
    case grey
  }

  private enum Curve {
    case cubic(SIMD4<Int16>)
    /// The table `values`, for grey pictures.
    case values
  }

  private let video: VideoFormat
  private let layout: Layout
  /// log2 of the columns per chroma sample; nil without chroma.
  private let chromaShift: Int?
  /// The components along the axes of the LUT.
  private let order: [Int]
  private let lut: ColorLUT
  private let paths = TetrahedralPaths()
  /// The luma curve, for looks that need nothing else.
  private var curve: Curve?
  private let values = Grid<UInt8>(width: 256, height: 1, of: 0)
  /// The range of interpolated LUT values, and of luma codes.
  private let low, high: SIMD4<Int16>
  private let lumaRange: ClosedRange<UInt8>

  init(_ video: VideoFormat) {
    self.video = video
    let format = video.format.layout
    switch format.family {
    case .gray: layout = .grey
    case .ycc where format.chromaShifts.h > 0: layout = .subsampled(v: format.chromaShifts.v)
    case .ycc where format.planeCount > 1, .rgb where format.planeCount > 1: layout = .planar
    case .ycc, .rgb:
      let first = min(format[0].offset, format[2].offset)
      layout = .packed(step: format[0].step, first: first)
    }
    if case .packed = layout {
      order = (0..<3).sorted { format[$0].offset < format[$1].offset }
    } else {
      order = [0, 1, 2]
    }
    if case .subsampled = layout {
      lut = ColorLUT(sharesChroma: true)
    } else {
      lut = ColorLUT(sharesChroma: false)
    }
    chromaShift = format.family == .ycc ? format.chromaShifts.h : nil
    let isWide = format.family == .rgb || video.colorimetry.isFullRange
    let (bottom, top, chroma): (Int16, Int16, Int16) = isWide ? (0, 255, 255) : (16, 235, 240)
    low = SIMD4(repeating: bottom) &* 64
    high = format.family == .rgb ? SIMD4(repeating: 255 * 64) : SIMD4(top, chroma, chroma, 0) &* 64
    lumaRange = UInt8(bottom)...UInt8(top)
  }

  // MARK: Preparing

  /// Fills the LUT with a look.
  func setLook(_ map: ColorMap) {
    let colors = video.colorimetry
    if case .grey = layout { return }
    let isRGB = video.format.family == .rgb
    // The positions of red, green and blue among the LUT's axes.
    let axes = (0..<3).map { order.firstIndex(of: $0)! }
    lut.setLook { codes in
      if isRGB {
        let color = SIMD3(codes[axes[0]], codes[axes[1]], codes[axes[2]])
        let changed = SIMD3<Float>(map(Color(color) / 255) * 255)
        return SIMD3(changed[order[0]], changed[order[1]], changed[order[2]])
      }
      return map.changedCodes(codes, colors)
    }
  }

  /// Prepares for frames with this `intensity`, 0...1, of the look that was set.
  func setIntensity(_ map: ColorMap, intensity: Double) {
    curve = nil
    if case .grey = layout {
      fillGreyTable(map, intensity)
      curve = .values
    } else if intensity == 1, video.format.family == .ycc, let luma = map.luma {
      curve = .cubic(luma.cubicTerms(lumaRange, isFullRange: video.colorimetry.isFullRange))
    } else {
      lut.setIntensity(Float(intensity))
    }
  }

  /// Fills `values` with the look of each luma code of a grey picture.
  private func fillGreyTable(_ map: ColorMap, _ intensity: Double) {
    let colors = video.colorimetry
    let row = values.row(0)
    for code in 0..<256 {
      let y = Double(colors.normalizedLuma(Float(code)))
      let changed = map.luma?(y) ?? map(Color(repeating: y)).luma
      let value = colors.lumaOffset + Float(y + (changed - y) * intensity) * colors.lumaScale
      let (minimum, maximum) = (Float(lumaRange.lowerBound), Float(lumaRange.upperBound))
      row[code] = UInt8(truncatingIfNeeded: nearest(min(max(value, minimum), maximum)))
    }
  }

  // MARK: Frames

  /// Applies the look to a tile.
  func apply(_ picture: borrowing Picture, _ tile: LookTile, _ scratch: LookScratch) {
    let (group, count) = (tile.group, tile.count)
    switch layout {
    case .packed(let step, let first) where curve == nil:
      let row = picture.plane(0).row(group)
      gradePacked(row[from: tile.start * step, count: count * step], step, first, count, scratch)
    case .planar where curve == nil: gradePlanar(picture, tile, scratch)
    case .subsampled(let v):
      let rows = (group << v)..<min((group + 1) << v, picture.height)
      if curve == nil {
        gradeSubsampled(picture, tile, rows, scratch)
      } else {
        applyCurve(picture, tile, rows, scratch)
      }
    default: applyCurve(picture, tile, group..<(group + 1), scratch)
    }
  }

  /// Applies the curve to luma and makes chroma grey.
  private func applyCurve(
    _ picture: borrowing Picture, _ tile: LookTile, _ rows: Range<Int>, _ scratch: LookScratch
  ) {
    let (group, start, count) = (tile.group, tile.start, tile.count)
    let luma = picture.component(0)
    for y in rows {
      let samples = luma.samples(row: y, from: start, scratch: scratch.bytes(0, count))
      switch curve {
      case .cubic(let terms): LookKernels.applyCubic(samples, terms, lumaRange)
      case .values: LookKernels.applyCurve(samples, values.row(0))
      case nil: break
      }
      luma.writeBack(row: y, from: start, samples)
    }
    guard let shift = chromaShift else { return }
    let (left, length) = (start >> shift, (count + (1 << shift) - 1) >> shift)
    for index in 1...2 {
      let component = picture.component(index)
      let samples =
        component.row(group, from: left, count: length) ?? scratch.bytes(0, length)
      samples.fill(128)
      component.writeBack(row: group, from: left, samples)
    }
  }

  /// Looks up the colours of the first row of `scratch.words`.
  private func lookUpColors(_ count: Int, shift: UInt32, _ scratch: LookScratch) -> Row<UInt8> {
    let (words, positions) = (scratch.words(0, count), scratch.words(1, count))
    let sums = scratch.sums.row(0)[..<count]
    LookKernels.nodePositions(positions, words, shift: shift)
    LookKernels.interpolateTetrahedra(
      sums, positions, nodes: lut.nodes.row(0), steps: paths.steps.row(0),
      weights: paths.weights.row(0), low: low, high: high)
    let colors = scratch.colors.row(0)[..<(4 * count)]
    LookKernels.roundQ6(colors, sums)
    return colors
  }

  private func gradePacked(
    _ pixels: Row<UInt8>, _ step: Int, _ first: Int, _ count: Int, _ scratch: LookScratch
  ) {
    let words = scratch.words(0, count)
    LookKernels.unpack(words, pixels, step: step)
    let colors = lookUpColors(count, shift: UInt32(8 * first), scratch)
    if step == 4 {
      LookKernels.pack(pixels, colors: colors, alphaFrom: words, colorOffset: first)
    } else {
      LookKernels.pack3(pixels, colors)
    }
  }

  private func gradePlanar(
    _ picture: borrowing Picture, _ tile: LookTile, _ scratch: LookScratch
  ) {
    let (y, start, count) = (tile.group, tile.start, tile.count)
    let components = (picture.component(0), picture.component(1), picture.component(2))
    let a = components.0.samples(row: y, from: start, scratch: scratch.bytes(0, count))
    let b = components.1.samples(row: y, from: start, scratch: scratch.bytes(1, count))
    let c = components.2.samples(row: y, from: start, scratch: scratch.bytes(2, count))
    LookKernels.packWords(scratch.words(0, count), a, b, c)
    LookKernels.deinterleave(a, b, c, lookUpColors(count, shift: 0, scratch))
    components.0.writeBack(row: y, from: start, a)
    components.1.writeBack(row: y, from: start, b)
    components.2.writeBack(row: y, from: start, c)
  }

  /// Looks up chroma by the mean luma of its pixels.
  ///
  /// Looks up luma by its code and the nearest chroma node, with the offset that makes the mean
  /// luma exact for the actual chroma.
  private func gradeSubsampled(
    _ picture: borrowing Picture, _ tile: LookTile, _ rows: Range<Int>, _ scratch: LookScratch
  ) {
    let (group, start, count) = (tile.group, tile.start, tile.count)
    let components = (picture.component(0), picture.component(1), picture.component(2))
    let (left, chromaCount) = (start / 2, (count + 1) / 2)
    let upper = components.0.samples(
      row: rows.lowerBound, from: start, scratch: scratch.bytes(0, count))
    let lower =
      rows.count == 1
      ? upper
      : components.0.samples(
        row: rows.lowerBound + 1, from: start, scratch: scratch.bytes(1, count))
    let cb = components.1.samples(row: group, from: left, scratch: scratch.bytes(2, chromaCount))
    let cr = components.2.samples(row: group, from: left, scratch: scratch.bytes(3, chromaCount))
    let mean = scratch.bytes(4, chromaCount)
    FilterKernels.downsample2x2(mean, upper, lower, isCosited: false)
    let words = scratch.words(0, chromaCount)
    LookKernels.packWords(words, mean, cb, cr)
    LookKernels.deinterleave(mean, cb, cr, lookUpColors(chromaCount, shift: 0, scratch))
    components.1.writeBack(row: group, from: left, cb)
    components.2.writeBack(row: group, from: left, cr)

    let (columns, offsets) = (scratch.words(1, chromaCount), scratch.shorts(0, chromaCount))
    let luma = lut.luma.row(0)
    LookKernels.lutOffsets(columns, words)
    LookKernels.lumaOffsets(offsets, columns, words, scratch.sums.row(0), luma: luma)
    for y in rows {
      let samples = y == rows.lowerBound ? upper : lower
      let values = scratch.shorts(1, count)
      LookKernels.applyLumaLUT(values, samples, columns, offsets, luma: luma)
      LookKernels.roundQ5(samples, values, lumaRange)
      components.0.writeBack(row: y, from: start, samples)
    }
  }
}

/// What applies a look, and its intensity, to frames of one format.
protocol LookTables: AnyObject {
  /// Sets the look.
  func setLook(_ map: ColorMap)
  /// Prepares for frames with this `intensity`, 0...1, of the look that was set.
  func setIntensity(_ map: ColorMap, intensity: Double)
}

extension ColorMap {
  /// The map of luma, Cb and Cr codes, neither rounded nor clipped.
  func changedCodes(_ codes: SIMD3<Float>, _ colors: Colorimetry) -> SIMD3<Float> {
    let rgb = colors.rgb(y: codes.x, cb: codes.y, cr: codes.z)
    let changed =
      luma.map { luma in
        let y = Double(colors.normalizedLuma(codes.x))
        return Color(repeating: luma(y))
      } ?? self(Color(Double(rgb.r), Double(rgb.g), Double(rgb.b)) / 255)
    let result = SIMD3<Float>(changed * 255)
    let ycc = colors.ycc(r: result.x, g: result.y, b: result.z)
    return SIMD3(ycc.y, ycc.cb, ycc.cr)
  }
}

extension Component {
  /// Writes samples that `samples` or `row` returned back to row `y`, unless they are its own
  /// bytes.
  func writeBack(row y: Int, from start: Int, _ samples: Row<UInt8>) {
    if step > 1 { scatter(row: y, from: start, samples) }
  }
}
