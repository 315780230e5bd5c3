import Pixels

/// The components of the destination picture; valid only during the call that passes the picture.
struct SpriteTarget {
  let layout: PixelLayout
  let width, height: Int
  let colorimetry: Colorimetry
  let site: ChromaSite
  private let components: InlineArray<4, Component?>
  /// The components of a picture of more than 8 bits, which has no `components`.
  let deep: InlineArray<4, DeepComponent?>
  /// The plane of interleaved chroma.
  private let pairs: Plane?

  init(_ picture: borrowing Picture) {
    layout = picture.format.layout
    (width, height, colorimetry) = (picture.width, picture.height, picture.colorimetry)
    site = picture.chromaSite
    let count = layout.componentCount
    let isDeep = layout.bitDepth > 8
    components = InlineArray { $0 < count && !isDeep ? picture.component($0) : nil }
    deep = InlineArray { $0 < count && isDeep ? picture.deepComponent($0) : nil }
    let isPaired = !isDeep && layout.family == .ycc && layout[1].step == 2
    pairs = isPaired ? picture.plane(layout[1].plane) : nil
  }

  /// Whether samples have more than 8 bits.
  var isDeep: Bool { layout.bitDepth > 8 }

  /// As many samples of a component's row `y` from column `x` on as `scratch` holds, in 8 bits; nil
  /// if the format does not have it.
  func samples(_ index: Int, row y: Int, from x: Int, scratch: Row<UInt8>) -> Row<UInt8>? {
    if let component = components[index] {
      return component.samples(row: y, from: x, scratch: scratch)
    }
    guard let component = deep[index] else { return nil }
    component.gatherBytes(row: y, from: x, into: scratch)
    return scratch
  }

  /// A sample in 8-bit codes; 0 if the format does not have the component.
  func code(_ index: Int, x: Int, y: Int) -> Double {
    if let component = components[index] { return Double(component[x, y]) }
    return deep[index].map { Double($0[x, y]) / Double(1 << ($0.depth - 8)) } ?? 0
  }

  /// Chroma subsampling as shifts.
  var shifts: (h: Int, v: Int) { layout.chromaShifts }

  /// A component; nil if the format does not have it.
  @inline(__always)
  subscript(index: Int) -> Component? { components[index] }

  /// Composites `taps` over component `index` of an opaque picture, in the component's row `y` from
  /// its column `x` on.
  ///
  /// `codes` have as many elements as taps.
  func composite(
    _ index: Int, x: Int, y: Int, _ taps: SpriteTaps, scratch codes: SpriteScratch.Codes
  ) {
    let isChroma = index > 0 && layout.family == .ycc
    if let component = deep[index] {
      component.gather(row: y, from: x, into: codes.words)
      SpriteKernels.compositeOver(
        codes.words, taps[index], taps.alpha, centre: isChroma ? 128 : 0,
        scale: Float(1 << (component.depth - 8)), maximum: Float(component.maximum))
      component.scatter(row: y, from: x, codes.words)
      return
    }
    guard let component = self[index] else { return }
    let scratch = codes.bytes
    let own = component.row(y, from: x, count: scratch.count)
    if own == nil { component.gather(row: y, from: x, into: scratch) }
    SpriteKernels.compositeOver(own ?? scratch, taps[index], taps.alpha, isChroma: isChroma)
    if own == nil { component.scatter(row: y, from: x, scratch) }
  }

  /// `composite` for components 1 and 2.
  func compositeChroma(x: Int, y: Int, _ taps: SpriteTaps, scratch: SpriteScratch.Codes) {
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
