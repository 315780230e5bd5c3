import Pixels

/// A part of a row of one component: its samples, and where they lie in the picture.
struct PictureLine {
  let component: Int
  let samples: Row<UInt8>
  /// The column and row of the first sample in the component.
  let x, y: Int
  /// Columns and rows of the picture that share a sample: 1 << shift.
  let hShift, vShift: Int
}

/// Reads and writes the colours of pictures of one format, a part of some rows at a time, whatever the
/// format.
struct PictureLines {
  /// Components that are colours: not alpha.
  let components: Int
  private let isPacked: Bool
  private let shifts: (h: Int, v: Int)

  init(_ format: PixelFormat) {
    let layout = format.layout
    components = min(layout.componentCount, 3)
    isPacked = layout.planeCount == 1 && layout[0].step >= 3
    shifts = layout.family == .ycc ? layout.chromaShifts : (0, 0)
  }

  /// Rows of the picture that must be treated together.
  var groupHeight: Int { 1 << shifts.v }

  /// Lines of a group: of two rows of luma, and one each of Cb and Cr.
  static let most = 4

  /// Calls `body` with each line of a part of a group, and its place among them, under `most`; what
  /// it does to the samples is kept if `writes`.
  func forEach(
    _ picture: borrowing Picture, group: Int, start: Int, count: Int, _ scratch: LookScratch,
    writes: Bool = true, _ body: (PictureLine, Int) -> Void
  ) {
    if isPacked, let pixels = PackedPixels(picture) {
      let rows = (scratch.bytes(0, count), scratch.bytes(1, count), scratch.bytes(2, count))
      pixels.split(row: group, from: start, into: rows)
      for index in 0..<3 {
        let row = index == 0 ? rows.0 : index == 1 ? rows.1 : rows.2
        body(
          PictureLine(component: index, samples: row, x: start, y: group, hShift: 0, vShift: 0),
          index)
      }
      if writes { pixels.join(row: group, from: start, rows) }
      return
    }
    var place = 0
    for index in 0..<components {
      let part = picture.component(index)
      let (h, v) = index == 0 ? (0, 0) : shifts
      let rows =
        index == 0
        ? (group << shifts.v)..<min((group + 1) << shifts.v, picture.height) : group..<(group + 1)
      let (left, length) = (start >> h, (count + (1 << h) - 1) >> h)
      for y in rows {
        let samples = part.samples(row: y, from: left, room: scratch.bytes(0, length))
        body(
          PictureLine(component: index, samples: samples, x: left, y: y, hShift: h, vShift: v),
          place)
        if writes { part.put(row: y, from: left, samples) }
        place += 1
      }
    }
  }
}
