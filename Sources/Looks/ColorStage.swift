import Filters
import Pixels

/// Changes the colours of pictures of one format by a look.
///
/// What `prepare` sets is read by all slices of a frame.
final class ColorStage {
  private enum Layout {
    /// Pixels of 3 or 4 bytes; their colour begins at byte `first`.
    case packed(step: Int, first: Int)
    /// Components for themselves, one of each for a pixel.
    case planar
    /// Luma that shares its chroma with a neighbour, below too where `v` is 1.
    case shared(v: Int)
    case grey
  }

  private enum Curve {
    case cubic(SIMD4<Int16>)
    /// Of grey pictures, `values`.
    case values
  }

  private let video: VideoFormat
  private let layout: Layout
  /// Of the columns that share chroma; nil where there is none.
  private let chromaShift: Int?
  /// Components along the axes of the cube.
  private let order: [Int]
  private let table: ColorTable
  private let paths = TetrahedralPaths()
  /// The look as a curve of luma, where that is all there is.
  private var curve: Curve?
  private let values = Grid<UInt8>(width: 256, height: 1, of: 0)
  /// Least and greatest sums and codes of a cube's fields.
  private let low, high: SIMD4<Int16>
  private let lumaRange: ClosedRange<UInt8>

  init(_ video: VideoFormat) {
    self.video = video
    let places = video.format.layout
    switch places.family {
    case .gray: layout = .grey
    case .ycc where places.chromaShifts.h > 0: layout = .shared(v: places.chromaShifts.v)
    case .ycc where places.planeCount > 1: layout = .planar
    case .ycc, .rgb:
      let first = min(places[0].offset, places[2].offset)
      layout = .packed(step: places[0].step, first: first)
    }
    if case .packed = layout {
      order = (0..<3).sorted { places[$0].offset < places[$1].offset }
    } else {
      order = [0, 1, 2]
    }
    if case .shared = layout {
      table = ColorTable(sharesChroma: true)
    } else {
      table = ColorTable(sharesChroma: false)
    }
    chromaShift = places.family == .ycc ? places.chromaShifts.h : nil
    let isWide = places.family == .rgb || video.colorimetry.isFullRange
    let (bottom, top, chroma): (Int16, Int16, Int16) = isWide ? (0, 255, 255) : (16, 235, 240)
    low = SIMD4(repeating: bottom) &* 64
    high = places.family == .rgb ? SIMD4(repeating: 255 * 64) : SIMD4(top, chroma, chroma, 0) &* 64
    lumaRange = UInt8(bottom)...UInt8(top)
  }

  // MARK: Preparing

  /// Bakes a look.
  func bake(_ map: ColorMap) {
    let colors = video.colorimetry
    if case .grey = layout { return }
    let isRGB = video.format.family == .rgb
    // Which byte of a pixel is red, green, blue.
    let places = (0..<3).map { order.firstIndex(of: $0)! }
    table.bake { codes in
      if isRGB {
        let color = SIMD3(codes[places[0]], codes[places[1]], codes[places[2]])
        let changed = SIMD3<Float>(map(Color(color) / 255) * 255)
        return SIMD3(changed[order[0]], changed[order[1]], changed[order[2]])
      }
      let rgb = colors.rgb(y: codes.x, cb: codes.y, cr: codes.z)
      let changed =
        map.luma.map { luma in
          let y = Double(colors.lightness(codes.x))
          return Color(repeating: luma(y))
        } ?? map(Color(Double(rgb.r), Double(rgb.g), Double(rgb.b)) / 255)
      let result = SIMD3<Float>(changed * 255)
      let ycc = colors.ycc(r: result.x, g: result.y, b: result.z)
      return SIMD3(ycc.y, ycc.cb, ycc.cr)
    }
  }

  /// Prepares for frames that get `intensity`, 0...1, of the look that was baked.
  func mix(_ map: ColorMap, intensity: Double) {
    curve = nil
    if case .grey = layout {
      setValues(map, intensity)
      curve = .values
    } else if intensity == 1, video.format.family == .ycc, let luma = map.luma {
      curve = .cubic(luma.terms(lumaRange, isFullRange: video.colorimetry.isFullRange))
    } else {
      table.mix(Float(intensity))
    }
  }

  private func setValues(_ map: ColorMap, _ intensity: Double) {
    let colors = video.colorimetry
    let row = values.row(0)
    for code in 0..<256 {
      let y = Double(colors.lightness(Float(code)))
      let changed = map.luma?(y) ?? map(Color(repeating: y)).luma
      let value = colors.lumaOffset + Float(y + (changed - y) * intensity) * colors.lumaScale
      let (least, most) = (Float(lumaRange.lowerBound), Float(lumaRange.upperBound))
      row[code] = UInt8(truncatingIfNeeded: nearest(min(max(value, least), most)))
    }
  }

  // MARK: Frames

  /// Changes a part of a group of rows, as `PictureLines` counts them.
  func apply(
    _ picture: borrowing Picture, group: Int, start: Int, count: Int, _ scratch: LookScratch
  ) {
    switch layout {
    case .packed(let step, let first) where curve == nil:
      let row = picture.plane(0).row(group)
      packed(row[from: start * step, count: count * step], step, first, count, scratch)
    case .planar where curve == nil: planar(picture, group, start, count, scratch)
    case .shared(let v):
      let rows = (group << v)..<min((group + 1) << v, picture.height)
      if curve == nil {
        shared(picture, group, rows, start, count, scratch)
      } else {
        bend(picture, group, rows, start, count, scratch)
      }
    default: bend(picture, group, group..<(group + 1), start, count, scratch)
    }
  }

  /// Luma through the curve; chroma, where there is any, grey.
  private func bend(
    _ picture: borrowing Picture, _ group: Int, _ rows: Range<Int>, _ start: Int, _ count: Int,
    _ scratch: LookScratch
  ) {
    let luma = picture.component(0)
    for y in rows {
      let samples = luma.samples(row: y, from: start, room: scratch.bytes(0, count))
      switch curve {
      case .cubic(let terms): LookKernels.cubic(samples, terms, lumaRange)
      case .values: LookKernels.curve(samples, values.row(0))
      case nil: break
      }
      luma.put(row: y, from: start, samples)
    }
    guard let shift = chromaShift else { return }
    let (left, length) = (start >> shift, (count + (1 << shift) - 1) >> shift)
    for index in 1...2 {
      let component = picture.component(index)
      let samples =
        component.row(group, from: left, count: length) ?? scratch.bytes(0, length)
      samples.fill(128)
      component.put(row: group, from: left, samples)
    }
  }

  /// The sums and colours of the first of the scratch's words.
  private func look(_ count: Int, shift: UInt32, _ scratch: LookScratch) -> Row<UInt8> {
    let (words, places) = (scratch.words(0, count), scratch.words(1, count))
    let sums = scratch.sums.row(0)[..<count]
    LookKernels.places(places, words, shift: shift)
    LookKernels.sum(
      sums, places, nodes: table.nodes.row(0), steps: paths.steps.row(0),
      weights: paths.weights.row(0), low: low, high: high)
    let colors = scratch.colors.row(0)[..<(4 * count)]
    LookKernels.round(colors, sums)
    return colors
  }

  private func packed(
    _ pixels: Row<UInt8>, _ step: Int, _ first: Int, _ count: Int, _ scratch: LookScratch
  ) {
    let words = scratch.words(0, count)
    LookKernels.read(words, pixels, step: step)
    let colors = look(count, shift: UInt32(8 * first), scratch)
    if step == 4 {
      LookKernels.write(pixels, words, colors, first: first)
    } else {
      LookKernels.write3(pixels, colors)
    }
  }

  private func planar(
    _ picture: borrowing Picture, _ y: Int, _ start: Int, _ count: Int, _ scratch: LookScratch
  ) {
    let parts = (picture.component(0), picture.component(1), picture.component(2))
    let a = parts.0.samples(row: y, from: start, room: scratch.bytes(0, count))
    let b = parts.1.samples(row: y, from: start, room: scratch.bytes(1, count))
    let c = parts.2.samples(row: y, from: start, room: scratch.bytes(2, count))
    LookKernels.join(scratch.words(0, count), a, b, c)
    LookKernels.split(a, b, c, look(count, shift: 0, scratch))
    parts.0.put(row: y, from: start, a)
    parts.1.put(row: y, from: start, b)
    parts.2.put(row: y, from: start, c)
  }

  /// Chroma is looked up by the mean luma of its pixels; luma by itself and the nearest chroma of the
  /// cube, moved as far as its mean is moved by its own chroma.
  private func shared(
    _ picture: borrowing Picture, _ group: Int, _ rows: Range<Int>, _ start: Int, _ count: Int,
    _ scratch: LookScratch
  ) {
    let parts = (picture.component(0), picture.component(1), picture.component(2))
    let (left, half) = (start / 2, (count + 1) / 2)
    let upper = parts.0.samples(row: rows.lowerBound, from: start, room: scratch.bytes(0, count))
    let lower =
      rows.count == 1
      ? upper
      : parts.0.samples(row: rows.lowerBound + 1, from: start, room: scratch.bytes(1, count))
    let cb = parts.1.samples(row: group, from: left, room: scratch.bytes(2, half))
    let cr = parts.2.samples(row: group, from: left, room: scratch.bytes(3, half))
    let mean = scratch.bytes(4, half)
    FilterKernels.downsample2x2(mean, upper, lower, isCosited: false)
    let words = scratch.words(0, half)
    LookKernels.join(words, mean, cb, cr)
    LookKernels.split(mean, cb, cr, look(half, shift: 0, scratch))
    parts.1.put(row: group, from: left, cb)
    parts.2.put(row: group, from: left, cr)

    let (columns, shifts) = (scratch.words(1, half), scratch.shorts(0, half))
    let luma = table.luma.row(0)
    LookKernels.columns(columns, words)
    LookKernels.shifts(shifts, columns, words, scratch.sums.row(0), luma: luma)
    for y in rows {
      let samples = y == rows.lowerBound ? upper : lower
      let values = scratch.shorts(1, count)
      LookKernels.lookUp(values, samples, columns, shifts, luma: luma)
      LookKernels.round(samples, values, lumaRange)
      parts.0.put(row: y, from: start, samples)
    }
  }
}

extension Component {
  /// Puts samples that `samples` or `row` gave back into row `y`, unless they are its own bytes.
  func put(row y: Int, from start: Int, _ samples: Row<UInt8>) {
    if step > 1 { scatter(row: y, from: start, samples) }
  }
}
