import Filters
package import Pixels

/// Makes areas of pictures unrecognisable; the rest is preserved bit for bit.
///
/// Keeps its memory from frame to frame. Not thread-safe.
package final class FaceHider {
  private let mosaic = Mosaic()
  private let blur = Blur()
  private let fill = ColorFill()

  package init() {}

  /// The copy in which areas of a picture of more than 8 bits are measured; nil without one.
  private var eightBit: EightBitCopy?
  /// The row that is written to a picture of more than 8 bits.
  private let words = Grid<UInt16>(of: 0)

  /// Maximum hidden area in picture areas; above it the whole picture is hidden once.
  private static let maximumOverdraw = 16.0

  /// Hides all areas, in place; they may overlap and extend outside the picture.
  package func hide(
    _ areas: [HiddenArea], in picture: borrowing Picture, _ settings: HideSettings
  ) {
    guard let copy = EightBitCopy.update(&eightBit, from: picture) else {
      return hide(areas, in: picture, nil, settings)
    }
    if words.width < picture.width { words.resize(width: picture.width, height: 1) }
    let deep = DeepPlanes(picture, scratch: words.row(0))
    copy.withPicture { hide(areas, in: $0, deep, settings) }
  }

  /// Hides all areas in `picture`, and in the picture of more bits that it is a copy of.
  private func hide(
    _ areas: [HiddenArea], in picture: borrowing Picture, _ deep: DeepPlanes?,
    _ settings: HideSettings
  ) {
    let (width, height) = (Double(picture.width), Double(picture.height))
    let frame = Rectangle(x: 0, y: 0, width: width, height: height)
    var covered = 0.0
    for area in areas {
      covered += area.bounds(settings).intersection(frame).area
      guard area.cause == .unknown || covered > Self.maximumOverdraw * frame.area else { continue }
      hide(.wholeFrame(width: picture.width, height: picture.height), in: picture, deep, settings)
      return
    }
    for area in areas { hide(area, in: picture, deep, settings) }
  }

  private func hide(
    _ area: HiddenArea, in picture: borrowing Picture, _ deep: DeepPlanes?,
    _ settings: HideSettings
  ) {
    let shape = HideShape(area, settings)
    switch settings.mode {
    case .mosaic: mosaic.hide(picture, deep, shape, size: area.size, settings)
    case .blur: blur.hide(picture, deep, shape, size: area.size, settings)
    case .color: fill.hide(picture, deep, shape, settings.color)
    }
  }
}

/// The planes of a picture of more than 8 bits without alpha, in which the same samples are hidden as in its
/// 8-bit copy, where each plane is a component.
struct DeepPlanes {
  private let components: InlineArray<4, DeepComponent?>
  private let words: Row<UInt16>

  /// `scratch` holds a row of the picture.
  init(_ picture: borrowing Picture, scratch: Row<UInt16>) {
    words = scratch
    let count = picture.format.layout.componentCount
    components = InlineArray { $0 < count ? picture.deepComponent($0) : nil }
  }

  /// Writes 8-bit codes to row `y` of a component from column `x` on.
  func write(_ codes: Row<UInt8>, component: Int, row y: Int, from x: Int) {
    guard let target = components[component] else { return }
    let line = words[..<codes.count]
    let shift = UInt16(target.depth - 8)
    for i in 0..<codes.count { line[i] = UInt16(codes[i]) &<< shift }
    target.scatter(row: y, from: x, line)
  }
}
