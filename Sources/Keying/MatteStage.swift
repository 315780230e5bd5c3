import Pixels
import Threads

/// What every keyer does with a frame of one format: has a matte made of it, shapes that, and
/// composes with it.
///
/// One frame at a time; keeps what the threads work in, so that frames allocate nothing.
final class MatteStage {
  /// What a matte goes with.
  struct Keyed {
    /// Shares of what is to go; nil where their rows are made one by one, each before it is composed.
    let matte: Matte?
    /// What the rows are made by.
    let screen: SeenScreen?
    /// Light of a screen that is to be taken out of the subject.
    let light: ScreenLight?
    /// The subject's own colours, where they were estimated.
    var colors: ForegroundColors?
    /// Light of the background that falls on the subject.
    var wrap: EdgeLight?
    /// What stands behind where the caller has nothing else.
    var behind: BackgroundRows?

    init(matte: Matte, light: ScreenLight? = nil) {
      (self.matte, self.light, screen) = (matte, light, nil)
    }

    /// Rows of a screen's matte, for where `isRowByRow` allows it.
    init(rowsOf screen: SeenScreen) {
      (matte, light, self.screen) = (nil, nil, screen)
    }
  }

  let grid: ChromaGrid
  private let shaper: MatteShaper
  private var scratch: [KeyScratch] = []
  private var empty: Matte?

  /// Nil for GRAY8, which has no colour, and for no pixels.
  init?(_ video: VideoFormat) {
    guard video.format != .gray8, video.width > 0, video.height > 0 else { return nil }
    grid = ChromaGrid(video)
    shaper = MatteShaper(grid: grid)
  }

  /// Whether a row of the picture needs no other row of the matte, so that none has to be kept.
  func isRowByRow(_ settings: MatteSettings) -> Bool {
    grid.vShift == 0 && settings.shape.isPlain
  }

  /// Composes `source` into `destination` by the matte that `key` makes; see `ChromaKey.process`.
  ///
  /// Without a background that fits, what is to go becomes transparent, or black.
  func process(
    source: borrowing Picture, destination: borrowing Picture, background: Background?,
    _ settings: MatteSettings, runner: any SliceRunner,
    key: (KeyFrame, KeySlices) -> Keyed
  ) {
    guard fits(source), fits(destination, isDestination: true) else { return }
    while scratch.count < max(1, runner.threadCount) { scratch.append(KeyScratch(grid: grid)) }
    let slices = KeySlices(scratch: scratch, runner: runner)
    let behind = background?.grid.video == grid.video ? background : nil
    withExtendedLifetime((behind, self)) {
      var frame = KeyFrame(
        source: source, destination: destination, background: behind?.rows, grid: grid)
      let keyed = key(frame, slices)
      let shape = settings.shape
      let matte = keyed.matte.map { shaper.shape($0, shape, slices).rows }
      if behind == nil { frame.background = keyed.behind }
      Composer(
        frame: frame, matte: matte ?? scratch[0].rows.light.shares,
        crop: MatteCrop(grid.video, settings), keyed: keyed, shape: shape,
        showsMatte: settings.showMatte
      ).compose(slices)
    }
  }

  /// A matte that keeps nothing.
  var nobody: Matte {
    if let empty { return empty }
    let matte = Matte(width: grid.gridWidth, height: grid.gridHeight)
    for y in 0..<grid.gridHeight {
      matte.rows.row(y).fill(255)
      matte.rows.finish(y)
    }
    empty = matte
    return matte
  }

  private func fits(_ picture: borrowing Picture, isDestination: Bool = false) -> Bool {
    guard picture.width == grid.width, picture.height == grid.height else { return false }
    let format = grid.video.format
    return picture.format == format
      || (isDestination && picture.format == ChromaKey.formatWithAlpha(for: format))
  }
}
