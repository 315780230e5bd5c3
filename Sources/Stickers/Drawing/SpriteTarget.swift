import Pixels

/// The components of the destination picture; valid only during the call that passes the picture.
struct SpriteTarget {
  let layout: PixelLayout
  let width, height: Int
  let colorimetry: Colorimetry
  let site: ChromaSite
  private let components: InlineArray<4, Component?>
  /// The plane of interleaved chroma.
  private let pairs: Plane?

  init(_ picture: borrowing Picture) {
    layout = picture.format.layout
    (width, height, colorimetry) = (picture.width, picture.height, picture.colorimetry)
    site = picture.chromaSite
    let count = layout.componentCount
    components = InlineArray { $0 < count ? picture.component($0) : nil }
    let isPaired = layout.family == .ycc && layout[1].step == 2
    pairs = isPaired ? picture.plane(layout[1].plane) : nil
  }

  /// Chroma subsampling as shifts.
  var shifts: (h: Int, v: Int) { layout.chromaShifts }

  /// A component; nil if the format does not have it.
  @inline(__always)
  subscript(index: Int) -> Component? { components[index] }

  /// Composites `taps` over component `index` of an opaque picture, in the component's row `y` from
  /// its column `x` on.
  ///
  /// `scratch` has as many elements as taps.
  func composite(_ index: Int, x: Int, y: Int, _ taps: SpriteTaps, scratch: Row<UInt8>) {
    guard let component = self[index] else { return }
    let isChroma = index > 0 && layout.family == .ycc
    let own = component.row(y, from: x, count: scratch.count)
    if own == nil { component.gather(row: y, from: x, into: scratch) }
    SpriteKernels.compositeOver(own ?? scratch, taps[index], taps.alpha, isChroma: isChroma)
    if own == nil { component.scatter(row: y, from: x, scratch) }
  }

  /// `composite` for components 1 and 2.
  func compositeChroma(x: Int, y: Int, _ taps: SpriteTaps, scratch: Row<UInt8>) {
    guard let pairs else {
      for index in 1...2 { composite(index, x: x, y: y, taps, scratch: scratch) }
      return
    }
    let isCbFirst = layout[1].offset == 0
    SpriteKernels.compositeOverPairs(
      pairs.row(y)[2 * x..<2 * (x + taps.count)], isCbFirst ? taps.c1 : taps.c2,
      isCbFirst ? taps.c2 : taps.c1, taps.alpha)
  }
}
