package import Pixels

/// Composites sprites and textures onto pictures, in place, in every format.
///
/// Writes only the bytes under the sprite. Keeps its scratch between frames, so that drawing allocates
/// nothing. Not for two threads at once.
package final class SpriteCompositor {
  private let scratch: SpriteScratch
  let width: Int
  /// For meshes that are rasterised; made when the first one is drawn.
  private(set) lazy var surfaces = SurfaceScratch()
  /// For the face mesh that occludes billboards.
  private(set) lazy var occluderScratch = SurfaceScratch()
  /// The layout of that mesh when it was last needed.
  var occluderLayout: SurfaceLayout?

  /// Allocates scratch for pictures up to `width` pixels wide.
  package init(width: Int) {
    self.width = width
    scratch = SpriteScratch(width: width)
  }

  /// Draws `sprite` through `transform`, which maps coordinates in the sprite, in its pixels from its
  /// top left corner, to coordinates in the picture.
  ///
  /// `alpha`, 0...1, is multiplied with the sprite's own. Parts outside the picture are clipped. Nothing
  /// is drawn, and false returned, where the transform is not finite, singular or far out of range,
  /// where the sprite's space is not the one that `SpriteSpace` gives for the picture and the blend,
  /// and where the picture is wider than the compositor. Pictures with straight alpha are composited
  /// with both alphas.
  @discardableResult
  package func draw(
    _ sprite: Sprite, by transform: Affine, alpha: Double = 1, blend: SpriteBlend = .over,
    on picture: borrowing Picture
  ) -> Bool {
    let space = SpriteSpace(format: picture.format, colorimetry: picture.colorimetry, blend: blend)
    guard sprite.space == space, picture.width <= width, alpha > 0,
      let scan = SpriteScan(
        sprite, transform: transform, width: picture.width, height: picture.height)
    else { return false }
    paint(scan, alpha, blend, SpriteTarget(picture), space)
    return true
  }

  /// Draws the samples of `source`.
  func paint(
    _ source: some TapSource, _ alpha: Double, _ blend: SpriteBlend, _ target: SpriteTarget,
    _ space: SpriteSpace
  ) {
    let fade = alpha >= 1 ? nil : UInt16((alpha * 65535).rounded())
    let painter = SpritePainter(
      source: source, target: target, mixer: SpriteMixer(target, blend), blend: blend, fade: fade,
      clear: space.clear)
    // Chroma that is cosited with even rows also depends on the row above it.
    let halo = target.shifts.v == 1 && target.site.isCositedVertically ? 1 : 0
    let first = max(0, source.rows.lowerBound) & ~1
    let end = min(target.height, source.rows.upperBound + halo)
    if first < end { painter.paint(first..<end, scratch) }
  }
}
