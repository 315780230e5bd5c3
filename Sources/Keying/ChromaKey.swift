package import Pixels
package import Threads

/// Takes a screen of one colour out of pictures: alpha out, or a background in its place.
///
/// The key is a projection on the screen's hue, on the stream's own chroma grid, against a map
/// of the screen; the screen's share and its spill are subtracted from the subject. A pixel that
/// is all subject keeps its samples bit for bit; one that is all screen has alpha 0, or the
/// background's samples bit for bit.
///
/// Call `configure` before the first frame and when the format changes, then `process` for each
/// frame. One frame at a time; slices of it run on the `SliceRunner`'s threads.
package final class ChromaKey {
  /// Made valid (see `ChromaKeySettings.clamped`) when set; takes effect with the next frame.
  package var settings = ChromaKeySettings() {
    didSet {
      settings = settings.clamped
      guard settings != oldValue else { return }
      if settings.method != oldValue.method
        || (settings.method == .custom && settings.color != oldValue.color)
      {
        screen?.reset()
      }
      screen?.settingsChanged()
    }
  }

  /// The screen colour in use as 0xffRRGGBB; nil while none was found.
  package var screenColor: UInt32? {
    guard let screen, let key = screen.key else { return nil }
    return screen.grid.argb(key.components)
  }

  /// Made for the configured format; none without one.
  private var screen: ScreenKeyer?
  private var stage: MatteStage?

  package init() {}

  /// The format that chromakey turns `format` into when it has to carry alpha.
  ///
  /// The same layout with alpha where there is one (NV21 gets AV12's order of Cb and Cr); 4:2:2
  /// and 4:4:4 become AYUV, with 4:2:2 chroma interpolated. Nil for GRAY8.
  package static func formatWithAlpha(for format: PixelFormat) -> PixelFormat? {
    switch format {
    case .i420, .yv12, .a420: .a420
    case .nv12, .nv21, .av12: .av12
    case .yuy2, .uyvy, .y42b, .y444, .ayuv: .ayuv
    case .rgb, .rgbx, .rgba: .rgba
    case .bgr, .bgrx, .bgra: .bgra
    case .xrgb, .argb: .argb
    case .xbgr, .abgr: .abgr
    case .gray8: nil
    }
  }

  /// The mean, 0xffRRGGBB, of the codes of the 5 x 5 pixels about a point, or the nearest inside.
  package static func pickColor(_ picture: borrowing Picture, x: Double, y: Double) -> UInt32 {
    func place(_ value: Double, _ size: Int) -> Int {
      value.isNaN ? 0 : Int(min(max(value, 0), Double(size - 1)))
    }
    guard picture.width > 0, picture.height > 0 else { return 0xff00_0000 }
    let (column, row) = (place(x, picture.width), place(y, picture.height))
    var means: [Float] = []
    for (index, part) in picture.format.layout.components.prefix(3).enumerated() {
      let component = picture.component(index)
      let rows = PixelLayout.subsampled(picture.height, by: part.vShift)
      let left = max(column - 2, 0) >> part.hShift
      let right = min((column + 2) >> part.hShift, component.width - 1)
      let top = max(row - 2, 0) >> part.vShift
      let bottom = min((row + 2) >> part.vShift, rows - 1)
      var sum = 0
      for y in top...bottom {
        for x in left...right { sum += Int(component[x, y]) }
      }
      means.append(Float(sum) / Float((right - left + 1) * (bottom - top + 1)))
    }
    guard means.count == 3 else { return ChromaGrid.grey(means[0]) }
    return ChromaGrid(picture.video).argb((means[0], means[1], means[2]))
  }

  /// Whether a colour, 0xRRGGBB, is far enough from grey to be told from it in the pictures that
  /// were prepared for.
  package func canKey(_ color: UInt32) -> Bool {
    guard let grid = screen?.grid else { return false }
    let components = grid.components(argb: color)
    return ScreenKey(components: components, grid: grid, settings: settings) != nil
  }

  /// Prepares for pictures of a format, and forgets the screen; frames in GRAY8 are left alone.
  package func configure(_ video: VideoFormat) {
    stage = MatteStage(video)
    screen = stage.map { ScreenKeyer(grid: $0.grid) }
  }

  /// Forgets the screen: the next frame is looked at like the first.
  package func reset() { screen?.reset() }

  /// Keys `source` into `destination`.
  ///
  /// Both have the configured size, colorimetry and siting, `source` the configured format.
  /// `destination` has the same format, or `formatWithAlpha(for:)`'s. Its components may be the
  /// very memory of the source's (a plane for alpha added, or the same picture); otherwise the
  /// two must not overlap. NV21 to AV12 needs other memory for chroma.
  ///
  /// Without `background` the destination gets straight alpha, times the source's own; where
  /// the format has none, screen turns black. With one, made for this format and size, it is
  /// composited, and alpha where there is any is 255. Anything that does not fit the
  /// configuration is left alone.
  package func process(
    source: borrowing Picture, destination: borrowing Picture, background: Background? = nil,
    runner: any SliceRunner
  ) {
    guard let screen, let stage else { return }
    stage.process(
      source: source, destination: destination, background: background, settings.matte,
      runner: runner
    ) { frame, slices in
      let seen = screen.look(at: frame, settings, slices)
      if let seen, stage.isRowByRow(settings.matte) { return MatteStage.Keyed(rowsOf: seen) }
      return screen.matte(frame, seen, slices)
    }
  }
}
