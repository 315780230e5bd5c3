import Pixels

/// The part of a picture inside the crop, a rectangular garbage matte.
struct MatteCrop {
  let columns, lines: Range<Int>

  init(_ video: VideoFormat, _ settings: MatteSettings) {
    func visibleRange(_ size: Int, _ before: Double, _ after: Double) -> Range<Int> {
      let start = Int((Double(size) * before).rounded())
      let end = size - Int((Double(size) * after).rounded())
      return start..<max(start, end)
    }
    columns = visibleRange(video.width, settings.cropLeft, settings.cropRight)
    lines = visibleRange(video.height, settings.cropTop, settings.cropBottom)
  }

  /// Whether it is all of the picture.
  func isWhole(_ video: VideoFormat) -> Bool {
    columns == 0..<video.width && lines == 0..<video.height
  }

  /// Sets alpha outside the crop to 0 in a line, from column `x` on.
  func apply(_ alpha: Row<UInt8>, x: Int, line: Int) {
    if lines.contains(line) {
      applyColumns(alpha, x: x, hShift: 0)
    } else {
      alpha.fill(0)
    }
  }

  /// `apply` for columns only, for samples of 2^`hShift` columns each.
  func applyColumns(_ alpha: Row<UInt8>, x: Int, hShift: Int) {
    let first = (columns.lowerBound >> hShift) - x
    let end = PixelLayout.subsampled(columns.upperBound, by: hShift) - x
    alpha[..<min(max(first, 0), alpha.count)].fill(0)
    alpha[min(max(end, 0), alpha.count)...].fill(0)
  }
}
