package import Pixels
package import Threads

/// Draws sprites onto pictures, in place, in every format, turned and scaled as one likes.
///
/// Only bytes under the sprite are written. Keeps its scratch between frames, so that drawing
/// allocates nothing; one compositor serves one thread of frames at a time.
package final class SpriteCompositor {
  private let scratch: [SpriteScratch]
  let width: Int
  /// What meshes are laid out in; made when the first one is drawn.
  private(set) lazy var surfaces = SurfaceScratch()
  /// The face that hides boards.
  private(set) lazy var hidingFace = SurfaceScratch()
  /// How it was laid out when it was last asked for.
  var hidingLayout: SurfaceLayout?

  /// Makes scratch for pictures `width` pixels wide, drawn by up to `threadCount` threads.
  package init(width: Int, threadCount: Int) {
    self.width = width
    scratch = (0..<max(1, threadCount)).map { _ in SpriteScratch(width: width) }
  }

  /// Draws `sprite` through `transform`, which takes places in the sprite, in its pixels from
  /// its top left corner, to places in the picture.
  ///
  /// `alpha`, 0...1, makes it more transparent. Parts outside the picture are left out. Nothing
  /// is drawn, and false returned, where the map is not finite, collapses or is beyond all
  /// use, where the sprite was made for another space than `SpriteSpace` asks here, or the
  /// picture is wider than the compositor was made for. The bits are the same for any number
  /// of threads. On pictures with alpha, which is straight, both alphas count.
  @discardableResult
  package func draw(
    _ sprite: Sprite, by transform: Affine, alpha: Double = 1, blend: SpriteBlend = .over,
    on picture: borrowing Picture, runner: any SliceRunner
  ) -> Bool {
    let space = SpriteSpace(format: picture.format, colorimetry: picture.colorimetry, blend: blend)
    guard sprite.space == space, picture.width <= width, alpha > 0,
      let scan = SpriteScan(
        sprite, transform: transform, width: picture.width, height: picture.height)
    else { return false }
    paint(scan, alpha, blend, SpriteTarget(picture), space, runner)
    return true
  }

  /// Draws whatever `scan` fills rows with, in slices.
  func paint<Source: TapSource>(
    _ scan: Source, _ alpha: Double, _ blend: SpriteBlend, _ target: SpriteTarget,
    _ space: SpriteSpace, _ runner: any SliceRunner
  ) {
    let fade = alpha >= 1 ? nil : UInt16((alpha * 65535).rounded())
    let painter = SpritePainter(
      scan: scan, target: target, mixer: SpriteMixer(target, blend), blend: blend, fade: fade,
      clear: space.clear)
    // Chroma that lies on even rows is reached from the row above it, too.
    let reach = target.shifts.v == 1 && target.site.isCositedVertically ? 1 : 0
    let first = max(0, scan.rows.lowerBound) & ~1
    let end = min(target.height, scan.rows.upperBound + reach)
    guard first < end else { return }
    let pairs = (end - first + 1) / 2
    let pieces = max(1, min(runner.threadCount, scratch.count, pairs))
    let scratch = scratch
    runner.run(pieces) { piece in
      let start = first + 2 * (pairs * piece / pieces)
      let next = first + 2 * (pairs * (piece + 1) / pieces)
      painter.paint(start..<min(end, next), scratch[piece])
    }
  }
}
