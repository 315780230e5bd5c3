package import Inference
package import Pixels

/// Samples a region of a picture, of any format, into the RGB or BGR tensor of a network.
///
/// Output pixel (column j, row i) is read at `map(j, i)`, in picture pixels whose centres have
/// integer coordinates. The position is rounded to 1/32 pixel, the sample is interpolated
/// bilinearly and rounded to 8 bits: this reproduces MediaPipe's CPU image-to-tensor conversion,
/// with which the networks were validated. There is deliberately no antialiasing filter: the
/// networks were trained without one.
///
/// Chroma is read at its own resolution and siting, so no frame is converted. One thread at a time
/// may use it.
package final class RegionSampler {
  /// The values outside the picture.
  package enum Border: Sendable {
    case black
    /// The nearest pixel of the picture.
    case replicate
  }

  /// The order of a tensor's channels.
  package enum ChannelOrder: Sendable {
    case rgb, bgr
  }

  private let width, height: Int
  private let order: ChannelOrder
  private let range: ClosedRange<Float>
  private let scratch: SamplerScratch

  /// A sampler for tensors of `width` x `height` x 3 with values in `range` for codes 0...255.
  package init(
    width: Int, height: Int, range: ClosedRange<Float>, order: ChannelOrder = .rgb
  ) {
    (self.width, self.height, self.order) = (width, height, order)
    self.range = range
    scratch = SamplerScratch(width: width)
  }

  /// Fills `tensor`, which is laid out as `layout` says, from `picture`.
  ///
  /// A map that is not finite, or leads far outside the picture, reads the border. Codes are
  /// multiplied by `gain`, and clipped.
  package func sample(
    _ picture: borrowing Picture, _ map: Affine, border: Border, gain: Float = 1,
    _ layout: InputLayout, into tensor: inout MutableSpan<Float>
  ) {
    precondition(layout.height == height)
    let colors = TensorColors(picture.format, picture.colorimetry, range: range)
    // An unrotated region has the same columns in each row.
    let isUpright = map.b == 0 && map.c == 0
    let channels = min(picture.format.layout.componentCount, 3)
    let sources = InlineArray<3, SampledComponent> {
      SampledComponent(picture, component: min($0, channels - 1), border: border)
    }
    for row in 0..<height {
      let start = Affine(
        a: map.a, b: map.b, c: 0, d: 0, tx: map.c * Double(row) + map.tx,
        ty: map.d * Double(row) + map.ty)
      if row == 0 || !isUpright { scratch.setColumnPositions(start) }
      scratch.setRowPositions(start)
      for channel in 0..<channels { scratch.read(sources[channel], channel) }
      scratch.write(row: row, colors, layout, order, into: &tensor)
      if gain != 1 { amplify(row: row, by: gain, layout, &tensor) }
    }
  }

  /// Multiplies the codes of a row by `gain`, up to the upper bound of the range.
  private func amplify(
    row: Int, by gain: Float, _ layout: InputLayout, _ tensor: inout MutableSpan<Float>
  ) {
    let (low, high) = (range.lowerBound, range.upperBound)
    for channel in 0..<layout.channels {
      var index = row * layout.row + channel * layout.channel
      for _ in 0..<layout.width {
        tensor[index] = min((tensor[index] - low) * gain + low, high)
        index += layout.column
      }
    }
  }
}

/// A component of the picture, and how positions in the picture map to it.
struct SampledComponent {
  let component: Component
  /// Its plane, and its byte offset within each `component.step` there.
  let plane, byte: Int
  let hShift, vShift: Int32
  /// The offset of a position in 1/32 pixel: half a pixel back where chroma is sited between
  /// columns.
  let hOffset, vOffset: Int32
  let border: Int32
  let replicates: Bool

  init(_ picture: borrowing Picture, component index: Int, border: RegionSampler.Border) {
    let layout = picture.format.layout[index]
    component = picture.component(index)
    (plane, byte) = (layout.plane, layout.offset)
    hShift = Int32(layout.hShift)
    vShift = Int32(layout.vShift)
    hOffset = layout.hShift > 0 && !picture.chromaSite.isCositedHorizontally ? -16 : 0
    vOffset = layout.vShift > 0 && !picture.chromaSite.isCositedVertically ? -16 : 0
    switch picture.format.family {
    case .rgb: self.border = 0
    case .gray, .ycc: self.border = index == 0 ? Int32(picture.colorimetry.lumaOffset) : 128
    }
    replicates = border == .replicate
  }
}

/// The conversion from the codes of a format to the values that a network takes for red, green and
/// blue.
struct TensorColors {
  let family: PixelFormat.Family
  let scale, offset, luma, lumaOffset, redOfCr, greenOfCb, greenOfCr, blueOfCb: Float

  /// Codes 0...255 of red, green and blue become `range`.
  init(_ format: PixelFormat, _ colorimetry: Colorimetry, range: ClosedRange<Float>) {
    family = format.family
    scale = (range.upperBound - range.lowerBound) / 255
    offset = range.lowerBound
    let (kr, kb) = colorimetry.matrix.lumaWeights
    let chroma = 255 / colorimetry.chromaScale
    luma = 255 / colorimetry.lumaScale
    lumaOffset = colorimetry.lumaOffset
    redOfCr = 2 * (1 - kr) * chroma
    blueOfCb = 2 * (1 - kb) * chroma
    greenOfCr = -kr * redOfCr / (1 - kr - kb)
    greenOfCb = -kb * blueOfCb / (1 - kr - kb)
  }
}
