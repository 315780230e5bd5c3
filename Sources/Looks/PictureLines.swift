import Pixels

/// Where a tile of a row of one component lies in the picture; see `PictureLine`.
struct LinePosition {
  let component, x, y, hShift, vShift: Int
}

/// A tile of a row of one component: its samples and their position in the picture.
struct PictureLine {
  let component: Int
  let samples: Row<UInt8>
  /// The column and row of the first sample in the component.
  let x, y: Int
  /// log2 of the columns and rows of the picture per sample.
  let hShift, vShift: Int

  var position: LinePosition {
    LinePosition(component: component, x: x, y: y, hShift: hShift, vShift: vShift)
  }
}

/// Access to the colour components of pictures of one format, a tile of a few rows at a time.
struct PictureLines {
  /// The number of components without alpha.
  let components: Int
  private let isPacked: Bool
  private let shifts: (h: Int, v: Int)

  init(_ format: PixelFormat) {
    let layout = format.layout
    components = min(layout.componentCount, 3)
    isPacked = layout.planeCount == 1 && layout[0].step >= 3
    shifts = layout.family == .ycc ? layout.chromaShifts : (0, 0)
  }

  /// The number of rows that share chroma.
  var groupHeight: Int { 1 << shifts.v }

  /// The maximum number of lines of a group: two of luma, one each of Cb and Cr.
  static let maximumLines = 4

  /// Calls `body` with each line of a tile and its index, below `maximumLines`; writes the samples
  /// back if `writes`.
  func forEach(
    _ picture: borrowing Picture, _ tile: LookTile, _ scratch: LookScratch, writes: Bool = true,
    _ body: (PictureLine, Int) -> Void
  ) {
    let (group, start, count) = (tile.group, tile.start, tile.count)
    if isPacked, let pixels = PackedPixels(picture) {
      let rows = (scratch.bytes(0, count), scratch.bytes(1, count), scratch.bytes(2, count))
      pixels.deinterleave(row: group, from: start, into: rows)
      for index in 0..<3 {
        let row = index == 0 ? rows.0 : index == 1 ? rows.1 : rows.2
        body(
          PictureLine(component: index, samples: row, x: start, y: group, hShift: 0, vShift: 0),
          index)
      }
      if writes { pixels.interleave(row: group, from: start, rows) }
      return
    }
    var lineIndex = 0
    for index in 0..<components {
      let component = picture.component(index)
      let (h, v) = index == 0 ? (0, 0) : shifts
      let rows =
        index == 0
        ? (group << shifts.v)..<min((group + 1) << shifts.v, picture.height) : group..<(group + 1)
      let (left, length) = (start >> h, (count + (1 << h) - 1) >> h)
      for y in rows {
        let samples = component.samples(row: y, from: left, scratch: scratch.bytes(0, length))
        body(
          PictureLine(component: index, samples: samples, x: left, y: y, hShift: h, vShift: v),
          lineIndex)
        if writes { component.writeBack(row: y, from: left, samples) }
        lineIndex += 1
      }
    }
  }
}
