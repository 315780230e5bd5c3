import Pixels

/// The planes of the picture that is drawn on, and where its format keeps the components.
///
/// Copies of what the picture lends; never outlives the call that made it.
struct SpriteTarget {
  let layout: PixelLayout
  let width: Int
  let height: Int
  let colorimetry: Colorimetry
  let site: ChromaSite
  private let planes: (Plane, Plane?, Plane?, Plane?)

  init(_ picture: borrowing Picture) {
    layout = picture.format.layout
    width = picture.width
    height = picture.height
    colorimetry = picture.colorimetry
    site = picture.chromaSite
    let count = layout.planeCount
    planes = (
      picture.plane(0), count > 1 ? picture.plane(1) : nil, count > 2 ? picture.plane(2) : nil,
      count > 3 ? picture.plane(3) : nil
    )
  }

  /// Chroma columns and rows to one of luma, as shifts.
  var shifts: (h: Int, v: Int) { layout.chromaShifts }

  @inline(__always)
  private func row(_ place: PixelLayout.ComponentPlace, _ y: Int) -> Row<UInt8> {
    switch place.plane {
    case 0: planes.0.row(y)
    case 1: planes.1.checkedRow(y)
    case 2: planes.2.checkedRow(y)
    default: planes.3.checkedRow(y)
    }
  }

  /// The cells of component `index` in its row `y`, from its column `x` on, `count` of them.
  ///
  /// A cell is `step` bytes long and holds the sample in byte `offset`. Valid while the picture
  /// is.
  @inline(__always)
  func cells(_ index: Int, x: Int, y: Int, count: Int) -> SpriteCells {
    let place = layout.components[index]
    let row = row(place, y)[x * place.step..<(x + count) * place.step]
    return unsafe SpriteCells(base: row.base, step: place.step, offset: place.offset)
  }
}

extension Plane? {
  fileprivate func checkedRow(_ y: Int) -> Row<UInt8> {
    guard let plane = self else { preconditionFailure("the format has no such plane") }
    return plane.row(y)
  }
}

/// A run of samples of one component in one row; see `SpriteTarget.cells`.
@safe struct SpriteCells {
  let base: UnsafeMutablePointer<UInt8>
  let step: Int
  let offset: Int

  @unsafe init(base: UnsafeMutablePointer<UInt8>, step: Int, offset: Int) {
    unsafe self.base = base
    self.step = step
    self.offset = offset
  }

  @inline(__always)
  subscript(index: Int) -> UInt8 {
    get { unsafe base[index &* step &+ offset] }
    nonmutating set { unsafe base[index &* step &+ offset] = newValue }
  }

  /// Lays taps over the samples of an opaque picture; see `SpriteKernels.over`.
  func over(
    _ tap: UnsafeMutablePointer<UInt16>, _ alpha: UnsafeMutablePointer<UInt16>, isChroma: Bool,
    count: Int, scratch: UnsafeMutablePointer<UInt8>
  ) {
    if step == 1 {
      unsafe SpriteKernels.over(base, tap, alpha, isChroma: isChroma, count: count)
      return
    }
    unsafe SpriteKernels.gather(base, step: step, offset: offset, into: scratch, count: count)
    unsafe SpriteKernels.over(scratch, tap, alpha, isChroma: isChroma, count: count)
    unsafe SpriteKernels.scatter(scratch, into: base, step: step, offset: offset, count: count)
  }

  /// Lays taps over this run of Cb and that of Cr, which lie in pairs or apart.
  func overChroma(
    _ cr: SpriteCells, _ cbTap: UnsafeMutablePointer<UInt16>,
    _ crTap: UnsafeMutablePointer<UInt16>, _ alpha: UnsafeMutablePointer<UInt16>, count: Int,
    scratch: UnsafeMutablePointer<UInt8>
  ) {
    if step == 2, unsafe base == cr.base {
      let isFirst = offset < cr.offset
      unsafe SpriteKernels.overPairs(
        base, isFirst ? cbTap : crTap, isFirst ? crTap : cbTap, alpha, count: count)
    } else {
      unsafe over(cbTap, alpha, isChroma: true, count: count, scratch: scratch)
      unsafe cr.over(crTap, alpha, isChroma: true, count: count, scratch: scratch)
    }
  }

  /// Whether all `count` samples are 255.
  func isOpaque(count: Int) -> Bool {
    unsafe SpriteKernels.isOpaque(base + offset, step: step, count: count)
  }
}
