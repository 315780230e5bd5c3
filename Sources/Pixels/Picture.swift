/// The format, size and colour of pictures.
package struct VideoFormat: Sendable, Equatable {
  package let format: PixelFormat
  package let width, height: Int
  package let colorimetry: Colorimetry
  package let chromaSite: ChromaSite
  /// The pixel aspect ratio, width over height as displayed; 1 for square pixels.
  package let pixelAspect: Double
  /// Of formats of more than 8 bits; others count as `standard`.
  package let transfer: Transfer
  /// 2 if frames hold two fields whose rows can be processed apart, otherwise 1; see `field`.
  package let fieldCount: Int

  package init(
    format: PixelFormat, width: Int, height: Int, colorimetry: Colorimetry,
    chromaSite: ChromaSite = .mpeg2, pixelAspect: Double = 1, transfer: Transfer = .standard,
    isInterlaced: Bool = false
  ) {
    (self.format, self.width, self.height) = (format, width, height)
    (self.colorimetry, self.chromaSite) = (colorimetry, chromaSite)
    self.pixelAspect = pixelAspect
    // With subsampled chroma each field has chroma rows of its own only in multiples of four rows.
    let group = 2 << format.layout.chromaShifts.v
    fieldCount = isInterlaced && height > 0 && height % group == 0 ? 2 : 1
    self.transfer = format.bitDepth > 8 ? transfer : .standard
  }

  /// The same picture in 8 bits; see `PixelFormat.eightBitCounterpart`.
  package var eightBit: VideoFormat {
    VideoFormat(
      format: format.eightBitCounterpart, width: width, height: height, colorimetry: colorimetry,
      chromaSite: chromaSite, pixelAspect: pixelAspect, isInterlaced: fieldCount == 2)
  }
}

/// A mapped picture: its format, and up to four planes of borrowed memory.
///
/// It is valid only during the call that it is passed to; planes and rows must not be stored. The
/// caller that maps the frame says whether it may be written.
package struct Picture: ~Copyable {
  package let video: VideoFormat
  private let planes: InlineArray<4, Plane?>

  /// Wraps planes in the format's order; each must have the rows and bytes that the format needs.
  package init(_ video: VideoFormat, planes: InlineArray<4, Plane?>) {
    (self.video, self.planes) = (video, planes)
    let layout = format.layout
    for index in 0..<layout.planeCount {
      let plane = plane(index)
      precondition(plane.rowBytes >= layout.rowBytes(plane: index, width: width))
      precondition(plane.height >= layout.rowCount(plane: index, height: height))
    }
  }

  package var format: PixelFormat { video.format }
  package var width: Int { video.width }
  package var height: Int { video.height }
  package var colorimetry: Colorimetry { video.colorimetry }
  package var chromaSite: ChromaSite { video.chromaSite }

  /// Plane `index` in the format's order (of I420: Y, Cb, Cr; of NV12: Y, CbCr).
  package func plane(_ index: Int) -> Plane {
    guard let plane = planes[index] else { preconditionFailure("\(format) has no plane \(index)") }
    return plane
  }

  /// Component `index`: luma, Cb, Cr or red, green, blue; then alpha where the format has one.
  ///
  /// Of formats with a byte for each sample.
  package func component(_ index: Int) -> Component {
    let layout = format.layout
    precondition(layout.bitDepth == 8)
    let componentLayout = layout[index]
    return plane(componentLayout.plane).component(
      offset: componentLayout.offset, step: componentLayout.step,
      width: PixelLayout.subsampled(width, by: componentLayout.hShift))
  }

  /// As `component(_:)`, of formats with more than 8 bits a sample.
  package func deepComponent(_ index: Int) -> DeepComponent {
    let layout = format.layout
    precondition(layout.bitDepth > 8)
    let componentLayout = layout[index]
    return DeepComponent(
      plane(componentLayout.plane), offset: componentLayout.offset, step: componentLayout.step,
      width: PixelLayout.subsampled(width, by: componentLayout.hShift),
      depth: layout.bitDepth, shift: layout.bitShift,
      packsThreeSamples: layout.packsThreeSamples)
  }
}
