package import Pixels

/// Makes areas of pictures unrecognisable; the rest is preserved bit for bit.
///
/// Keeps its memory from frame to frame. Not thread-safe.
package final class FaceHider {
  private let mosaic = Mosaic()
  private let blur = Blur()
  private let fill = ColorFill()

  package init() {}

  /// Maximum hidden area in picture areas; above it the whole picture is hidden once.
  private static let maximumOverdraw = 16.0

  /// Hides all areas, in place; they may overlap and extend outside the picture.
  package func hide(
    _ areas: [HiddenArea], in picture: borrowing Picture, _ settings: HideSettings
  ) {
    let (width, height) = (Double(picture.width), Double(picture.height))
    let frame = Rectangle(x: 0, y: 0, width: width, height: height)
    var covered = 0.0
    for area in areas {
      covered += area.bounds(settings).intersection(frame).area
      guard area.cause == .unknown || covered > Self.maximumOverdraw * frame.area else { continue }
      hide(.wholeFrame(width: picture.width, height: picture.height), in: picture, settings)
      return
    }
    for area in areas { hide(area, in: picture, settings) }
  }

  private func hide(
    _ area: HiddenArea, in picture: borrowing Picture, _ settings: HideSettings
  ) {
    let shape = HideShape(area, settings)
    switch settings.mode {
    case .mosaic: mosaic.hide(picture, shape, size: area.size, settings)
    case .blur: blur.hide(picture, shape, size: area.size, settings)
    case .color: fill.hide(picture, shape, settings.color)
    }
  }
}
