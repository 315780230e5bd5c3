/// The format, size and colour of pictures.
package struct VideoFormat: Sendable, Equatable {
  package let format: PixelFormat
  package let width, height: Int
  package let colorimetry: Colorimetry
  package let chromaSite: ChromaSite
  /// The pixel aspect ratio, width over height as displayed; 1 for square pixels.
  package let pixelAspect: Double

  package init(
    format: PixelFormat, width: Int, height: Int, colorimetry: Colorimetry,
    chromaSite: ChromaSite = .mpeg2, pixelAspect: Double = 1
  ) {
    (self.format, self.width, self.height) = (format, width, height)
    (self.colorimetry, self.chromaSite) = (colorimetry, chromaSite)
    self.pixelAspect = pixelAspect
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
  package func component(_ index: Int) -> Component {
    let componentLayout = format.layout[index]
    return plane(componentLayout.plane).component(
      offset: componentLayout.offset, step: componentLayout.step,
      width: PixelLayout.subsampled(width, by: componentLayout.hShift))
  }
}
