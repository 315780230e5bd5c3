import Pixels

/// The components of the picture that is drawn on, for as long as the call that lends it.
struct SpriteTarget {
  let layout: PixelLayout
  let width, height: Int
  let colorimetry: Colorimetry
  let site: ChromaSite
  private let components: (Component, Component?, Component?, Component?)
  /// The plane in which nothing but Cb and Cr lie, in pairs.
  private let pairs: Plane?

  init(_ picture: borrowing Picture) {
    layout = picture.format.layout
    width = picture.width
    height = picture.height
    colorimetry = picture.colorimetry
    site = picture.chromaSite
    let count = layout.componentCount
    components = (
      picture.component(0), count > 1 ? picture.component(1) : nil,
      count > 2 ? picture.component(2) : nil, count > 3 ? picture.component(3) : nil
    )
    let isPaired = layout.family == .ycc && layout[1].step == 2
    pairs = isPaired ? picture.plane(layout[1].plane) : nil
  }

  /// Chroma columns and rows to one of luma, as shifts.
  var shifts: (h: Int, v: Int) { layout.chromaShifts }

  /// A component of the format; nil where it has no such one.
  @inline(__always)
  subscript(index: Int) -> Component? {
    switch index {
    case 0: components.0
    case 1: components.1
    case 2: components.2
    default: components.3
    }
  }

  /// Lays `taps` over component `index` of an opaque picture, in the component's row `y` from its
  /// column `x` on; `room` is as long.
  func over(_ index: Int, x: Int, y: Int, _ taps: SpriteTaps, room: Row<UInt8>) {
    guard let component = self[index] else { return }
    let samples = component.samples(row: y, from: x, room: room)
    let isChroma = index > 0 && layout.family == .ycc
    SpriteKernels.over(samples, taps[index], taps.alpha, isChroma: isChroma)
    component.scatter(row: y, from: x, samples)
  }

  /// The same of components 1 and 2.
  func overColor(x: Int, y: Int, _ taps: SpriteTaps, room: Row<UInt8>) {
    guard let pairs else {
      for index in 1...2 { over(index, x: x, y: y, taps, room: room) }
      return
    }
    let isCbFirst = layout[1].offset == 0
    SpriteKernels.overPairs(
      pairs.row(y)[2 * x..<2 * (x + taps.count)], isCbFirst ? taps.c1 : taps.c2,
      isCbFirst ? taps.c2 : taps.c1, taps.alpha)
  }
}
