package import Pixels

/// Makes parts of pictures unrecognisable, and leaves the rest as it is, bit for bit.
///
/// Keeps its memory from frame to frame; not for two threads at once.
package final class FaceHider {
  private let mosaic = Mosaic()
  private let blur = Blur()
  private let fill = ColorFill()

  package init() {}

  /// Hides every area; they may overlap, and lie outside the picture in part or as a whole.
  package func hide(
    _ areas: [HiddenArea], in picture: borrowing Picture, _ settings: HideSettings
  ) {
    for area in areas {
      let shape = HideShape(area, settings)
      switch settings.mode {
      case .mosaic: mosaic.hide(picture, shape, size: area.size, settings)
      case .blur: blur.hide(picture, shape, size: area.size, settings)
      case .color: fill.hide(picture, shape, settings.color)
      }
    }
  }
}
