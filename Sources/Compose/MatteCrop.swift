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
    let kept = keptSamples(x: x, hShift: hShift, count: alpha.count)
    alpha[..<kept.lowerBound].fill(0)
    alpha[kept.upperBound...].fill(0)
  }

  /// As above, for alpha of 16 bits.
  func applyColumns(_ alpha: Row<Float>, x: Int, hShift: Int) {
    let kept = keptSamples(x: x, hShift: hShift, count: alpha.count)
    alpha[..<kept.lowerBound].fill(0)
    alpha[kept.upperBound...].fill(0)
  }

  /// Those of `count` samples from column `x` on that lie inside.
  @inline(__always)
  private func keptSamples(x: Int, hShift: Int, count: Int) -> Range<Int> {
    let first = (columns.lowerBound >> hShift) - x
    let end = PixelLayout.subsampled(columns.upperBound, by: hShift) - x
    let start = min(max(first, 0), count)
    return start..<max(start, min(max(end, 0), count))
  }

  /// Restricts the kinds of blocks that stand for `lines` to the crop: outside it they are
  /// background; at its edges, and with `mixesForeground`, foreground is mixed.
  func restrict(
    _ kinds: Row<UInt8>, _ lines: Range<Int>, _ grid: ChromaGrid, mixesForeground: Bool
  ) {
    let size = GridPlane.Rows.block << grid.hShift
    let first = columns.lowerBound < grid.width ? columns.lowerBound / size : kinds.count
    let end = min((columns.upperBound + size - 1) / size, kinds.count)
    guard lines.lowerBound < self.lines.upperBound, lines.upperBound > self.lines.lowerBound,
      first < end
    else {
      kinds.fill(RowCompositor.Kind.background.rawValue)
      return
    }
    kinds[..<first].fill(RowCompositor.Kind.background.rawValue)
    kinds[end...].fill(RowCompositor.Kind.background.rawValue)
    let isCut =
      lines.lowerBound < self.lines.lowerBound || lines.upperBound > self.lines.upperBound
    if isCut || mixesForeground { BlockKernels.markForegroundMixed(kinds[first..<end]) }
    if columns.lowerBound > first * size {
      BlockKernels.markForegroundMixed(kinds[from: first, count: 1])
    }
    if columns.upperBound < min(end * size, grid.width) {
      BlockKernels.markForegroundMixed(kinds[from: end - 1, count: 1])
    }
  }
}
