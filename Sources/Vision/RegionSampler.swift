package import Pixels

/// Reads a region of a picture, of any format, into the colour tensor a network takes.
///
/// Output pixel (column j, row i) is read at `map(j, i)`, in picture pixels whose centres have
/// whole coordinates, rounded to 1/32 pixel, bilinearly, and rounded to 8 bits: MediaPipe's CPU
/// image-to-tensor conversion, reproduced so that networks see what they were validated with.
/// There is no filter against aliasing, on purpose: the networks were trained without one.
///
/// Chroma is read at its own resolution and siting, so no frame is ever converted.
/// Rows of the tensor are computed in place of the last ones: not for two threads at once.
package final class RegionSampler {
  /// What lies around the picture.
  package enum Border: Sendable {
    /// Black.
    case black
    /// The picture's outermost pixels, repeated.
    case replicate
  }

  package let width: Int
  package let height: Int
  private let scale: Float
  private let offset: Float
  private var columns: [[Tap]]
  private var samples: [[Int32]]

  /// Makes tensors `width` x `height` x 3 with values in `range` for codes 0...255.
  package init(width: Int, height: Int, range: ClosedRange<Float>) {
    self.width = width
    self.height = height
    scale = (range.upperBound - range.lowerBound) / 255
    offset = range.lowerBound
    columns = Array(repeating: Array(repeating: Tap(), count: width), count: 3)
    samples = Array(repeating: Array(repeating: 0, count: width), count: 3)
  }

  /// Fills `tensor` (height x width x 3, rows first, red green blue) from `picture`.
  ///
  /// A map with numbers that are not finite or far outside the picture reads the border.
  @unsafe package func sample(
    _ picture: borrowing Picture, _ map: Affine, border: Border,
    into tensor: UnsafeMutableBufferPointer<Float>
  ) {
    precondition(tensor.count >= width * height * 3)
    let sources = (0..<(picture.format.family == .gray ? 1 : 3)).map { index in
      Source(picture, component: index, border: border)
    }
    let isAligned = map.b == 0 && map.c == 0
    if isAligned { prepareColumns(sources, map) }
    let conversion = ColorConversion(picture.format, picture.colorimetry)
    for row in 0..<height {
      for (index, source) in sources.enumerated() {
        if isAligned {
          gatherAligned(source, index, y: fixed(map.d * Double(row) + map.ty))
        } else {
          gather(source, index, map, row: row)
        }
      }
      unsafe convert(
        conversion, into: tensor.baseAddress.unsafelyUnwrapped + row * width * 3)
    }
  }
}

// MARK: - Coordinates

/// Two neighbouring samples along one axis and the weight of the second, of `Source.one`.
private struct Tap {
  var first = 0
  var second = 0
  var weight: Int32 = 0
  /// Whether the samples lie outside, where they count as the border's colour.
  var firstIsOutside = false
  var secondIsOutside = false
}

/// Rounds to the nearest 1/32, ties to even, by a constant that leaves no room for fractions.
///
/// Far coordinates and NaN become one far outside.
@inline(__always)
private func fixed(_ value: Double) -> Int {
  let far = 1_000_000.0
  guard value > -far && value < far else { return 1 << 30 }
  let shifted = value * 32 + 6_755_399_441_055_744  // 1.5 * 2^52
  return Int(Int32(truncatingIfNeeded: shifted.bitPattern))
}

/// One component of the picture and how positions in the picture become positions in it.
@safe private struct Source {
  let component: Component
  let hShift: Int
  let vShift: Int
  /// Added to a position in 1/32 pixel: half a pixel back where chroma lies between columns.
  let hOffset: Int
  let vOffset: Int
  let borderCode: Int32
  let replicates: Bool

  init(_ picture: borrowing Picture, component index: Int, border: RegionSampler.Border) {
    let place = picture.format.layout.components[index]
    component = picture.component(index)
    hShift = place.hShift
    vShift = place.vShift
    hOffset = place.hShift > 0 && !picture.chromaSite.isCositedHorizontally ? -16 : 0
    vOffset = place.vShift > 0 && !picture.chromaSite.isCositedVertically ? -16 : 0
    switch picture.format.family {
    case .rgb: borderCode = 0
    case .gray, .ycc: borderCode = index == 0 ? Int32(picture.colorimetry.lumaOffset) : 128
    }
    replicates = border == .replicate
  }

  /// Weights of one axis add up to this: 32 or, at half resolution, 64.
  func one(_ shift: Int) -> Int32 { 32 << Int32(shift) }

  @inline(__always)
  func tap(_ position: Int, shift: Int, offset: Int, count: Int) -> Tap {
    let shifted = position &+ offset
    let first = shifted &>> (5 &+ shift)
    let second = first &+ 1
    return Tap(
      first: max(0, min(first, count &- 1)), second: max(0, min(second, count &- 1)),
      weight: Int32(truncatingIfNeeded: shifted & ((32 &<< shift) &- 1)),
      firstIsOutside: !replicates && (first < 0 || first >= count),
      secondIsOutside: !replicates && (second < 0 || second >= count))
  }

  @inline(__always)
  func column(_ position: Int) -> Tap {
    tap(position, shift: hShift, offset: hOffset, count: component.width)
  }

  @inline(__always)
  func row(_ position: Int) -> Tap {
    tap(position, shift: vShift, offset: vOffset, count: component.height)
  }
}

// MARK: - Reading

extension RegionSampler {
  private func prepareColumns(_ sources: [Source], _ map: Affine) {
    for (index, source) in sources.enumerated() {
      for column in 0..<width {
        columns[index][column] = source.column(fixed(map.a * Double(column) + map.tx))
      }
    }
  }

  /// Reads a row of the tensor that lies along a row of the picture.
  private func gatherAligned(_ source: Source, _ index: Int, y: Int) {
    let row = source.row(y)
    let width = width
    if row.firstIsOutside && row.secondIsOutside {
      for column in 0..<width { samples[index][column] = source.borderCode }
      return
    }
    let component = source.component
    let bits = Int32(10 + source.hShift + source.vShift)
    let half = Int32(1) << (bits - 1)
    let lower = row.weight
    let upper = source.one(source.vShift) &- lower
    let oneColumn = source.one(source.hShift)
    let border = source.borderCode
    let isInside = !row.firstIsOutside && !row.secondIsOutside
    unsafe columns[index].withUnsafeBufferPointer { taps in
      unsafe samples[index].withUnsafeMutableBufferPointer { out in
        unsafe component.withBase { base in
          // Taps are clamped to the component, so both rows and every column are readable.
          let step = component.step
          let top = unsafe base + row.first &* component.stride
          let bottom = unsafe base + row.second &* component.stride
          for column in 0..<width {
            let tap = unsafe taps[column]
            let a = tap.first &* step
            let b = tap.second &* step
            var p00 = unsafe Int32(top[a])
            var p01 = unsafe Int32(top[b])
            var p10 = unsafe Int32(bottom[a])
            var p11 = unsafe Int32(bottom[b])
            if !isInside || tap.firstIsOutside || tap.secondIsOutside {
              if row.firstIsOutside || tap.firstIsOutside { p00 = border }
              if row.firstIsOutside || tap.secondIsOutside { p01 = border }
              if row.secondIsOutside || tap.firstIsOutside { p10 = border }
              if row.secondIsOutside || tap.secondIsOutside { p11 = border }
            }
            let right = tap.weight
            let left = oneColumn &- right
            let sum =
              (p00 &* left &+ p01 &* right) &* upper
              &+ (p10 &* left &+ p11 &* right) &* lower
            unsafe out[column] = (sum &+ half) &>> bits
          }
        }
      }
    }
  }

  /// Reads a row of the tensor that lies anyhow.
  private func gather(_ source: Source, _ index: Int, _ map: Affine, row: Int) {
    let component = source.component
    let bits = Int32(10 + source.hShift + source.vShift)
    let half = Int32(1) << (bits - 1)
    let oneColumn = source.one(source.hShift)
    let oneRow = source.one(source.vShift)
    let border = source.borderCode
    let startX = map.c * Double(row) + map.tx
    let startY = map.d * Double(row) + map.ty
    let width = width
    unsafe samples[index].withUnsafeMutableBufferPointer { out in
      unsafe component.withBase { base in
        for column in 0..<width {
          let h = source.column(fixed(map.a * Double(column) + startX))
          let v = source.row(fixed(map.b * Double(column) + startY))
          let top = unsafe base + v.first &* component.stride
          let bottom = unsafe base + v.second &* component.stride
          let a = h.first &* component.step
          let b = h.second &* component.step
          var p00 = unsafe Int32(top[a])
          var p01 = unsafe Int32(top[b])
          var p10 = unsafe Int32(bottom[a])
          var p11 = unsafe Int32(bottom[b])
          if v.firstIsOutside || h.firstIsOutside { p00 = border }
          if v.firstIsOutside || h.secondIsOutside { p01 = border }
          if v.secondIsOutside || h.firstIsOutside { p10 = border }
          if v.secondIsOutside || h.secondIsOutside { p11 = border }
          let left = oneColumn &- h.weight
          let upper = oneRow &- v.weight
          let sum =
            (p00 &* left &+ p01 &* h.weight) &* upper
            &+ (p10 &* left &+ p11 &* h.weight) &* v.weight
          unsafe out[column] = (sum &+ half) &>> bits
        }
      }
    }
  }
}

// MARK: - Colour

/// From the codes of a format to red, green and blue 0...255, as nine factors and three sums.
private struct ColorConversion {
  enum Kind { case none, gray, matrix }
  let kind: Kind
  let luma: Float
  let redOfCr: Float
  let greenOfCb: Float
  let greenOfCr: Float
  let blueOfCb: Float
  let lumaOffset: Float

  init(_ format: PixelFormat, _ colorimetry: Colorimetry) {
    kind =
      switch format.family {
      case .rgb: .none
      case .gray: .gray
      case .ycc: .matrix
      }
    let (kr, kb) = (colorimetry.matrix.kr, colorimetry.matrix.kb)
    let chroma = 255 / colorimetry.chromaScale
    luma = 255 / colorimetry.lumaScale
    lumaOffset = colorimetry.lumaOffset
    redOfCr = 2 * (1 - kr) * chroma
    blueOfCb = 2 * (1 - kb) * chroma
    greenOfCr = -kr * redOfCr / (1 - kr - kb)
    greenOfCb = -kb * blueOfCb / (1 - kr - kb)
  }
}

extension RegionSampler {
  @unsafe private func convert(_ c: ColorConversion, into out: UnsafeMutablePointer<Float>) {
    let (scale, offset, width) = (scale, offset, width)
    @inline(__always) func code(_ value: Float) -> Float {
      Float(Int32(max(0, min(value, 255)) + 0.5)) * scale + offset
    }
    unsafe samples[0].withUnsafeBufferPointer { first in
      unsafe samples[1].withUnsafeBufferPointer { second in
        unsafe samples[2].withUnsafeBufferPointer { third in
          switch c.kind {
          case .none:
            for x in 0..<width {
              unsafe out[3 &* x] = Float(first[x]) * scale + offset
              unsafe out[3 &* x &+ 1] = Float(second[x]) * scale + offset
              unsafe out[3 &* x &+ 2] = Float(third[x]) * scale + offset
            }
          case .gray:
            for x in 0..<width {
              let value = unsafe code((Float(first[x]) - c.lumaOffset) * c.luma)
              unsafe out[3 &* x] = value
              unsafe out[3 &* x &+ 1] = value
              unsafe out[3 &* x &+ 2] = value
            }
          case .matrix:
            for x in 0..<width {
              let y = unsafe (Float(first[x]) - c.lumaOffset) * c.luma
              let cb = unsafe Float(second[x]) - 128
              let cr = unsafe Float(third[x]) - 128
              unsafe out[3 &* x] = code(y + cr * c.redOfCr)
              unsafe out[3 &* x &+ 1] = code(y + cb * c.greenOfCb + cr * c.greenOfCr)
              unsafe out[3 &* x &+ 2] = code(y + cb * c.blueOfCb)
            }
          }
        }
      }
    }
  }
}
