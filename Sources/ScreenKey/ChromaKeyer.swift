package import Compose
package import Pixels
package import Threads

/// Keys a screen of one colour: writes alpha, or composites a background.
///
/// The key is a projection on the screen's hue, on the stream's own chroma grid, against a map of
/// the screen; the screen and its spill are subtracted from the foreground. Opaque pixels keep
/// their samples bit for bit; transparent ones have alpha 0, or the background's samples bit for
/// bit.
///
/// Call `configure` before the first frame and when the format changes, then `process` for each
/// frame. One frame at a time; slices of it run on the `SliceRunner`'s threads.
package final class ChromaKeyer {
  /// Clamped when set; takes effect with the next frame.
  package var settings = ChromaKeySettings() {
    didSet {
      settings = settings.clamped
      guard settings != oldValue else { return }
      if settings.method != oldValue.method
        || (settings.method == .custom && settings.color != oldValue.color)
      {
        tracker?.reset()
      }
      tracker?.settingsChanged()
    }
  }

  /// The screen colour in use as 0xffRRGGBB; nil while none was found.
  package var screenColor: UInt32? {
    guard let tracker, let color = tracker.color else { return nil }
    return tracker.grid.argb(color.components)
  }

  // For the configured format; nil without one.
  private var tracker: ScreenTracker?
  private var compositor: FrameCompositor?

  package init() {}

  /// The mean, 0xffRRGGBB, of the codes of the 5 x 5 pixels about a point, or the nearest inside.
  package static func pickColor(_ picture: borrowing Picture, x: Double, y: Double) -> UInt32 {
    func index(_ value: Double, _ size: Int) -> Int {
      value.isNaN ? 0 : Int(min(max(value, 0), Double(size - 1)))
    }
    guard picture.width > 0, picture.height > 0 else { return 0xff00_0000 }
    let (column, row) = (index(x, picture.width), index(y, picture.height))
    var means: [Float] = []
    let isDeep = picture.format.bitDepth > 8
    for (number, layout) in picture.format.layout.components.prefix(3).enumerated() {
      let component = isDeep ? nil : picture.component(number)
      let deep = isDeep ? picture.deepComponent(number) : nil
      let scale = Float(1 << (picture.format.bitDepth - 8))
      let columns = PixelLayout.subsampled(picture.width, by: layout.hShift)
      let rows = PixelLayout.subsampled(picture.height, by: layout.vShift)
      let left = max(column - 2, 0) >> layout.hShift
      let right = min((column + 2) >> layout.hShift, columns - 1)
      let top = max(row - 2, 0) >> layout.vShift
      let bottom = min((row + 2) >> layout.vShift, rows - 1)
      var sum = 0
      for y in top...bottom {
        for x in left...right { sum += component.map { Int($0[x, y]) } ?? Int(deep?[x, y] ?? 0) }
      }
      means.append(Float(sum) / Float((right - left + 1) * (bottom - top + 1)) / scale)
    }
    guard means.count == 3 else { return ChromaGrid.greyARGB(means[0]) }
    return ChromaGrid(picture.video).argb((means[0], means[1], means[2]))
  }

  /// Whether a colour, 0xRRGGBB, has enough chroma to be keyed in the configured format.
  package func canKey(_ color: UInt32) -> Bool {
    guard let grid = tracker?.grid else { return false }
    let components = grid.components(argb: color)
    return ScreenColor(components: components, grid: grid, settings: settings) != nil
  }

  /// Prepares for pictures of a format, and forgets the screen; frames in GRAY8 stay as they are.
  package func configure(_ video: VideoFormat) {
    compositor = FrameCompositor(video.field)
    tracker = compositor.map { ScreenTracker(grid: $0.grid) }
  }

  /// Forgets the screen: the next frame is treated like the first.
  package func reset() { tracker?.reset() }

  /// Keys `source` into `destination`, each field of interlaced frames by itself; see
  /// `FrameCompositor.composite`.
  ///
  /// Of a picture of more than 8 bits the screen is found in 8 bits; alpha and colours have the
  /// picture's own.
  package func process(
    source: borrowing Picture, destination: borrowing Picture, background: Background? = nil,
    runner: any SliceRunner
  ) {
    for index in 0..<source.video.fieldCount {
      processField(
        index, source: source.field(index), destination: destination.field(index),
        background: background, runner: runner)
    }
  }

  private func processField(
    _ index: Int, source: borrowing Picture, destination: borrowing Picture,
    background: Background?, runner: any SliceRunner
  ) {
    guard let tracker, let compositor else { return }
    if let deep = compositor.deep {
      let rows = tracker.rowsToRead(settings)
      deep.copy(source, rows: rows, runner: runner)
      return compositor.compositeDeep(
        source: source, destination: destination, background: background, field: index,
        settings.matte, isCopied: true, runner: runner
      ) { [self] frame, slices in
        let screen = tracker.track(frame.eightBit, settings, slices) {
          deep.copy(frame, runner: slices.runner)
        }
        return tracker.makeMatte(frame, screen, deep.codes, slices)
      }
    }
    compositor.composite(
      source: source, destination: destination, background: background, field: index,
      settings.matte, runner: runner
    ) { frame, slices in
      let screen = tracker.track(frame, settings, slices)
      return tracker.makeMatte(
        frame, screen, isRowByRow: compositor.compositesRowByRow(settings.matte), slices)
    }
  }
}
